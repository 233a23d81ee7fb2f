// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * What the SECURITY section of ibv_export_to_fd(3) says, claim by claim: what a
 * process can and cannot do to others by export, import and withdrawal.
 */
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>

#include "share_pingpong.h"
#include "share_test.h"

#define SIZE 65536
#define GUESSES 256
#define NOBODY 65534

static char *memory;

struct owner {
	struct ibv_context *context, *ex;
	struct ibv_pd *pd;
	struct ibv_mr *mr;
	int fd;			       /* of ex */
	uint32_t pd_handle, mr_handle; /* in ex */
};

static struct owner make_owner(void)
{
	struct owner o;

	o.context = test_open(0);
	o.ex = test_open(0);
	o.fd = ibv_context_to_fd(o.ex);
	NEED(o.pd = ibv_alloc_pd(o.context));
	NEED(o.mr = ibv_reg_mr(o.pd, memory, SIZE, TEST_ACCESS));
	NEED(!ibv_export_pd(o.pd, o.fd, &o.pd_handle));
	NEED(!ibv_export_mr(o.mr, o.fd, &o.mr_handle));
	return o;
}

static void end_owner(struct owner *o)
{
	RETURNS(ibv_dereg_mr(o->mr), 0);
	RETURNS(ibv_dealloc_pd(o->pd), 0);
	RETURNS(ibv_close_device(o->context), 0);
	RETURNS(ibv_close_device(o->ex), 0);
}

/* ---- handles: what guessing finds ---- */

struct found {
	int pds, mrs;
};

/* Every small handle as that of a PD and of an MR; nothing stays. */
static struct found guess(struct ibv_context *context, int fd)
{
	struct found found = { 0, 0 };
	struct ibv_pd *pd;
	struct ibv_mr *mr;
	uint32_t handle;

	for (handle = 0; handle < GUESSES; handle++) {
		errno = 0;
		pd = ibv_import_pd(context, fd, handle);
		if (pd)
			RETURNS(ibv_dealloc_pd(pd), 0);
		else
			CHECK(errno == ENOENT || errno == EINVAL,
			      "PD handle %u: %s", handle, strerror(errno));
		found.pds += !!pd;
		errno = 0;
		mr = ibv_import_mr(context, fd, handle);
		if (mr)
			RETURNS(ibv_dereg_mr(mr), 0);
		else
			CHECK(errno == ENOENT || errno == EINVAL,
			      "MR handle %u: %s", handle, strerror(errno));
		found.mrs += !!mr;
	}
	return found;
}

/* A process without a descriptor of the owner's: its own file has nothing. */
static int stranger(void)
{
	struct ibv_context *context = test_open(0);
	struct found found = guess(context, ibv_context_to_fd(context));
	struct ibv_pd *pd;
	uint32_t handle;
	int fd;

	CHECK(!found.pds && !found.mrs, "%d PDs and %d MRs out of nothing",
	      found.pds, found.mrs);
	/* A number is no descriptor: those of others mean nothing here. */
	NEED(pd = ibv_alloc_pd(context));
	for (fd = 3; fd < 256; fd++) {
		if (fcntl(fd, F_GETFD) >= 0)
			continue;
		FAILS(ibv_import_pd(context, fd, 1), EBADF);
		FAILS(ibv_import_mr(context, fd, 1), EBADF);
		RETURNS(ibv_withdraw(context, fd, UVERBS_OBJECT_PD, 1), EBADF);
		RETURNS(ibv_export_pd(pd, fd, &handle), EBADF);
	}
	RETURNS(ibv_dealloc_pd(pd), 0);
	RETURNS(ibv_close_device(context), 0);
	return test_child_end();
}

