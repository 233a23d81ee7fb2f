/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
/*
 * The rules of lifetime, as a small machine: what can be done, what must come
 * of it and what must then be left.  This is the specification; it knows neither
 * the library nor the kernel.
 *
 * Three processes open up to three files of one device.  There is one PD, and
 * there are two MRs on it.  Every file can have two aliases of each: its own
 * one, which its context's process has made or imported and has a struct of,
 * and one that was exported into it, of which nobody has a struct.
 */
#ifndef MODEL_H
#define MODEL_H

#include <stdbool.h>

#define PROCESSES 3
#define FILES 3
#define NOBODY (-1)

enum object { PD, MR0, MR1, OBJECTS };
enum own { NO_ALIAS, IMPORTED, MADE };
/* On the PD: an AH or MW; a QP or SRQ, whose memory its process maps */
enum child { NO_CHILD, PLAIN, QUEUE };

struct file {
	/* The process that has its context, or NOBODY */
	int context;
	/*
	 * It has closed it, with a queue in it whose memory it still maps: that
	 * keeps the file as a descriptor does, but no command can be given.
	 */
	bool closed;
	/* Who has been sent a descriptor */
	bool fd[PROCESSES];
	enum own own[OBJECTS];
	bool exported[OBJECTS];
	enum child child;
};

struct state {
	struct file file[FILES];
	int home[OBJECTS]; /* the file in which it was made; NOBODY: it is not */
	/*
	 * It has ever had a second alias.  No rule asks, but a kernel may well
	 * treat such objects differently: these are states of their own.
	 */
	bool shared[OBJECTS];
};

enum kind {
	OPEN,	/* process opens file */
	CLOSE,	/* file's context is closed with all that is in it */
	SEND,	/* process sends a descriptor of file to `to` */
	DROP,	/* process closes that descriptor */
	MAKE,	/* alloc or reg object in file */
	EXPORT, /* file's own alias of object into `to` */
	IMPORT, /* into file, from the own or exported alias in `to` */
	CREATE, /* a plain child in file */
	CREATE_QUEUE,
	DESTROY,  /* the child of file */
	FREE,	  /* dealloc or dereg file's own alias */
	WITHDRAW, /* process destroys an alias in file of which nobody has a
		     struct */
	EXIT,
	KILL,
	EXEC, /* process goes on, its descriptors are closed */
	KINDS
};

struct step {
	enum kind kind;
	int process, file, to;
	enum object object;
	bool exported; /* IMPORT, WITHDRAW: which of the two aliases */
};

/* Nothing is there. */
struct state model_start(void);

/* Do the processes have what they need to try it? */
bool model_possible(const struct state *s, const struct step *step);
/* 0 or the errno value that it must give */
int model_result(const struct state *s, const struct step *step);
/* What is there afterwards; an error changes nothing. */
void model_do(struct state *s, const struct step *step);

/* What the kernel has: contexts include those that outlive their file. */
struct left {
	int contexts, pds, mrs, queues;
};
struct left model_left(const struct state *s);

bool model_is_open(const struct state *s, int file);
bool model_has_context(const struct state *s, int process, int file);
/* Has the process a descriptor of the file, its context's or one sent? */
bool model_reaches(const struct state *s, int process, int file);

/* All steps that are possible: their number, at most MODEL_STEPS */
#define MODEL_STEPS 256
int model_steps(const struct state *s, struct step steps[MODEL_STEPS]);

#endif
