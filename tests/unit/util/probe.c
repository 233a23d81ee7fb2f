// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * Prints what the library's small functions do.  Run with one library and with
 * another, the output must be the same.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "driver.h"
#include "util/fork.h"
#include "util/marshall.h"
#include "util/sysfs.h"

static unsigned int seed = 42;

static void names(void)
{
	int i;

	for (i = -20000; i < 20000; i++) {
		if (i < -300 || i > 300)
			i += 997;
		printf("%d: %s, %s, %s, %s\n", i, ibv_wc_status_str(i),
		       ibv_event_type_str(i), ibv_node_type_str(i),
		       ibv_port_state_str(i));
	}
}

static void rates(void)
{
	int i;

	for (i = -1000; i < 1280000; i++) {
		if (i < 1000)
			printf("rate %d: %d %d\n", i, ibv_rate_to_mult(i),
			       ibv_rate_to_mbps(i));
		if (mult_to_ibv_rate(i) || mbps_to_ibv_rate(i))
			printf("%d: %d %d\n", i, mult_to_ibv_rate(i),
			       mbps_to_ibv_rate(i));
	}
	printf("%d %d\n", mult_to_ibv_rate(0), mbps_to_ibv_rate(0));
}

static void fill(void *bytes, size_t size)
{
	size_t i;

	for (i = 0; i < size; i++)
		((uint8_t *)bytes)[i] = rand_r(&seed) >> 8;
}

static void dump(const char *name, const void *bytes, size_t size)
{
	size_t i;

	printf("%s ", name);
	for (i = 0; i < size; i++)
		printf("%02x", ((const uint8_t *)bytes)[i]);
	printf("\n");
}

