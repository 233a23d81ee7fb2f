// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* What an operator is told of who shares what. */
#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "command.h"
#include "device.h"
#include "shares.h"

#define MANY 1500

static char buf[8192] __attribute__((aligned(4096)));
static struct share list[MANY + 2];

/* The line of that handle of that type; the handles of all files differ here. */
static const struct share *line_of(const char *type, const char *handle)
{
	int n = read_shares(list, MANY + 2);

	CHECK(n >= 0, "the file is not as it should be");
	for (int i = 0; i < n; i++)
		if (!strcmp(list[i].type, type) &&
		    !strcmp(list[i].handle, handle))
			return &list[i];
	return NULL;
}

static void is_line(const char *type, int handle, unsigned int aliases,
		    const char *comm, int maker, unsigned long long bytes)
{
	const struct share *s;
	char text[16] = "-";
	int pid = handle < 0 ? 0 : getpid();

	if (handle >= 0)
		snprintf(text, sizeof(text), "%d", handle);
	s = line_of(type, text);
	CHECK(s, "no line for %s %s", type, text);
	if (!s)
		return;
	CHECK(!strcmp(s->device, "sharetest0") && s->aliases == aliases &&
		      !!s->file == (handle >= 0) && s->pid == pid &&
		      !strcmp(s->comm, comm) && s->maker == maker &&
		      s->bytes == bytes,
	      "%s %s: %s %u %u %d %s %d %llu", type, text, s->device,
	      s->aliases, s->file, s->pid, s->comm, s->maker, s->bytes);
}

/* The number is the one that rdma(8) shows. */
static void is_known_to_rdma(const char *type, const char *key, unsigned int id)
{
	char command[128];

	snprintf(command, sizeof(command),
		 "rdma resource show %s dev sharetest0 | grep -q '%s %u '",
		 type, key, id);
	CHECK(!system(command), "rdma knows no %s %u", type, id);
}

static unsigned int file_of(const char *type, uint32_t handle)
{
	const struct share *s;
	char text[16];

	snprintf(text, sizeof(text), "%u", handle);
	s = line_of(type, text);
	return s ? s->file : 0;
}

/* A process that makes an MR in a file of ours, and one of its own */
static void by_another(int ours, int theirs)
{
	pid_t pid = fork();
	int status;

	NEED(pid >= 0);
	if (!pid) {
		struct region mr, m;
		uint32_t pd;
		int c = open_context();

		if (alloc_pd(c, &pd) ||
		    reg_mr(c, pd, buf, sizeof(buf), ACCESS_RW, &mr) ||
		    export_mr(c, mr.handle, ours, &m.handle) ||
		    export_mr(c, mr.handle, theirs, &m.handle))
			_exit(1);
		_exit(0);
	}
	NEED(waitpid(pid, &status, 0) == pid);
	IS(status, 0);
}

