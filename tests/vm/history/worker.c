// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* The processes: see worker.h. */
#include <err.h>
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "worker.h"

#define LIMIT_MS 30000

static struct ibv_device *device;
static int heir; /* descriptor of a program */

/* ---- messages, with at most one descriptor ---- */

static void send_message(int sock, const void *data, size_t length, int fd)
{
	union {
		char buf[CMSG_SPACE(sizeof(int))];
		struct cmsghdr align;
	} control = { .buf = { 0 } };
	struct iovec iov = { (void *)data, length };
	struct msghdr msg = { .msg_iov = &iov, .msg_iovlen = 1 };
	struct cmsghdr *cmsg;

	if (fd >= 0) {
		msg.msg_control = control.buf;
		msg.msg_controllen = sizeof(control.buf);
		cmsg = CMSG_FIRSTHDR(&msg);
		cmsg->cmsg_level = SOL_SOCKET;
		cmsg->cmsg_type = SCM_RIGHTS;
		cmsg->cmsg_len = CMSG_LEN(sizeof(fd));
		memcpy(CMSG_DATA(cmsg), &fd, sizeof(fd));
	}
	if (sendmsg(sock, &msg, MSG_NOSIGNAL) != (ssize_t)length)
		err(1, "cannot send");
}

/* false: the other end is closed.  *fd: what came, or -1 */
static bool receive_message(int sock, void *data, size_t length, int *fd)
{
	union {
		char buf[CMSG_SPACE(sizeof(int))];
		struct cmsghdr align;
	} control;
	struct iovec iov = { data, length };
	struct msghdr msg = { .msg_iov = &iov,
			      .msg_iovlen = 1,
			      .msg_control = control.buf,
			      .msg_controllen = sizeof(control.buf) };
	struct cmsghdr *cmsg;
	ssize_t n = recvmsg(sock, &msg, MSG_CMSG_CLOEXEC);

	if (!n)
		return false;
	if (n != (ssize_t)length)
		err(1, "a message of %zd bytes instead of %zu", n, length);
	cmsg = CMSG_FIRSTHDR(&msg);
	*fd = -1;
	if (cmsg && cmsg->cmsg_type == SCM_RIGHTS)
		memcpy(fd, CMSG_DATA(cmsg), sizeof(*fd));
	return true;
}

/* ---- in a process ---- */

struct mine {
	struct ibv_context *context;
	int fd; /* that was sent, or -1 */
	struct ibv_pd *pd;
	struct ibv_mr *mr[OBJECTS];
	enum creation kind;
	struct ibv_cq *cq;
	struct ibv_qp *qp;
	struct ibv_srq *srq;
	struct ibv_ah *ah;
	struct ibv_mw *mw;
};

static struct mine mine[FILES];
static char memory[MR_LENGTH(OBJECTS)] __attribute__((aligned(4096)));

/* Is memory of a queue mapped that nothing can unmap any more? */
static bool still_mapped;

static void forget(struct mine *m)
{
	if (m->qp || m->srq)
		still_mapped = true;
	*m = (struct mine){ .fd = m->fd };
}

static int fd_of(int file)
{
	return mine[file].context ? (int)ibv_context_to_fd(mine[file].context)
				  : mine[file].fd;
}

/* Some context, for ibv_withdraw() and for the look afterwards */
static struct ibv_context *any_context(void)
{
	for (int f = 0; f < FILES; f++)
		if (mine[f].context)
			return mine[f].context;
	return NULL;
}

static int pointer_result(const void *pointer)
{
	if (pointer)
		return 0;
	return errno ? errno : -1;
}

static void tell_mr(const struct ibv_mr *mr, struct answer *answer)
{
	if (!mr)
		return;
	answer->handle = ibv_mr_to_handle((struct ibv_mr *)mr);
	answer->lkey = mr->lkey;
	answer->rkey = mr->rkey;
	answer->length = mr->length;
}

