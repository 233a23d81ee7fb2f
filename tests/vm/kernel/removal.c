// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * The device goes away while files with aliases are open, with contexts that
 * wait for them and with orphans; and while other threads are at it. The device
 * warns when it goes before one of its objects.
 *
 *	usage: removal PATH-OF-SHARE_TEST.KO
 */
#include <fcntl.h>
#include <pthread.h>
#include <stdbool.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "command.h"
#include "device.h"
#include "shares.h"

static char buf[4096] __attribute__((aligned(4096)));
static const char *module;

static void load(const char *params)
{
	int fd = open(module, O_RDONLY);
	int try = 0;

	NEED(fd >= 0);
	NEED(!syscall(SYS_finit_module, fd, params, 0));
	close(fd);
	/* The node in /dev comes a moment later */
	while ((fd = open_file()) < 0 && try++ < 1000)
		usleep(1000);
	NEED(fd >= 0);
	close(fd);
}

static void unload(void)
{
	NEED(!syscall(SYS_delete_module, "share_test", O_NONBLOCK));
}

/* A page of the device, written full of 0x5a by it */
static volatile uint8_t *map_page(int fd)
{
	void *page =
		mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);

	NEED(page != MAP_FAILED);
	return page;
}

static void with_aliases(void)
{
	int a = open_context(), b = open_context(), c = open_context();
	uint32_t pd_a, pd_b, pd_b_in_a, pd_a_in_b, mr_b, new, srq;
	struct region mr, mr2, m;
	volatile uint8_t *map_a, *map_b;

	/* Both ways between a and b, so that one of them goes first */
	IS(alloc_pd(a, &pd_a), 0);
	IS(alloc_pd(b, &pd_b), 0);
	IS(reg_mr(a, pd_a, buf, sizeof(buf), ACCESS_RW, &mr), 0);
	IS(reg_mr(b, pd_b, buf, sizeof(buf), ACCESS_RW, &mr2), 0);
	IS(export_pd(a, pd_a, b, &pd_a_in_b), 0);
	IS(export_pd(b, pd_b, a, &pd_b_in_a), 0);
	IS(export_mr(a, mr.handle, b, &mr_b), 0);
	IS(import_mr(a, b, mr2.handle, &m), 0);
	IS(create_srq(a, pd_b_in_a, &srq), 0);
	IS(create_srq(b, pd_a_in_b, &srq), 0);
	/* c is closed and waits for the MR's alias in a, its PD an orphan */
	IS(alloc_pd(c, &new), 0);
	IS(reg_mr(c, new, buf, sizeof(buf), ACCESS_RW, &mr), 0);
	IS(import_mr(a, c, mr.handle, &m), 0);
	close(c);
	/* and an MR without an alias, that could go now but was not asked */
	c = open_context();
	IS(alloc_pd(c, &new), 0);
	IS(reg_mr(c, new, buf, sizeof(buf), ACCESS_RW, &mr), 0);
	IS(import_mr(c, c, mr.handle, &m), 0);
	device_set("hold_mrs", 1);
	close(c);
	device_set("hold_mrs", 0);
	/* a and b will wait for each other; what they have mapped will not. */
	map_a = map_page(a);
	map_b = map_page(b);
	IS(*map_a, 0x5a);
	IS(*map_b, 0x5a);
	DEVICE_HAS(4, 4, 4, 2);

	unload();

	IS(*map_a, 0);
	IS(*map_b, 0);
	*map_a = 1;
	IS(*map_b, 0);
	IS(export_pd(a, pd_a, b, &new), EIO);
	IS(export_mr(b, mr_b, a, &new), EIO);
	IS(import_pd(a, b, pd_b, &new), EIO);
	IS(import_mr(a, b, mr_b, &m), EIO);
	IS(alloc_pd(a, &new), EIO);
	/* Handles of what is gone can be given back, as ever */
	IS(dealloc_pd(a, pd_a), 0);
	IS(dealloc_pd(a, pd_b_in_a), 0);
	IS(dereg_mr(a, mr.handle), 0);
	IS(dereg_mr(b, mr_b), 0);
	IS(dereg_mr(b, mr_b), ENOENT);
	/* Nobody shares anything any more */
	IS(read_shares(NULL, 0), 0);

	/* Another device, even of the same name */
	load("");
	c = open_context();
	IS(alloc_pd(c, &new), 0);
	IS(export_pd(c, new, a, &pd_a), EXDEV);
	IS(import_pd(c, a, 0, &pd_a), EXDEV);
	IS(import_pd(a, c, new, &pd_a), EIO);
	close(a);
	close(b);
	close(c);
	munmap((void *)map_a, 4096);
	munmap((void *)map_b, 4096);
	DEVICE_HAS(0, 0, 0, 0);
}

