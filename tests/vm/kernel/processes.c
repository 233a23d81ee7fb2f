// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * Two programs: one registers memory and exports it into a file whose descriptor
 * it sends, then goes, in one of several ways; the other imports from there and
 * moves data by the keys, before and after.
 *
 *	usage: processes [rounds]
 */
#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "command.h"
#include "rdma.h"

enum end {
	END_CLEAN,	  /* frees everything */
	END_EXIT,	  /* frees nothing */
	END_KILLED,	  /* in the middle of the traffic */
	END_KILLED_EARLY, /* anywhere */
	ENDS
};

#define SIZE (1 << 20)

struct message {
	uint32_t pd, mr, lkey, rkey;
};

static void send_message(int sock, const struct message *message,
			 const int fds[2])
{
	char control[CMSG_SPACE(2 * sizeof(int))] = {};
	struct iovec data = { (void *)message, sizeof(*message) };
	struct msghdr msg = { .msg_iov = &data,
			      .msg_iovlen = 1,
			      .msg_control = control,
			      .msg_controllen = sizeof(control) };
	struct cmsghdr *head = CMSG_FIRSTHDR(&msg);

	head->cmsg_level = SOL_SOCKET;
	head->cmsg_type = SCM_RIGHTS;
	head->cmsg_len = CMSG_LEN(2 * sizeof(int));
	memcpy(CMSG_DATA(head), fds, 2 * sizeof(int));
	NEED(sendmsg(sock, &msg, 0) == sizeof(*message));
}

/* False when the sender went without a word */
static bool receive_message(int sock, struct message *message, int fds[2])
{
	char control[CMSG_SPACE(2 * sizeof(int))] = {};
	struct iovec data = { message, sizeof(*message) };
	struct msghdr msg = { .msg_iov = &data,
			      .msg_iovlen = 1,
			      .msg_control = control,
			      .msg_controllen = sizeof(control) };
	ssize_t n = recvmsg(sock, &msg, 0);
	struct cmsghdr *head = CMSG_FIRSTHDR(&msg);

	if (!n)
		return false;
	NEED(n == sizeof(*message) && head &&
	     head->cmsg_len == CMSG_LEN(2 * sizeof(int)));
	memcpy(fds, CMSG_DATA(head), 2 * sizeof(int));
	return true;
}

static char *map(int fd)
{
	char *mem = mmap(NULL, SIZE, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);

	NEED(mem != MAP_FAILED);
	return mem;
}

static int exporter(int sock, enum end end)
{
	struct ibv_context *context = open_rxe(), *shared = open_rxe();
	int memory = memfd_create("shared", 0);
	struct message message;
	struct ibv_pd *pd;
	struct ibv_mr *mr;
	char go;

	NEED(memory >= 0 && !ftruncate(memory, SIZE));
	NEED((pd = ibv_alloc_pd(context)));
	NEED((mr = ibv_reg_mr(pd, map(memory), SIZE,
			      IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_READ |
				      IBV_ACCESS_REMOTE_WRITE)));
	message.lkey = mr->lkey;
	message.rkey = mr->rkey;
	IS(export_pd(context->cmd_fd, pd->handle, shared->cmd_fd, &message.pd),
	   0);
	IS(export_mr(context->cmd_fd, mr->handle, shared->cmd_fd, &message.mr),
	   0);
	send_message(sock, &message, (int[]){ shared->cmd_fd, memory });
	if (failures)
		return 1;
	switch (end) {
	case END_CLEAN:
		IS(ibv_dereg_mr(mr), 0);
		IS(ibv_dealloc_pd(pd), 0);
		IS(ibv_close_device(context), 0);
		IS(ibv_close_device(shared), 0);
		break;
	case END_EXIT:
		_exit(0);
	case END_KILLED:
		NEED(read(sock, &go, 1) == 1);
		kill(getpid(), SIGKILL);
		break;
	default:
		for (;;)
			pause();
	}
	return failures != 0;
}