static void make(struct mine *m, enum object o, struct answer *answer)
{
	errno = 0;
	if (o == PD) {
		m->pd = ibv_alloc_pd(m->context);
		answer->result = pointer_result(m->pd);
		if (m->pd)
			answer->handle = ibv_pd_to_handle(m->pd);
	} else {
		m->mr[o] = ibv_reg_mr(m->pd, memory, MR_LENGTH(o),
				      IBV_ACCESS_LOCAL_WRITE |
					      IBV_ACCESS_REMOTE_READ);
		answer->result = pointer_result(m->mr[o]);
		tell_mr(m->mr[o], answer);
	}
}

static void import(struct mine *m, const struct order *order,
		   struct answer *answer)
{
	enum object o = order->step.object;
	int fd = fd_of(order->step.to);

	errno = 0;
	if (o == PD) {
		m->pd = ibv_import_pd(m->context, fd, order->handle);
		answer->result = pointer_result(m->pd);
		if (m->pd)
			answer->handle = ibv_pd_to_handle(m->pd);
	} else {
		struct ibv_mr *mr =
			ibv_import_mr(m->context, fd, order->handle);

		answer->result = pointer_result(mr);
		tell_mr(mr, answer);
		m->mr[o] = mr;
		answer->own_pd = mr && mr->pd && mr->pd == m->pd;
		answer->no_pd = mr && !mr->pd;
	}
}

static int export(struct mine *m, const struct step *step, uint32_t *handle)
{
	int fd = fd_of(step->to);

	if (step->object == PD)
		return ibv_export_pd(m->pd, fd, handle);
	return ibv_export_mr(m->mr[step->object], fd, handle);
}

static struct ibv_qp *create_qp(struct mine *m)
{
	struct ibv_qp_init_attr attr = {
		.cap = { .max_send_wr = 1,
			 .max_recv_wr = 1,
			 .max_send_sge = 1,
			 .max_recv_sge = 1 },
		.qp_type = IBV_QPT_RC,
	};

	m->cq = ibv_create_cq(m->context, 2, NULL, NULL, 0);
	if (!m->cq)
		return NULL;
	attr.send_cq = attr.recv_cq = m->cq;
	return ibv_create_qp(m->pd, &attr);
}

static struct ibv_ah *create_ah(struct mine *m)
{
	struct ibv_ah_attr attr = {
		.is_global = 1,
		.port_num = 1,
		.grh = { .hop_limit = 1, .sgid_index = 1 },
	};

	if (ibv_query_gid(m->context, 1, 1, &attr.grh.dgid))
		return NULL;
	return ibv_create_ah(m->pd, &attr);
}

static int create(struct mine *m, enum creation kind)
{
	struct ibv_srq_init_attr srq = { .attr = { .max_wr = 1,
						   .max_sge = 1 } };

	m->kind = kind;
	errno = 0;
	switch (kind) {
	case CREATE_QP:
		return pointer_result(m->qp = create_qp(m));
	case CREATE_SRQ:
		return pointer_result(m->srq = ibv_create_srq(m->pd, &srq));
	case CREATE_AH:
		return pointer_result(m->ah = create_ah(m));
	case CREATE_MW:
		return pointer_result(
			m->mw = ibv_alloc_mw(m->pd, IBV_MW_TYPE_1));
	case NOTHING:
		break;
	}
	return EINVAL;
}

static int destroy(struct mine *m)
{
	int ret;

	switch (m->kind) {
	case CREATE_QP:
		ret = ibv_destroy_qp(m->qp);
		m->qp = NULL;
		return ret ? ret : ibv_destroy_cq(m->cq);
	case CREATE_SRQ:
		ret = ibv_destroy_srq(m->srq);
		m->srq = NULL;
		return ret;
	case CREATE_AH:
		return ibv_destroy_ah(m->ah);
	case CREATE_MW:
		return ibv_dealloc_mw(m->mw);
	case NOTHING:
		break;
	}
	return EINVAL;
}

/* Nothing must be found under a handle that was just destroyed. */
static int look(enum object o, int fd, uint32_t handle)
{
	struct ibv_context *context = any_context();

	errno = 0;
	if (o == PD)
		return pointer_result(ibv_import_pd(context, fd, handle));
	return pointer_result(ibv_import_mr(context, fd, handle));
}