static void guessing(void)
{
	struct test_counts base = test_count();
	struct owner o = make_owner();
	struct ibv_context *context = test_open(0);
	struct test_process process = test_start("stranger");
	struct found found;
	struct ibv_pd *pd;

	CHECK(!test_reap(&process), "the stranger has found something");

	/* In a file that one has a descriptor of: all of it, ... */
	found = guess(context, o.fd);
	CHECK(found.pds == 1 && found.mrs == 1, "%d PDs and %d MRs", found.pds,
	      found.mrs);
	/* ... what comes later as well, but nothing of the other file. */
	NEED(pd = ibv_alloc_pd(o.context));
	found = guess(context, o.fd);
	CHECK(found.pds == 1, "%d PDs, one of which is not there", found.pds);
	NEED(!ibv_export_pd(pd, o.fd, &(uint32_t){ 0 }));
	found = guess(context, o.fd);
	CHECK(found.pds == 2, "%d PDs instead of two", found.pds);
	RETURNS(ibv_dealloc_pd(pd), 0);
	RETURNS(ibv_close_device(context), 0);
	end_owner(&o);
	SAME_AS(&base);
}

/* ---- keys: the PD is the border, not what was imported ---- */

static int write_by(struct test_end *end, struct ibv_mr *mr)
{
	return test_run(end, IBV_WR_RDMA_WRITE, (uintptr_t)memory, 64, mr->lkey,
			(uintptr_t)memory + 4096, mr->rkey);
}

static void keys(void)
{
	struct test_counts base = test_count();
	struct owner o = make_owner();
	struct ibv_context *context = test_open(0);
	struct ibv_pd *other, *pd = ibv_import_pd(context, o.fd, o.pd_handle);
	struct ibv_mr *secret, *elsewhere;
	struct test_end end;

	NEED(pd);
	NEED(secret = ibv_reg_mr(o.pd, memory, SIZE, TEST_ACCESS));
	NEED(other = ibv_alloc_pd(o.context));
	NEED(elsewhere = ibv_reg_mr(other, memory, SIZE, TEST_ACCESS));

	NEED(test_end_open(&end, pd, context));
	test_end_join(&end, &end);
	CHECK(write_by(&end, secret) == IBV_WC_SUCCESS,
	      "an MR of an imported PD, by its keys alone");
	CHECK(write_by(&end, elsewhere) != IBV_WC_SUCCESS,
	      "an MR of another PD by its keys");
	test_end_close(&end);

	RETURNS(ibv_dereg_mr(secret), 0);
	RETURNS(ibv_dereg_mr(elsewhere), 0);
	RETURNS(ibv_dealloc_pd(other), 0);
	RETURNS(ibv_dealloc_pd(pd), 0);
	RETURNS(ibv_close_device(context), 0);
	end_owner(&o);
	SAME_AS(&base);
}

/* ---- the descriptor is the permission, whoever has it ---- */

static int import_all(struct ibv_context *context, int fd, uint32_t pd_handle,
		      uint32_t mr_handle)
{
	struct ibv_pd *pd = ibv_import_pd(context, fd, pd_handle);
	struct ibv_mr *mr = ibv_import_mr(context, fd, mr_handle);

	CHECK(pd && mr && mr->pd == pd, "import");
	if (!pd || !mr)
		return 1;
	RETURNS(ibv_dereg_mr(mr), 0);
	RETURNS(ibv_dealloc_pd(pd), 0);
	return test_child_end();
}

/*
 * Another user, with a context that was opened before it became that and the
 * descriptor of root's export context: imports, exports into it, takes back.
 */
static int nobody(struct ibv_context *context, const struct owner *o)
{
	uint32_t handle = 0;
	struct ibv_pd *pd;

	if (setresgid(NOBODY, NOBODY, NOBODY) ||
	    setresuid(NOBODY, NOBODY, NOBODY))
		return 1;
	CHECK(setuid(0) && errno == EPERM, "still root");
	NEED(pd = ibv_alloc_pd(context));
	RETURNS(ibv_export_pd(pd, o->fd, &handle), 0);
	RETURNS(ibv_withdraw(context, o->fd, UVERBS_OBJECT_PD, handle), 0);
	RETURNS(ibv_export_pd(pd, o->fd, &handle), 0);
	RETURNS(ibv_dealloc_pd(pd), 0);
	return import_all(context, o->fd, o->pd_handle, o->mr_handle);
}