static int importer(int sock, enum end end)
{
	struct message message;
	struct region mr;
	struct pair pair;
	struct ibv_pd pd;
	int fds[2];
	char *mem;

	/* Killed before it had sent anything */
	if (!receive_message(sock, &message, fds))
		return end == END_KILLED_EARLY ? 0 : 1;
	mem = map(fds[1]);
	pd.context = open_rxe();
	IS(import_pd(pd.context->cmd_fd, fds[0], message.pd, &pd.handle), 0);
	IS(import_mr(pd.context->cmd_fd, fds[0], message.mr, &mr), 0);
	CHECK(mr.has_pd && mr.pd == pd.handle, "%d %u", mr.has_pd, mr.pd);
	CHECK(mr.lkey == message.lkey && mr.rkey == message.rkey &&
		      mr.length == SIZE,
	      "%x %x %lu", mr.lkey, mr.rkey, mr.length);
	close(fds[0]);
	close(fds[1]);
	if (failures)
		return 1;
	make_pair(pd.context, &pd, &pair);
	for (int i = 0; i < 12 && !failures; i++) {
		if (i == 4 && end == END_KILLED)
			NEED(write(sock, "x", 1) == 1);
		if (i == 6)
			usleep(20000);
		memset(mem, i + 1, 8192);
		IS(rdma(&pair, IBV_WR_RDMA_WRITE, mr.iova, mr.lkey,
			mr.iova + 65536, mr.rkey, 8192),
		   IBV_WC_SUCCESS);
		CHECK(mem[65536] == i + 1 && mem[65536 + 8191] == i + 1,
		      "write %d: %d %d", i, mem[65536], mem[65536 + 8191]);
		memset(mem, i + 101, 8192);
		IS(rdma(&pair, IBV_WR_RDMA_READ, mr.iova + 131072, mr.lkey,
			mr.iova, mr.rkey, 8192),
		   IBV_WC_SUCCESS);
		CHECK(mem[131072] == i + 101 && mem[131072 + 8191] == i + 101,
		      "read %d: %d %d", i, mem[131072], mem[131072 + 8191]);
	}
	if (end % 2) {
		IS(dealloc_pd(pd.context->cmd_fd, pd.handle), EBUSY);
		destroy_pair(&pair);
		IS(dealloc_pd(pd.context->cmd_fd, pd.handle), 0);
		IS(dereg_mr(pd.context->cmd_fd, mr.handle), 0);
		IS(ibv_close_device(pd.context), 0);
	}
	return failures != 0;
}

static pid_t start(const char *role, int sock, int other, enum end end)
{
	char args[2][16];
	pid_t pid;

	fflush(stdout);
	pid = fork();
	NEED(pid >= 0);
	if (pid)
		return pid;
	close(other);
	snprintf(args[0], sizeof(args[0]), "%d", sock);
	snprintf(args[1], sizeof(args[1]), "%d", end);
	execl("/proc/self/exe", "processes", role, args[0], args[1], NULL);
	_exit(127);
}

/*
 * What there is of rxe0 for processes, dead ones as well: all but what the kernel
 * made for itself
 */
static int kernel_count(const char *type)
{
	char command[128];
	FILE *pipe;
	int n = -1;

	snprintf(command, sizeof(command),
		 "rdma resource show %s dev rxe0 | grep -vc 'comm .ib_core.'",
		 type);
	pipe = popen(command, "r");
	NEED(pipe && fscanf(pipe, "%d", &n) == 1);
	pclose(pipe);
	return n;
}

int main(int argc, char **argv)
{
	int rounds = 8;

	select_device("rxe0", RDMA_DRIVER_RXE);
	if (argc == 4) {
		int sock = atoi(argv[2]);
		enum end end = atoi(argv[3]);

		return !strcmp(argv[1], "exporter") ? exporter(sock, end)
						    : importer(sock, end);
	}
	if (argc == 2)
		rounds = atoi(argv[1]);
	srand(1);
	for (int i = 0; i < rounds; i++) {
		enum end end = i % ENDS;
		pid_t exp, imp;
		int socks[2], status;

		NEED(!socketpair(AF_UNIX, SOCK_SEQPACKET, 0, socks));
		exp = start("exporter", socks[0], socks[1], end);
		imp = start("importer", socks[1], socks[0], end);
		close(socks[0]);
		close(socks[1]);
		if (end == END_KILLED_EARLY) {
			usleep(rand() % 600000);
			kill(exp, SIGKILL);
		}
		NEED(waitpid(imp, &status, 0) == imp);
		CHECK(WIFEXITED(status) && !WEXITSTATUS(status),
		      "round %d: the importer ended with %x", i, status);
		NEED(waitpid(exp, &status, 0) == exp);
		if (end == END_CLEAN || end == END_EXIT)
			CHECK(WIFEXITED(status) && !WEXITSTATUS(status),
			      "round %d: the exporter ended with %x", i,
			      status);
		else
			CHECK(WIFSIGNALED(status) &&
				      WTERMSIG(status) == SIGKILL,
			      "round %d: the exporter ended with %x", i,
			      status);
		IS(kernel_count("pd"), 0);
		IS(kernel_count("mr"), 0);
		IS(kernel_count("ctx"), 0);
	}
	return end_checks();
}