#define PROBE_COPY(_function, _dst_type, _src_type)  \
	do {                                         \
		struct _dst_type dst;                \
		struct _src_type src;                \
                                                     \
		memset(&dst, 0xa5, sizeof(dst));     \
		fill(&src, sizeof(src));             \
		_function(&dst, &src);               \
		dump(#_function, &dst, sizeof(dst)); \
	} while (0)

static void copies(void)
{
	int i;

	for (i = 0; i < 20; i++) {
		PROBE_COPY(ibv_copy_ah_attr_from_kern, ibv_ah_attr,
			   ib_uverbs_ah_attr);
		PROBE_COPY(ibv_copy_qp_attr_from_kern, ibv_qp_attr,
			   ib_uverbs_qp_attr);
		PROBE_COPY(ibv_copy_path_rec_from_kern, ibv_sa_path_rec,
			   ib_user_path_rec);
		PROBE_COPY(ibv_copy_path_rec_to_kern, ib_user_path_rec,
			   ibv_sa_path_rec);
	}
}

static void read_file(const char *text, size_t size)
{
	static const char dir[] = "/tmp";
	char path[64], buf[64];
	FILE *file;
	int ret;

	snprintf(path, sizeof(path), "/tmp/util_probe.%d", getpid());
	file = fopen(path, "w");
	if (!file)
		exit(1);
	fputs(text, file);
	fclose(file);

	memset(buf, '#', sizeof(buf));
	ret = ibv_read_sysfs_file(dir, path + sizeof(dir), buf, size);
	printf("%zu bytes into %zu: %d ", strlen(text), size, ret);
	dump("buf", buf, sizeof(buf));
	unlink(path);
}

static void files(void)
{
	static const char *const texts[] = { "",	 "\n",	   "a",
					     "abcd\n",	 "abcd",   "abc\n\n",
					     "abc\ndef", "abcde\n" };
	size_t i, size;
	char buf[8];
	int ret;

	for (i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		for (size = 0; size < 9; size++)
			read_file(texts[i], size);
	errno = 0;
	ret = ibv_read_sysfs_file("/nowhere", "file", buf, sizeof(buf));
	printf("missing: %d errno %d\n", ret, errno);
	errno = 0;
	ret = ibv_read_sysfs_file("/", "tmp", buf, sizeof(buf));
	printf("directory: %d errno %d\n", ret, errno);
	errno = 0;
	ret = ibv_read_ibdev_sysfs_file(buf, sizeof(buf), NULL, "x");
	printf("no device: %d errno %d\n", ret, errno);
}

static void sysfs_root(const char *path)
{
	if (path)
		setenv("SYSFS_PATH", path, 1);
	printf("root of %s: %s\n", path ? path : "default",
	       ibv_get_sysfs_path());
}

/* ---- fork ranges, as the kernel shows them ---- */

#define PAGES 40

static char *area;
static size_t page;

/* One character for each page: '-' kept from children, '+' not, ' ' a hole */
static void show_pages(void)
{
	char map[PAGES + 1], line[512], perms[8];
	unsigned long start = 0, end = 0, from, to, at;
	FILE *smaps = fopen("/proc/self/smaps", "r");
	size_t i;

	if (!smaps)
		exit(1);
	memset(map, ' ', PAGES);
	map[PAGES] = '\0';
	while (fgets(line, sizeof(line), smaps)) {
		if (sscanf(line, "%lx-%lx %7s", &from, &to, perms) == 3) {
			start = from;
			end = to;
			continue;
		}
		if (strncmp(line, "VmFlags:", 8))
			continue;
		for (i = 0; i < PAGES; i++) {
			at = (unsigned long)area + i * page;
			if (at >= start && at < end)
				map[i] = strstr(line, " dc") ? '-' : '+';
		}
	}
	fclose(smaps);
	printf("|%s|\n", map);
}

static void change(int by, unsigned int offset, unsigned int size)
{
	int ret;

	errno = 0;
	ret = by > 0 ? ibv_dontfork_range(area + offset, size)
		     : ibv_dofork_range(area + offset, size);
	printf("%s %u+%u: %d errno %d ", by > 0 ? "dontfork" : "dofork", offset,
	       size, ret, ret ? errno : 0);
	show_pages();
}

static void map_area(void)
{
	page = sysconf(_SC_PAGESIZE);
	area = mmap(NULL, PAGES * page, PROT_READ | PROT_WRITE,
		    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (area == MAP_FAILED)
		exit(1);
}

static void random_ranges(bool balanced)
{
	struct {
		unsigned int offset, size;
	} live[250];
	unsigned int used = 0, step, offset, size;

	map_area();
	printf("init %d\n", ibv_fork_init());
	printf("again %d, state %d\n", ibv_fork_init(),
	       ibv_is_fork_initialized());
	for (step = 0; step < 250; step++) {
		if (!used || rand_r(&seed) % 100 < 52) {
			offset = rand_r(&seed) % ((PAGES - 10) * page);
			size = rand_r(&seed) % (10 * page);
			live[used].offset = offset;
			live[used++].size = size;
			change(1, offset, size);
		} else {
			unsigned int n = rand_r(&seed) % used;

			offset = live[n].offset;
			size = live[n].size;
			if (balanced)
				live[n] = live[--used];
			change(-1, offset, size);
		}
	}
	change(1, 0, 0);
}

static void balanced(void)
{
	random_ranges(true);
}

static void unbalanced(void)
{
	random_ranges(false);
}

static void huge_pages_safe(void)
{
	setenv("RDMAV_HUGEPAGES_SAFE", "1", 1);
	random_ranges(true);
}

/* Memory that is unmapped first and deregistered then */
static void with_holes(void)
{
	map_area();
	printf("init %d\n", ibv_fork_init());
	change(1, 2 * page, 10 * page);
	munmap(area + 4 * page, 2 * page);
	change(-1, 2 * page, 10 * page);
	change(1, 6 * page, page);

	change(1, 20 * page, 5 * page);
	munmap(area + 20 * page, 5 * page);
	change(-1, 20 * page, 5 * page);

	change(1, 30 * page, 5 * page);
	change(1, 28 * page, 4 * page);
	munmap(area + 28 * page, 10 * page);
	change(-1, 30 * page, 5 * page);
	change(-1, 28 * page, 4 * page);
	change(1, 26 * page, 2 * page);

	/* The addresses are used again. */
	if (mmap(area, PAGES * page, PROT_READ,
		 MAP_FIXED | MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) != area)
		exit(1);
	change(1, 2 * page, 12 * page);
	change(1, 18 * page, 12 * page);
	change(1, 27 * page, 12 * page);
}

static void too_late(void)
{
	map_area();
	printf("state %d\n", ibv_is_fork_initialized());
	printf("nothing %d\n", ibv_dontfork_range(NULL, 5));
	change(1, 0, 5 * page);
	printf("init %d\n", ibv_fork_init());
	printf("state %d\n", ibv_is_fork_initialized());
}

static void not_too_late(void)
{
	map_area();
	printf("init %d\n", ibv_fork_init());
	printf("nothing %d\n", ibv_dontfork_range(NULL, 5));
	printf("state %d\n", ibv_is_fork_initialized());
}

static void null_before_init(void)
{
	map_area();
	printf("nothing %d\n", ibv_dontfork_range(NULL, 5));
	printf("init %d\n", ibv_fork_init());
}

static void empty_before_init(void)
{
	map_area();
	printf("nothing %d\n", ibv_dofork_range(area, 0));
	printf("init %d\n", ibv_fork_init());
}

/* Functions with once-only state have a process each. */
static void in_child(const char *name, void (*probe)(void))
{
	int status;
	pid_t pid;

	printf("== %s\n", name);
	fflush(stdout);
	pid = fork();
	if (!pid) {
		probe();
		fflush(stdout);
		_exit(0);
	}
	if (waitpid(pid, &status, 0) != pid || status)
		printf("status %x\n", status);
}

static void default_root(void)
{
	unsetenv("SYSFS_PATH");
	sysfs_root(NULL);
}

static void slashes(void)
{
	sysfs_root("/a/b///");
}

static void empty_root(void)
{
	sysfs_root("");
}

static void long_root(void)
{
	char path[600];

	memset(path, 'x', sizeof(path));
	memset(path + 240, '/', 30);
	path[599] = '\0';
	sysfs_root(path);
}

static void longest_root(void)
{
	char path[600];

	memset(path, 'x', sizeof(path));
	path[599] = '\0';
	sysfs_root(path);
}

#define PROBE(_function) in_child(#_function, _function)

int main(void)
{
	PROBE(names);
	PROBE(rates);
	PROBE(copies);
	PROBE(files);
	PROBE(default_root);
	PROBE(slashes);
	PROBE(empty_root);
	PROBE(long_root);
	PROBE(longest_root);
	PROBE(balanced);
	PROBE(unbalanced);
	PROBE(huge_pages_safe);
	PROBE(with_holes);
	PROBE(too_late);
	PROBE(not_too_late);
	PROBE(null_before_init);
	PROBE(empty_before_init);
	return 0;
}
