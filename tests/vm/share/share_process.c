// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * Processes that are started by exec, not by fork alone, and that pass each
 * other descriptors.
 */
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>

#include "share_test.h"

#define MAX_FDS 4
#define LIMIT_MS 30000

struct test_process test_start_by(const char *plugin, const char *how,
				  const char *role)
{
	pid_t parent = getpid();
	struct test_process process;
	char self[4096];
	ssize_t n;
	int sv[2];

	/* Not by that name itself: under valgrind it would be valgrind. */
	n = readlink("/proc/self/exe", self, sizeof(self) - 1);
	NEED(n > 0);
	self[n] = '\0';
	NEED(!socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, sv));
	fflush(NULL);
	process.pid = fork();
	NEED(process.pid >= 0);
	if (!process.pid) {
		if (prctl(PR_SET_PDEATHSIG, SIGKILL) || getppid() != parent)
			_exit(127);
		if (sv[1] == TEST_CHILD_SOCK)
			fcntl(sv[1], F_SETFD, 0);
		else if (dup2(sv[1], TEST_CHILD_SOCK) < 0)
			_exit(127);
		if (plugin && (setenv("RDMAV_DRIVERS", plugin, 1) ||
			       setenv("SHARE_PROVIDER", how, 1)))
			_exit(127);
		execl(self, "share-test", role, NULL);
		_exit(127);
	}
	close(sv[1]);
	process.sock = sv[0];
	return process;
}

struct test_process test_start(const char *role)
{
	return test_start_by(NULL, NULL, role);
}

int test_reap(struct test_process *process)
{
	/* No events but the hang-up: the process has closed its end. */
	struct pollfd pfd = { .fd = process->sock };
	int status;

	if (poll(&pfd, 1, LIMIT_MS) != 1) {
		kill(process->pid, SIGKILL);
		FATAL("process %d does not end", process->pid);
	}
	NEED(waitpid(process->pid, &status, 0) == process->pid);
	close(process->sock);
	return status;
}

void test_send(int sock, const void *data, size_t length, const int *fds,
	       int count)
{
	union {
		char buf[CMSG_SPACE(MAX_FDS * sizeof(int))];
		struct cmsghdr align;
	} control = { .buf = { 0 } };
	struct iovec iov = { (void *)data, length };
	struct msghdr msg = { .msg_iov = &iov, .msg_iovlen = 1 };
	struct cmsghdr *cmsg;

	if (count) {
		msg.msg_control = control.buf;
		msg.msg_controllen = CMSG_SPACE(count * sizeof(int));
		cmsg = CMSG_FIRSTHDR(&msg);
		cmsg->cmsg_level = SOL_SOCKET;
		cmsg->cmsg_type = SCM_RIGHTS;
		cmsg->cmsg_len = CMSG_LEN(count * sizeof(int));
		memcpy(CMSG_DATA(cmsg), fds, count * sizeof(int));
	}
	NEED(sendmsg(sock, &msg, MSG_NOSIGNAL) == (ssize_t)length);
}

bool test_recv(int sock, void *data, size_t length, int *fds, int count)
{
	union {
		char buf[CMSG_SPACE(MAX_FDS * sizeof(int))];
		struct cmsghdr align;
	} control;
	struct iovec iov = { data, length };
	struct msghdr msg = { .msg_iov = &iov,
			      .msg_iovlen = 1,
			      .msg_control = control.buf,
			      .msg_controllen = sizeof(control.buf) };
	struct pollfd pfd = { .fd = sock, .events = POLLIN };
	struct cmsghdr *cmsg;
	ssize_t n;

	if (poll(&pfd, 1, LIMIT_MS) != 1)
		FATAL("no message from the other process");
	n = recvmsg(sock, &msg, MSG_CMSG_CLOEXEC);
	if (!n)
		return false;
	if (n != (ssize_t)length || msg.msg_flags & (MSG_TRUNC | MSG_CTRUNC))
		FATAL("a message of %zd bytes instead of %zu", n, length);
	cmsg = CMSG_FIRSTHDR(&msg);
	if (count) {
		if (!cmsg || cmsg->cmsg_type != SCM_RIGHTS ||
		    cmsg->cmsg_len != CMSG_LEN(count * sizeof(int)))
			FATAL("a message without its descriptors");
		memcpy(fds, CMSG_DATA(cmsg), count * sizeof(int));
	} else if (cmsg) {
		FATAL("a message with descriptors");
	}
	return true;
}