/*
 * A driver that does not let go of files: it can not be unloaded while one is open,
 * nor while a closed one waits, whose driver is held by the alias's file.
 */
static void without_disassociate(void)
{
	uint32_t pd;
	struct region mr, m;
	int a, b;

	unload();
	load("disassociate=0");
	a = open_context();
	b = open_context();
	IS(alloc_pd(a, &pd), 0);
	IS(reg_mr(a, pd, buf, sizeof(buf), ACCESS_RW, &mr), 0);
	IS(import_mr(b, a, mr.handle, &m), 0);
	close(a);
	IS(syscall(SYS_delete_module, "share_test", O_NONBLOCK) < 0 &&
		   errno == EAGAIN,
	   1);
	/* All works as before */
	IS(alloc_pd(b, &pd), 0);
	IS(import_mr(b, b, m.handle, &mr), 0);
	IS(dereg_mr(b, mr.handle), 0);
	close(b);
	DEVICE_HAS(0, 0, 0, 0);
	unload();
	load("");
}

#define FILES 3
static int files[FILES];
static bool stop;

static void *hammer(void *seed)
{
	unsigned int s = (uintptr_t)seed;
	uint32_t pd, h;
	struct region mr, m;

	while (!__atomic_load_n(&stop, __ATOMIC_RELAXED)) {
		int a = files[rand_r(&s) % FILES],
		    b = files[rand_r(&s) % FILES];

		if (alloc_pd(a, &pd))
			break;
		if (!reg_mr(a, pd, buf, sizeof(buf), ACCESS_RW, &mr) &&
		    !import_mr(b, a, mr.handle, &m) && rand_r(&s) % 2)
			dereg_mr(a, mr.handle);
		export_pd(a, pd, b, &h);
		if (rand_r(&s) % 2)
			dereg_mr(b, m.handle);
		if (rand_r(&s) % 2)
			dealloc_pd(a, pd);
		if (rand_r(&s) % 2)
			dealloc_pd(b, h);
	}
	return NULL;
}

static void *close_one(void *file)
{
	usleep((uintptr_t)file % 7 * 300);
	close(*(int *)file);
	return NULL;
}

static void under_fire(int round)
{
	pthread_t threads[4], closer;
	int extra = open_context();
	struct region m;
	uint32_t pd;

	for (int i = 0; i < FILES; i++)
		files[i] = open_context();
	/* A file that is closed in the same moment, with what it leaves */
	IS(alloc_pd(extra, &pd), 0);
	IS(reg_mr(extra, pd, buf, sizeof(buf), ACCESS_RW, &m), 0);
	IS(import_mr(files[0], extra, m.handle, &m), 0);
	stop = false;
	for (uintptr_t i = 0; i < 4; i++)
		NEED(!pthread_create(&threads[i], NULL, hammer,
				     (void *)(round * 4 + i + 1)));
	usleep(20000);
	NEED(!pthread_create(&closer, NULL, close_one, &extra));
	unload();
	__atomic_store_n(&stop, true, __ATOMIC_RELAXED);
	for (int i = 0; i < 4; i++)
		pthread_join(threads[i], NULL);
	pthread_join(closer, NULL);
	IS(import_pd(files[0], files[1], 0, &pd), EIO);
	for (int i = 0; i < FILES; i++)
		close(files[i]);
	load("");
	DEVICE_HAS(0, 0, 0, 0);
}

/* A driver that has a method with a number of ours keeps it and its device. */
static void without_methods(void)
{
	struct region mr;
	uint32_t pd, new;
	int a;

	unload();
	load("methods_taken=1");
	a = open_context();
	IS(alloc_pd(a, &pd), 0);
	IS(reg_mr(a, pd, buf, sizeof(buf), ACCESS_RW, &mr), 0);
	IS(export_pd(a, pd, a, &new), EPROTONOSUPPORT);
	IS(import_pd(a, a, pd, &new), EPROTONOSUPPORT);
	IS(import_mr(a, a, mr.handle, &mr), EPROTONOSUPPORT);
	{
		struct command cmd;

		command_start(&cmd, UVERBS_OBJECT_MR,
			      UVERBS_METHOD_MR_EXPORT_TO_FD);
		IS(command_run(&cmd, a), EUCLEAN);
	}
	close(a);
	DEVICE_HAS(0, 0, 0, 0);
	unload();
	load("");
}

int main(int argc, char **argv)
{
	NEED(argc == 2);
	module = argv[1];
	mount_shares();
	with_aliases();
	without_disassociate();
	for (int i = 0; i < 20; i++)
		under_fire(i);
	without_methods();
	return end_checks();
}