/* Two descriptors and no way to open the device: the first is one's own. */
static int two_descriptors(const struct owner *o, int own)
{
	struct ibv_context *context;

	if (setresgid(NOBODY, NOBODY, NOBODY) ||
	    setresuid(NOBODY, NOBODY, NOBODY))
		return 1;
	context = ibv_import_device(own);
	NEED(context);
	return import_all(context, o->fd, o->pd_handle, o->mr_handle);
}

static void other_users(void)
{
	struct test_counts base = test_count();
	struct owner o = make_owner();
	struct ibv_context *context;
	int status, way;
	pid_t pid;

	for (way = 0; way < 2; way++) {
		/* Has no op for that: see ibv_import_device(3). */
		if (way && !test_has_import_ops())
			continue;
		context = test_open(0);
		fflush(NULL);
		pid = fork();
		NEED(pid >= 0);
		if (!pid)
			_exit(way ? two_descriptors(&o, dup(ibv_context_to_fd(
								context)))
				  : nobody(context, &o));
		NEED(waitpid(pid, &status, 0) == pid);
		CHECK(!status, "another user: status %#x", status);
		RETURNS(ibv_close_device(context), 0);
		/* What it has exported stays; it had the right to do it. */
		MORE_THAN(&base, 2, 1);
	}
	end_owner(&o);
	SAME_AS(&base);
}

/* ---- the owner is gone ---- */

static int leaver(void)
{
	struct owner o = make_owner();
	uint32_t handles[2] = { o.pd_handle, o.mr_handle };

	test_send(TEST_CHILD_SOCK, handles, sizeof(handles), &o.fd, 1);
	return 0;
}

/* Nobody owns the file any more; the one descriptor does all it ever did. */
static void owner_gone(void)
{
	struct test_counts base = test_count();
	struct test_process process = test_start("leaver");
	struct ibv_context *context = test_open(0);
	struct test_counts with;
	uint32_t handles[2];
	int fd;

	NEED(test_recv(process.sock, handles, sizeof(handles), &fd, 1));
	CHECK(!test_reap(&process), "the owner's status");
	MORE_THAN(&base, 1, 1);
	import_all(context, fd, handles[0], handles[1]);
	/* It holds memory and keys of a dead process, as long as it likes. */
	MORE_THAN(&base, 1, 1);
	RETURNS(ibv_withdraw(context, fd, UVERBS_OBJECT_MR, handles[1]), 0);
	MORE_THAN(&base, 1, 0);
	RETURNS(ibv_withdraw(context, fd, UVERBS_OBJECT_PD, handles[0]), 0);
	MORE_THAN(&base, 0, 0);
	with = test_count();
	CHECK(with.ctx == base.ctx + 2, "%ld contexts", with.ctx - base.ctx);
	close(fd);
	RETURNS(ibv_close_device(context), 0);
	SAME_AS(&base);
}

/* ---- withdrawal ---- */

