/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
/*
 * The parts of ibv_doctor: what it finds goes into a report, each kind of check
 * has a file of its own, and nothing here changes anything.
 */
#ifndef DOCTOR_H
#define DOCTOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>

#include <infiniband/verbs.h>

/* ---- the report (report.c, print.c) ---- */

enum doctor_state {
	DOCTOR_OK,
	DOCTOR_NOTE, /* worth knowing, but nothing is broken */
	DOCTOR_PROBLEM,
};

struct doctor_finding {
	char *device; /* NULL: it is about the machine */
	const char *check;
	enum doctor_state state;
	char *text;
	char *fix; /* NULL: none needed */
};

struct doctor_report {
	struct doctor_finding *findings;
	size_t count, room;
	size_t problems;
};

/* device may be NULL.  Texts are copied; without memory the program ends. */
void doctor_add(struct doctor_report *report, const char *device,
		const char *check, enum doctor_state state, const char *fmt,
		...) __attribute__((format(printf, 5, 6)));
/* What to do about the finding that was added last */
void doctor_fix(struct doctor_report *report, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));
void doctor_free(struct doctor_report *report);

void doctor_print_table(FILE *out, const struct doctor_report *report);
void doctor_print_json(FILE *out, const struct doctor_report *report);

/* ---- what is looked at ---- */

struct doctor_device {
	char name[64];
	bool in_netlink; /* it is one of this network namespace */
	uint32_t index;	 /* netlink's */
	char uverbs[64]; /* name of its uverbs device, or "" */
	dev_t cdev;
	uint32_t driver_id; /* RDMA_DRIVER_UNKNOWN: the kernel does not say */
	struct ibv_device *device; /* the library's, or NULL */
	int fd;			   /* its node, opened; -1 */
};

struct doctor {
	struct doctor_report report;
	bool must_share; /* without export and import it is a problem */
	struct doctor_device *devices;
	size_t num_devices;
	struct ibv_device **list; /* what the library finds, or NULL */
	char *warnings;		  /* what it said meanwhile */
	/* By netlink */
	bool has_netlink;
	bool netns_exclusive;
};

/*
 * The kernel's devices, by netlink and sysfs; only: the name of one, or NULL
 * for all (kernel_devices.c)
 */
void doctor_find_devices(struct doctor *doctor, const char *only);
/* The library's, and what it prints on stderr (library_devices.c) */
void doctor_ask_library(struct doctor *doctor);

/* ---- the checks: of the machine ---- */

void doctor_check_kernel(struct doctor *doctor);
void doctor_check_no_devices(struct doctor *doctor);
void doctor_check_library(struct doctor *doctor);
void doctor_check_plugins(struct doctor *doctor);
void doctor_check_memlock(struct doctor *doctor);
void doctor_check_fork(struct doctor *doctor);

/* ---- ... and of a device; in this order, since later ones use dev->fd ---- */

void doctor_check_node(struct doctor *doctor, struct doctor_device *dev);
void doctor_check_plugin(struct doctor *doctor, struct doctor_device *dev);
void doctor_check_ports(struct doctor *doctor, struct doctor_device *dev);
void doctor_check_cgroup(struct doctor *doctor, struct doctor_device *dev);
void doctor_check_sharing(struct doctor *doctor, struct doctor_device *dev);

/* ---- small files (files.c) ---- */

/*
 * The first line of a file without white space at its end; false with errno:
 * not readable, or too long.
 */
bool doctor_read(char *line, size_t size, const char *path_fmt, ...)
	__attribute__((format(printf, 3, 4)));
/* Is there something of that name? */
bool doctor_exists(const char *path_fmt, ...)
	__attribute__((format(printf, 1, 2)));
/* Its entries but those with a dot in front: false from each ends it. */
void doctor_each_entry(const char *dir,
		       bool (*each)(const char *name, void *arg), void *arg);
/* Are we in a container, as far as one can tell? */
bool doctor_in_container(void);
/* The name of a plug-in for a driver id, or NULL (drivers.c) */
const char *doctor_driver_name(uint32_t driver_id);

#endif