static void lines(void)
{
	uint32_t pd, pd_b, unused, handles[4];
	int a = open_context(), b = open_context();
	struct region mr, m;

	IS(read_shares(list, 1), 0);
	/* So that no handle is in both */
	IS(alloc_pd(a, &unused), 0);
	IS(alloc_pd(a, &unused), 0);
	IS(alloc_pd(a, &unused), 0);
	IS(alloc_pd(a, &pd), 0);
	IS(reg_mr(a, pd, buf, sizeof(buf), ACCESS_RW, &mr), 0);
	/* What is private is no business of this file */
	IS(read_shares(list, 1), 0);
	IS(export_pd(a, pd, b, &pd_b), 0);
	IS(read_shares(list, 4), 2);
	IS(import_mr(b, a, mr.handle, &m), 0);
	IS(read_shares(list, 4), 4);
	is_line("pd", pd, 2, "shares", getpid(), 0);
	is_line("pd", pd_b, 2, "shares", getpid(), 0);
	is_line("mr", mr.handle, 2, "shares", getpid(), sizeof(buf));
	is_line("mr", m.handle, 2, "shares", getpid(), sizeof(buf));
	CHECK(file_of("pd", pd) == file_of("mr", mr.handle) &&
		      file_of("pd", pd_b) == file_of("mr", m.handle) &&
		      file_of("pd", pd) != file_of("pd", pd_b),
	      "files %u %u %u %u", file_of("pd", pd), file_of("mr", mr.handle),
	      file_of("pd", pd_b), file_of("mr", m.handle));
	is_known_to_rdma("pd", "pdn", list[0].id);
	is_known_to_rdma("mr", "mrn", list[2].id);

	/* A process can not forge a line with its name. */
	NEED(!prctl(PR_SET_NAME, "a\tb\nc\\d"));
	is_line("pd", pd, 2, "a\\011b\\012c\\134d", getpid(), 0);
	NEED(!prctl(PR_SET_NAME, ""));
	is_line("pd", pd, 2, "-", getpid(), 0);
	NEED(!prctl(PR_SET_NAME, "shares"));

	/* The PD's last handle goes; its MR keeps it. */
	IS(dereg_mr(a, mr.handle), 0);
	IS(dealloc_pd(a, pd), 0);
	IS(dealloc_pd(b, pd_b), 0);
	is_line("pd", -1, 0, "-", getpid(), 0);
	is_line("mr", m.handle, 1, "shares", getpid(), sizeof(buf));
	IS(dereg_mr(b, m.handle), 0);
	IS(read_shares(list, 1), 0);

	/* The maker has exited. */
	by_another(a, b);
	IS(read_shares(list, 3), 3);
	is_line("pd", -1, 0, "-", 0, 0);
	IS(list_handles(b, UVERBS_OBJECT_MR, handles, 4), 1);
	is_line("mr", handles[0], 2, "shares", 0, sizeof(buf));
	close(a);
	close(b);
	IS(read_shares(list, 1), 0);
	DEVICE_HAS(0, 0, 0, 0);
}

/* Every line once, however large the file */
static void many(void)
{
	int a = open_context(), b = open_context();
	uint32_t pd, alias;
	int n;

	IS(alloc_pd(a, &pd), 0);
	for (int i = 0; i < MANY; i++)
		IS(export_pd(a, pd, b, &alias), 0);
	n = read_shares(list, MANY + 2);
	IS(n, MANY + 1);
	for (int i = 0; i < n; i++)
		CHECK(list[i].aliases == MANY + 1 && list[i].id == list[0].id,
		      "%u %u", list[i].aliases, list[i].id);
	close(b);
	for (int i = 0; i < MANY / 4; i++) {
		IS(alloc_pd(a, &pd), 0);
		IS(import_pd(a, a, pd, &alias), 0);
	}
	n = read_shares(list, MANY + 2);
	IS(n, MANY / 4 * 2 + 1);
	for (int i = 1; i < n; i++)
		CHECK(list[i].id >= list[i - 1].id, "%u after %u", list[i].id,
		      list[i - 1].id);
	close(a);
	IS(read_shares(list, 1), 0);
}

static void root_only(void)
{
	struct stat st;
	int status, fd;
	pid_t pid;

	NEED(!stat(SHARES, &st));
	CHECK((st.st_mode & 0777) == 0400 && !st.st_uid, "%o of %u", st.st_mode,
	      st.st_uid);
	NEED(!chmod(SHARES_DIR, 0755));
	pid = fork();
	NEED(pid >= 0);
	if (!pid) {
		if (setuid(65534))
			_exit(2);
		_exit(open(SHARES, O_RDONLY) >= 0 || errno != EACCES);
	}
	NEED(waitpid(pid, &status, 0) == pid);
	IS(status, 0);
	/* Root may open what he likes, but it takes nothing. */
	fd = open(SHARES, O_WRONLY);
	IS(write(fd, "x", 1) < 0, 1);
	close(fd);
}

int main(void)
{
	NEED(!prctl(PR_SET_NAME, "shares"));
	mount_shares();
	lines();
	many();
	root_only();
	return end_checks();
}