static void withdrawal(void)
{
	struct test_counts base = test_count();
	struct owner o = make_owner();
	struct ibv_context *b = test_open(0), *foreign = test_open(1);
	struct ibv_pd *pd = ibv_import_pd(b, o.fd, o.pd_handle);
	struct ibv_mr *mr = ibv_import_mr(b, o.fd, o.mr_handle);
	int null = open("/dev/null", O_RDWR | O_CLOEXEC);

	NEED(pd && mr && null >= 0);

	/* The wrong file, the wrong type, the wrong handle: nothing happens. */
#define REFUSED(_context, _fd, _type, _handle, _err)                         \
	RETURNS(ibv_withdraw(_context, _fd, UVERBS_OBJECT_##_type, _handle), \
		_err)
	REFUSED(NULL, o.fd, PD, o.pd_handle, EINVAL);
	REFUSED(b, -1, PD, o.pd_handle, EBADF);
	REFUSED(b, null, PD, o.pd_handle, EINVAL);
	REFUSED(b, o.ex->async_fd, PD, o.pd_handle, EINVAL);
	REFUSED(b, ibv_context_to_fd(foreign), PD, o.pd_handle, EXDEV);
	REFUSED(foreign, o.fd, PD, o.pd_handle, EXDEV);
	REFUSED(b, o.fd, QP, o.pd_handle, EOPNOTSUPP);
	REFUSED(b, o.fd, PD, o.mr_handle, EINVAL);
	REFUSED(b, o.fd, MR, o.pd_handle, EINVAL);
	REFUSED(b, o.fd, MR, GUESSES, ENOENT);
	MORE_THAN(&base, 1, 1);

	/* From then on nobody can import; who has, keeps it. */
	RETURNS(ibv_withdraw(o.ex, o.fd, UVERBS_OBJECT_MR, o.mr_handle), 0);
	FAILS(ibv_import_mr(b, o.fd, o.mr_handle), ENOENT);
	RETURNS(ibv_withdraw(o.context, o.fd, UVERBS_OBJECT_PD, o.pd_handle),
		0);
	FAILS(ibv_import_pd(b, o.fd, o.pd_handle), ENOENT);
	REFUSED(o.ex, o.fd, PD, o.pd_handle, ENOENT);
#undef REFUSED
	end_owner(&o);
	MORE_THAN(&base, 1, 1);
	RETURNS(ibv_dereg_mr(mr), 0);
	RETURNS(ibv_dealloc_pd(pd), 0);
	MORE_THAN(&base, 0, 0);
	close(null);
	RETURNS(ibv_close_device(b), 0);
	RETURNS(ibv_close_device(foreign), 0);
	SAME_AS(&base);
}

/* The last alias takes the object with it; a used PD stays. */
static void withdrawal_of_the_last(void)
{
	struct test_counts base = test_count();
	struct owner o = make_owner();
	struct ibv_pd *pd;
	struct ibv_mr *mr;

	/* Something that was made in the export context itself */
	NEED(pd = ibv_import_pd(o.ex, o.fd, o.pd_handle));
	NEED(mr = ibv_reg_mr(pd, memory, SIZE, TEST_ACCESS));
	RETURNS(ibv_withdraw(o.ex, o.fd, UVERBS_OBJECT_PD, o.pd_handle), EBUSY);
	RETURNS(ibv_dereg_mr(mr), 0);
	RETURNS(ibv_dealloc_pd(pd), 0);

	RETURNS(ibv_dereg_mr(o.mr), 0);
	RETURNS(ibv_dealloc_pd(o.pd), 0);
	MORE_THAN(&base, 1, 1);
	RETURNS(ibv_withdraw(o.ex, o.fd, UVERBS_OBJECT_PD, o.pd_handle), 0);
	/* The MR is on it. */
	MORE_THAN(&base, 1, 1);
	RETURNS(ibv_withdraw(o.ex, o.fd, UVERBS_OBJECT_MR, o.mr_handle), 0);
	MORE_THAN(&base, 0, 0);
	RETURNS(ibv_close_device(o.context), 0);
	RETURNS(ibv_close_device(o.ex), 0);
	SAME_AS(&base);
}

/* ---- what a holder of the descriptor can do to others ---- */

/* It can empty the export context, and that is all: the owner goes on. */
static void export_context_emptied(void)
{
	struct test_counts base = test_count();
	struct owner o = make_owner();
	struct ibv_context *evil = test_open(0);
	struct test_end end;

	RETURNS(ibv_withdraw(evil, o.fd, UVERBS_OBJECT_PD, o.pd_handle), 0);
	RETURNS(ibv_withdraw(evil, o.fd, UVERBS_OBJECT_MR, o.mr_handle), 0);
	NEED(test_end_open(&end, o.pd, o.context));
	test_end_join(&end, &end);
	CHECK(write_by(&end, o.mr) == IBV_WC_SUCCESS, "the owner's own use");
	test_end_close(&end);
	RETURNS(ibv_close_device(evil), 0);
	end_owner(&o);
	SAME_AS(&base);
}

/*
 * With the descriptor of a working context it can destroy what is used there:
 * the reason not to hand that out.  The victim hears of it, and no more.
 */
static void working_context_given_away(void)
{
	struct test_counts base = test_count();
	struct owner o = make_owner();
	struct ibv_context *evil = test_open(0);
	int fd = ibv_context_to_fd(o.context);

	RETURNS(ibv_withdraw(evil, fd, UVERBS_OBJECT_MR, o.mr->handle), 0);
	RETURNS(ibv_dereg_mr(o.mr), ENOENT);
	RETURNS(ibv_withdraw(evil, fd, UVERBS_OBJECT_PD, o.pd->handle), 0);
	RETURNS(ibv_dealloc_pd(o.pd), ENOENT);
	/* What was exported is still there. */
	MORE_THAN(&base, 1, 1);
	import_all(evil, o.fd, o.pd_handle, o.mr_handle);
	RETURNS(ibv_close_device(evil), 0);
	RETURNS(ibv_close_device(o.context), 0);
	RETURNS(ibv_close_device(o.ex), 0);
	SAME_AS(&base);
}

/* ---- descriptors that close, or become another file, in the middle ---- */

#define ROUNDS 400
#define FILLED 16

static struct {
	struct owner o;
	struct ibv_context *b;
	int number; /* the descriptor that comes and goes */
	bool stop;
} race;

static bool over(void)
{
	return __atomic_load_n(&race.stop, __ATOMIC_RELAXED);
}

/*
 * That number is by turns the export context, /dev/null, the file of a context
 * that is being opened and closed, and nothing.
 */
static void *change_descriptor(void *arg)
{
	int null = open("/dev/null", O_RDWR | O_CLOEXEC);
	struct ibv_context *context;

	while (!over()) {
		dup3(race.o.fd, race.number, O_CLOEXEC);
		sched_yield();
		close(race.number);
		dup3(null, race.number, O_CLOEXEC);
		context = ibv_open_device(race.b->device);
		if (context) {
			dup3(ibv_context_to_fd(context), race.number,
			     O_CLOEXEC);
			ibv_close_device(context);
		}
		close(race.number);
		sched_yield();
	}
	close(null);
	return arg;
}

static bool documented(int err)
{
	switch (err) {
	case EBADF:
	case EINVAL:
	case ENOENT:
	case EBUSY:
	case EIO:
		return true;
	}
	return false;
}

static void changing_descriptor(void)
{
	struct test_counts base = test_count();
	int i, fds, worked = 0, failed = 0, err;
	pthread_t thread;
	struct ibv_pd *pd;
	struct ibv_mr *mr;
	uint32_t handle;

	race.o = make_owner();
	for (i = 0; i < FILLED; i++)
		NEED(!ibv_export_pd(race.o.pd, race.o.fd, &handle));
	race.b = test_open(0);
	fds = test_open_fds();
	NEED((race.number = fcntl(0, F_DUPFD_CLOEXEC, 200)) >= 0);
	close(race.number);
	NEED(!pthread_create(&thread, NULL, change_descriptor, NULL));
	for (i = 0; i < ROUNDS || (i < 100 * ROUNDS && (!worked || !failed));
	     i++) {
		pd = ibv_import_pd(race.b, race.number, race.o.pd_handle);
		CHECK(pd || documented(errno), "import of the PD: %s",
		      strerror(errno));
		mr = ibv_import_mr(race.b, race.number, race.o.mr_handle);
		CHECK(mr || documented(errno), "import of the MR: %s",
		      strerror(errno));
		if (mr)
			RETURNS(ibv_dereg_mr(mr), 0);
		if (pd)
			RETURNS(ibv_dealloc_pd(pd), 0);
		err = ibv_export_pd(race.o.pd, race.number, &handle);
		CHECK(!err || documented(err), "export: %s", strerror(err));
		/*
		 * Into ex, where the low numbers are taken, or into that
		 * short-lived context.
		 */
		if (!err && handle >= FILLED)
			ibv_withdraw(race.b, race.o.fd, UVERBS_OBJECT_PD,
				     handle);
		worked += pd || mr || !err;
		failed += !pd || !mr || err;
	}
	__atomic_store_n(&race.stop, true, __ATOMIC_RELAXED);
	NEED(!pthread_join(thread, NULL));
	CHECK(worked && failed, "%d worked, %d failed: no race", worked,
	      failed);
	CHECK(test_open_fds() == fds, "descriptors left open");
	RETURNS(ibv_close_device(race.b), 0);
	end_owner(&race.o);
	SAME_AS(&base);
}

/* ---- ibv_share_pingpong: an owner that sends something else ---- */

static const char *program;

/* The program's status and what it says, with this as its standard output */
static int run_worker(const char *path, int listener,
		      const struct pp_offer *offer, const int fds[2],
		      char *output, size_t room)
{
	union {
		char buf[CMSG_SPACE(2 * sizeof(int))];
		struct cmsghdr align;
	} control = { .buf = { 0 } };
	struct iovec iov = { (void *)offer, sizeof(*offer) };
	struct msghdr msg = { .msg_iov = &iov,
			      .msg_iovlen = 1,
			      .msg_control = control.buf,
			      .msg_controllen = sizeof(control.buf) };
	struct cmsghdr *cmsg = CMSG_FIRSTHDR(&msg);
	size_t used = 0;
	int out[2], sock, status;
	ssize_t n;
	pid_t pid;

	NEED(!pipe2(out, O_CLOEXEC));
	fflush(NULL);
	pid = fork();
	NEED(pid >= 0);
	if (!pid) {
		dup2(out[1], 1);
		dup2(out[1], 2);
		execl(program, program, "--worker", "-d", "rxe0", "-g", "1",
		      "-S", path, "-p", "1", "-s", "4096", "localhost", NULL);
		_exit(127);
	}
	close(out[1]);
	NEED((sock = accept4(listener, NULL, NULL, SOCK_CLOEXEC)) >= 0);
	cmsg->cmsg_level = SOL_SOCKET;
	cmsg->cmsg_type = SCM_RIGHTS;
	cmsg->cmsg_len = CMSG_LEN(2 * sizeof(int));
	memcpy(CMSG_DATA(cmsg), fds, 2 * sizeof(int));
	NEED(sendmsg(sock, &msg, MSG_NOSIGNAL) == sizeof(*offer));
	while ((n = read(out[0], output + used, room - 1 - used)) > 0)
		used += n;
	output[used] = '\0';
	close(out[0]);
	NEED(waitpid(pid, &status, 0) == pid);
	close(sock);
	return status;
}

static void garbage(void)
{
	struct test_counts base = test_count();
	struct sockaddr_un addr = { .sun_family = AF_UNIX };
	int listener = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
	struct ibv_context *other = test_open(1);
	struct owner o = make_owner();
	struct pp_offer offer = {
		.magic = PP_OFFER_MAGIC,
		.version = PP_VERSION,
		.slots = 1,
		.pd_handle = o.pd_handle,
		.mr_handle = o.mr_handle,
		.region = SIZE,
	};
	int null = open("/dev/null", O_RDWR | O_CLOEXEC);
	int memfd = memfd_create("trust", MFD_CLOEXEC | MFD_ALLOW_SEALING);
	int node = -1, pipes[2];
	char path[128];
	size_t i;

	NEED(listener >= 0 && null >= 0 && memfd >= 0 && !pipe(pipes));
	NEED(!ftruncate(memfd, SIZE) &&
	     !fcntl(memfd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW));
	/* Opened like a context's file, but without a context in it */
	snprintf(path, sizeof(path), "/dev/infiniband/%s",
		 o.context->device->dev_name);
	NEED((node = open(path, O_RDWR | O_CLOEXEC)) >= 0);
	snprintf(addr.sun_path, sizeof(addr.sun_path), "/tmp/trust.socket");
	unlink(addr.sun_path);
	NEED(!bind(listener, (struct sockaddr *)&addr, sizeof(addr)) &&
	     !listen(listener, 4));

	const struct {
		int fd;
		uint32_t pd_handle, mr_handle;
		const char *says;
	} offers[] = {
		{ null, 0, 0, "cannot import the PD: Invalid argument" },
		{ listener, 0, 0, "cannot import the PD: Invalid argument" },
		{ pipes[0], 0, 0, "cannot import the PD: Invalid argument" },
		{ memfd, 0, 0, "cannot import the PD: Invalid argument" },
		{ node, 0, 0, "cannot import the PD: Invalid argument" },
		{ o.ex->async_fd, 0, 0,
		  "cannot import the PD: Invalid argument" },
		{ ibv_context_to_fd(other), 0, 0,
		  "cannot import the PD: Invalid cross-device link" },
		{ o.fd, o.mr_handle, o.mr_handle,
		  "cannot import the PD: Invalid argument" },
		{ o.fd, GUESSES, o.mr_handle,
		  "cannot import the PD: No such file" },
		{ o.fd, o.pd_handle, o.pd_handle,
		  "cannot import the MR: Invalid argument" },
		{ o.fd, o.pd_handle, GUESSES,
		  "cannot import the MR: No such file" },
		/* All is well, but nobody listens on that port. */
		{ o.fd, o.pd_handle, o.mr_handle, "cannot connect to peer" },
	};
	for (i = 0; i < sizeof(offers) / sizeof(offers[0]); i++) {
		const int fds[2] = { [PP_OFFER_CONTEXT] = offers[i].fd,
				     [PP_OFFER_MEMORY] = memfd };
		char output[4096];
		int status;

		offer.pd_handle = offers[i].pd_handle;
		offer.mr_handle = offers[i].mr_handle;
		status = run_worker(addr.sun_path, listener, &offer, fds,
				    output, sizeof(output));
		CHECK(status == 1 << 8, "offer %zu: status %#x", i, status);
		CHECK(strstr(output, offers[i].says),
		      "offer %zu: \"%s\" does not say \"%s\"", i, output,
		      offers[i].says);
		MORE_THAN(&base, 1, 1);
	}
	close(null);
	close(memfd);
	close(node);
	close(pipes[0]);
	close(pipes[1]);
	close(listener);
	unlink(addr.sun_path);
	RETURNS(ibv_close_device(other), 0);
	end_owner(&o);
	SAME_AS(&base);
}

int main(int argc, char *argv[])
{
	static char path[4096];

	memory = test_memory(SIZE);
	if (argc > 1 && !strcmp(argv[1], "stranger"))
		return stranger();
	if (argc > 1 && !strcmp(argv[1], "leaver"))
		return leaver();
	NEED(getenv("VM_BUILD"));
	snprintf(path, sizeof(path), "%s/bin/ibv_share_pingpong",
		 getenv("VM_BUILD"));
	program = path;
	guessing();
	keys();
	other_users();
	owner_gone();
	withdrawal();
	withdrawal_of_the_last();
	export_context_emptied();
	working_context_given_away();
	changing_descriptor();
	/* The example is the same with every provider. */
	if (test_has_import_ops())
		garbage();
	return test_end();
}