static void free_own(struct mine *m, enum object o, struct answer *answer)
{
	uint32_t handle;

	if (o == PD) {
		handle = ibv_pd_to_handle(m->pd);
		answer->result = ibv_dealloc_pd(m->pd);
	} else {
		handle = ibv_mr_to_handle(m->mr[o]);
		answer->result = ibv_dereg_mr(m->mr[o]);
	}
	if (!answer->result)
		answer->after = look(o, ibv_context_to_fd(m->context), handle);
}

static void withdraw(const struct order *order, struct answer *answer)
{
	enum object o = order->step.object;
	int fd = fd_of(order->step.file);

	answer->result =
		ibv_withdraw(any_context(), fd,
			     o == PD ? UVERBS_OBJECT_PD : UVERBS_OBJECT_MR,
			     order->handle);
	if (!answer->result)
		answer->after = look(o, fd, order->handle);
}

static void clear(void)
{
	for (int f = 0; f < FILES; f++) {
		if ((mine[f].qp || mine[f].srq) && destroy(&mine[f]))
			errx(1, "cannot destroy");
		if (mine[f].context && ibv_close_device(mine[f].context))
			err(1, "cannot close");
		forget(&mine[f]);
		if (mine[f].fd >= 0)
			close(mine[f].fd);
		mine[f].fd = -1;
	}
}

/* Nothing but this copy of the socket is to stay open. */
static void become_heir(int sock)
{
	char number[16];

	snprintf(number, sizeof(number), "%d", dup(sock));
	fexecve(heir, (char *[]){ "history_heir", number, NULL }, environ);
	err(1, "exec");
}

/* The descriptor to send along, or -1 */
static int do_step(const struct order *order, int sock, struct answer *answer)
{
	const struct step *step = &order->step;
	struct mine *m = &mine[step->file];

	switch (step->kind) {
	case OPEN:
		errno = 0;
		m->context = ibv_open_device(device);
		answer->result = pointer_result(m->context);
		break;
	case CLOSE:
		answer->result = ibv_close_device(m->context);
		forget(m);
		break;
	case SEND:
		return fd_of(step->file);
	case DROP:
		answer->result = close(m->fd) ? errno : 0;
		m->fd = -1;
		break;
	case MAKE:
		make(m, step->object, answer);
		break;
	case EXPORT:
		answer->result = export(m, step, &answer->handle);
		break;
	case IMPORT:
		import(m, order, answer);
		break;
	case CREATE:
	case CREATE_QUEUE:
		answer->result = create(m, order->creation);
		break;
	case DESTROY:
		answer->result = destroy(m);
		break;
	case FREE:
		free_own(m, step->object, answer);
		break;
	case WITHDRAW:
		withdraw(order, answer);
		break;
	case EXIT:
		exit(0);
	case EXEC:
		become_heir(sock);
		break;
	case KILL:
	case KINDS:
		break;
	}
	return -1;
}

static void serve(int sock)
{
	struct order order;
	int fd;

	while (receive_message(sock, &order, sizeof(order), &fd)) {
		struct answer answer = { .after = -1 };
		int sent = -1;

		switch (order.what) {
		case STEP:
			sent = do_step(&order, sock, &answer);
			break;
		case RECEIVE:
			mine[order.step.file].fd = fd;
			break;
		case CLEAR:
			clear();
			answer.result = still_mapped ? EBUSY : 0;
			break;
		}
		send_message(sock, &answer, sizeof(answer), sent);
	}
}

/* ---- in the main process ---- */

struct worker {
	pid_t pid; /* 0: none */
	int sock;
};

static struct worker workers[PROCESSES];
/* What they have become by exec: it lives until its socket is closed. */
static struct worker heirs[PROCESSES];

void workers_start(struct ibv_device *which, int heir_fd)
{
	device = which;
	heir = heir_fd;
}

