// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * Fork support for kernels that do not copy pinned pages at fork: memory that
 * hardware reads or writes is kept out of the child by MADV_DONTFORK.
 *
 * Registrations overlap, so each piece of the address space has a count of its
 * users.  The pieces tile the whole space: the piece that holds an address is
 * a search tree's node that "equals" it, and the next piece is the one that
 * holds its end.  That lets tsearch(3) serve as the ordered structure.
 */
#include <errno.h>
#include <inttypes.h>
#include <pthread.h>
#include <search.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include <infiniband/verbs.h>

#include "util/fork.h"
#include "util/rdma_netlink.h"

/* Addresses from start to last, both included */
struct piece {
	uintptr_t start;
	uintptr_t last;
	int users;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static void *pieces; /* NULL: fork support is not active */
static bool too_late;
static bool huge_pages;
static uintptr_t page_size;

static int compare(const void *a, const void *b)
{
	const struct piece *x = a, *y = b;

	if (x->last < y->start)
		return -1;
	return x->start > y->last;
}

static struct piece *piece_at(uintptr_t addr)
{
	struct piece key = { .start = addr, .last = addr };

	return *(struct piece **)tfind(&key, &pieces, compare);
}

/* The piece before p, the piece behind p: NULL at the ends of the space */
static struct piece *before(const struct piece *p)
{
	return p->start ? piece_at(p->start - 1) : NULL;
}

static struct piece *behind(const struct piece *p)
{
	return p->last != UINTPTR_MAX ? piece_at(p->last + 1) : NULL;
}

static int add_piece(uintptr_t start, uintptr_t last, int users)
{
	struct piece *p = malloc(sizeof(*p));

	if (!p)
		return ENOMEM;
	*p = (struct piece){ .start = start, .last = last, .users = users };
	if (!tsearch(p, &pieces, compare)) {
		free(p);
		return ENOMEM;
	}
	return 0;
}

/* Let a piece begin at addr. */
static int split(uintptr_t addr)
{
	struct piece *p = piece_at(addr);
	uintptr_t last = p->last;

	if (p->start == addr)
		return 0;
	p->last = addr - 1;
	if (add_piece(addr, last, p->users)) {
		p->last = last;
		return ENOMEM;
	}
	return 0;
}

/* Undo a split that makes no difference. */
static void join(uintptr_t addr)
{
	struct piece *p = piece_at(addr);
	struct piece *left = before(p);

	if (p->start != addr || !left || left->users != p->users)
		return;
	/* Off the tree before left grows, so that the pieces never overlap. */
	tdelete(p, &pieces, compare);
	left->last = p->last;
	free(p);
}

/* The page's users went from none to some, or back: tell the kernel. */
static int advise(const struct piece *p, int change)
{
	void *addr = (void *)p->start;
	size_t size = p->last - p->start + 1;

	if (change > 0)
		return p->users == 1 ? madvise(addr, size, MADV_DONTFORK) : 0;
	if (p->users != 0 || !madvise(addr, size, MADV_DOFORK))
		return 0;
	/*
	 * ENOMEM: some of the memory is unmapped already, the kernel has done
	 * what remains.  Programs free memory and deregister it then.
	 */
	return errno == ENOMEM ? 0 : -1;
}

/*
 * Change the count of every piece from start to last, which are the edges of
 * pieces.  Neighbours with equal counts are joined, so pieces that need a
 * system call are never adjacent.
 */
static int count_users(uintptr_t start, uintptr_t last, int change)
{
	struct piece *p;
	int err;

	for (p = piece_at(start); p && p->start <= last; p = behind(p)) {
		p->users += change;
		if (!advise(p, change))
			continue;

		/* A hole in the range: what lies before it is changed. */
		err = errno;
		for (; p && p->last >= start; p = before(p)) {
			p->users -= change;
			(void)advise(p, -change);
		}
		return err;
	}
	return 0;
}

/* The page size of the mapping that holds addr */
static uintptr_t mapping_page_size(uintptr_t addr)
{
	uintptr_t start, end, kb, size = page_size;
	char *line = NULL;
	size_t room = 0;
	bool inside = false;
	FILE *smaps;

	smaps = fopen("/proc/self/smaps", "re");
	if (!smaps)
		return size;
	while (getline(&line, &room, smaps) > 0) {
		if (sscanf(line, "%" SCNxPTR "-%" SCNxPTR " ", &start, &end) ==
		    2)
			inside = start <= addr && addr < end;
		else if (inside &&
			 sscanf(line, "KernelPageSize: %" SCNuPTR, &kb) == 1) {
			size = kb * 1024;
			break;
		}
	}
	free(line);
	fclose(smaps);
	/* Rounding needs a power of two. */
	return size >= page_size && !(size & (size - 1)) ? size : page_size;
}

static int change_range(void *base, size_t size, int change)
{
	uintptr_t start = (uintptr_t)base, last, page;
	int ret;

	/* Once it is too late, no piece is ever made. */
	if (__atomic_load_n(&too_late, __ATOMIC_RELAXED))
		return 0;
	pthread_mutex_lock(&lock);
	if (!pieces) {
		__atomic_store_n(&too_late, true, __ATOMIC_RELAXED);
		ret = 0;
		goto out;
	}
	if (!base || !size) {
		ret = 0;
		goto out;
	}

	page = huge_pages ? mapping_page_size(start) : page_size;
	if (__builtin_add_overflow(start, size - 1, &last)) {
		ret = EINVAL;
		goto out;
	}
	start &= ~(page - 1);
	last |= page - 1;

	ret = split(start);
	if (!ret && last != UINTPTR_MAX)
		ret = split(last + 1);
	if (!ret)
		ret = count_users(start, last, change);

	join(start);
	if (last != UINTPTR_MAX)
		join(last + 1);
out:
	pthread_mutex_unlock(&lock);
	if (ret) {
		errno = ret;
		return -1;
	}
	return 0;
}

/**
 * ibv_dontfork_range - Keep a range of memory out of child processes
 * @base, @size: the range in bytes; widened to whole pages
 *
 * Counted: as many calls of ibv_dofork_range() undo it.  Does nothing while
 * fork support is not active.  Returns 0, or -1 with errno; nothing is changed
 * then.  Thread-safe.  Since IBVERBS_1.1.
 */
int ibv_dontfork_range(void *base, size_t size)
{
	return change_range(base, size, 1);
}

/**
 * ibv_dofork_range - Undo one ibv_dontfork_range() of the same range
 *
 * As ibv_dontfork_range().
 */
int ibv_dofork_range(void *base, size_t size)
{
	return change_range(base, size, -1);
}

static int try_advice(void)
{
	void *page = mmap(NULL, page_size, PROT_READ | PROT_WRITE,
			  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	int ret;

	if (page == MAP_FAILED)
		return ENOMEM;
	ret = madvise(page, page_size, MADV_DONTFORK) ||
			      madvise(page, page_size, MADV_DOFORK)
		      ? ENOSYS
		      : 0;
	munmap(page, page_size);
	return ret;
}

/**
 * ibv_fork_init - Make verbs safe for programs that fork
 *
 * To be called before the first memory registration.  Returns 0, also if fork
 * support is active already; EINVAL: memory was registered before; ENOSYS: the
 * kernel has no MADV_DONTFORK; ENOMEM.  Thread-safe.  Since IBVERBS_1.1.
 */
int ibv_fork_init(void)
{
	int ret = 0;

	pthread_mutex_lock(&lock);
	if (getenv("RDMAV_HUGEPAGES_SAFE"))
		huge_pages = true;
	if (!pieces) {
		page_size = sysconf(_SC_PAGESIZE);
		if (too_late)
			ret = EINVAL;
		else
			ret = try_advice();
		if (!ret)
			ret = add_piece(0, UINTPTR_MAX, 0);
	}
	pthread_mutex_unlock(&lock);
	return ret;
}

static int on_sys_reply(struct nlmsghdr *hdr, void *arg)
{
	struct nlattr *attrs[RDMA_NL_LAST_ATTR + 1];

	if (rdma_nl_attrs(hdr, attrs))
		return EBADMSG;
	rdma_nl_u8(attrs, RDMA_NLDEV_SYS_ATTR_COPY_ON_FORK, arg);
	return 0;
}

static bool kernel_copies_on_fork(void)
{
	uint8_t copies = 0;
	struct rdma_nl nl;
	bool ok;

	if (!rdma_nl_open(&nl))
		return false;
	ok = !rdma_nl_ask(&nl, rdma_nl_request(RDMA_NLDEV_CMD_SYS_GET, 0),
			  on_sys_reply, &copies);
	rdma_nl_close(&nl);
	return ok && copies;
}

/**
 * ibv_is_fork_initialized - Can this process fork safely?
 *
 * Returns IBV_FORK_UNNEEDED if the kernel copies pinned pages at fork,
 * IBV_FORK_ENABLED if ibv_fork_init() has succeeded, else IBV_FORK_DISABLED.
 * Thread-safe.  Since IBVERBS_1.13.
 */
enum ibv_fork_status ibv_is_fork_initialized(void)
{
	bool active;

	if (kernel_copies_on_fork())
		return IBV_FORK_UNNEEDED;

	pthread_mutex_lock(&lock);
	active = pieces;
	pthread_mutex_unlock(&lock);
	return active ? IBV_FORK_ENABLED : IBV_FORK_DISABLED;
}