static void start(struct worker *w)
{
	pid_t parent = getpid();
	int sv[2];

	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, sv))
		err(1, "socketpair");
	fflush(NULL);
	w->pid = fork();
	if (w->pid < 0)
		err(1, "fork");
	if (!w->pid) {
		if (prctl(PR_SET_PDEATHSIG, SIGKILL) || getppid() != parent)
			_exit(127);
		close(sv[0]);
		for (int p = 0; p < PROCESSES; p++) {
			if (&workers[p] != w && workers[p].pid)
				close(workers[p].sock);
			if (heirs[p].pid)
				close(heirs[p].sock);
		}
		for (int f = 0; f < FILES; f++)
			mine[f].fd = -1;
		serve(sv[1]);
		_exit(0);
	}
	close(sv[1]);
	w->sock = sv[0];
}

static struct worker *get(int process)
{
	if (!workers[process].pid)
		start(&workers[process]);
	return &workers[process];
}

static struct answer get_answer(struct worker *w, int *fd)
{
	struct pollfd pfd = { .fd = w->sock, .events = POLLIN };
	struct answer answer;

	if (poll(&pfd, 1, LIMIT_MS) != 1)
		errx(1, "process %d does not answer", w->pid);
	if (!receive_message(w->sock, &answer, sizeof(answer), fd)) {
		int status = 0;

		waitpid(w->pid, &status, 0);
		errx(1, "a process has died: status %#x", status);
	}
	return answer;
}

static void reap(struct worker *w, int wanted)
{
	int status;

	close(w->sock);
	if (waitpid(w->pid, &status, 0) != w->pid || status != wanted)
		errx(1, "a process ends with status %#x instead of %#x", status,
		     wanted);
	w->pid = 0;
}

static void kill_worker(struct worker *w)
{
	kill(w->pid, SIGKILL);
	reap(w, SIGKILL);
}

static void end_heirs(void)
{
	for (int p = 0; p < PROCESSES; p++)
		if (heirs[p].pid)
			reap(&heirs[p], 0);
}

static void end(const struct order *order, struct worker *w)
{
	struct worker *h = &heirs[w - workers];
	char here;

	switch (order->step.kind) {
	case KILL:
		kill_worker(w);
		break;
	case EXIT:
		send_message(w->sock, order, sizeof(*order), -1);
		/* It closes its end when all else is done, or before. */
		if (recv(w->sock, &here, 1, 0))
			errx(1, "a process does not exit");
		reap(w, 0);
		break;
	default:
		send_message(w->sock, order, sizeof(*order), -1);
		if (recv(w->sock, &here, 1, 0) != 1)
			errx(1, "exec has failed");
		if (h->pid)
			reap(h, 0);
		*h = *w;
		w->pid = 0;
	}
}

struct answer worker_do(const struct order *order)
{
	struct worker *w = get(order->step.process), *to;
	struct answer answer = { .after = -1 };
	struct order receive = *order;
	int fd;

	if (order->step.kind >= EXIT) {
		end(order, w);
		return answer;
	}
	/* Before there is a descriptor here that it would inherit */
	to = order->step.kind == SEND ? get(order->step.to) : NULL;
	send_message(w->sock, order, sizeof(*order), -1);
	answer = get_answer(w, &fd);
	if (!to)
		return answer;

	if (fd < 0)
		errx(1, "no descriptor came");
	receive.what = RECEIVE;
	send_message(to->sock, &receive, sizeof(receive), fd);
	close(fd);
	return get_answer(to, &fd);
}

void workers_clear(void)
{
	const struct order order = { .what = CLEAR };
	int fd;

	for (int p = 0; p < PROCESSES; p++)
		if (workers[p].pid)
			send_message(workers[p].sock, &order, sizeof(order),
				     -1);
	for (int p = 0; p < PROCESSES; p++)
		if (workers[p].pid && get_answer(&workers[p], &fd).result)
			kill_worker(&workers[p]);
	end_heirs();
}

void workers_kill(void)
{
	for (int p = 0; p < PROCESSES; p++)
		if (workers[p].pid)
			kill_worker(&workers[p]);
	end_heirs();
}
