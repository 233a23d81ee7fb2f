// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * Files are closed in the middle of exports into them and imports from them:
 * descriptors are replaced by new files while other threads use their numbers,
 * with no lock between. The same object is exported by all threads at once.
 *
 *	usage: race [seconds]
 */
#include <pthread.h>
#include <stdbool.h>
#include <unistd.h>

#include "command.h"
#include "device.h"

#define SLOTS 3
#define WORKERS 4

static char buf[4096] __attribute__((aligned(4096)));
static int owner, slots[SLOTS];
static uint32_t pd;
static struct region mr;
static bool stop;
static unsigned long replaced, made;

static void *replace(void *seed)
{
	unsigned int s = (uintptr_t)seed;

	while (!__atomic_load_n(&stop, __ATOMIC_RELAXED)) {
		int fd = open_context();

		NEED(dup2(fd, slots[rand_r(&s) % SLOTS]) >= 0);
		close(fd);
		replaced++;
	}
	return NULL;
}

/* The file, or the handle's owner, may just have been replaced. */
static bool lost(int ret)
{
	CHECK(!ret || ret == ENOENT || ret == EBUSY || ret == EINVAL, "%s",
	      strerror(ret));
	if (!ret)
		__atomic_fetch_add(&made, 1, __ATOMIC_RELAXED);
	return ret;
}

static void *work(void *seed)
{
	unsigned int s = (uintptr_t)seed;

	while (!__atomic_load_n(&stop, __ATOMIC_RELAXED)) {
		int a = slots[rand_r(&s) % SLOTS],
		    b = slots[rand_r(&s) % SLOTS];
		uint32_t pd_a, pd_b, mr_a;
		struct region m;

		/* From a file that stays: always possible */
		IS(export_pd(owner, pd, a, &pd_a), 0);
		IS(export_mr(owner, mr.handle, a, &mr_a), 0);
		IS(import_mr(a, owner, mr.handle, &m), 0);
		CHECK(m.lkey == mr.lkey, "%x %x", m.lkey, mr.lkey);
		/* And on from one that may go */
		if (!lost(export_pd(a, pd_a, b, &pd_b)))
			lost(dealloc_pd(b, pd_b));
		if (!lost(import_mr(b, a, mr_a, &m)))
			lost(dereg_mr(b, m.handle));
	}
	return NULL;
}

int main(int argc, char **argv)
{
	pthread_t workers[WORKERS], replacer;
	int seconds = argc > 1 ? atoi(argv[1]) : 10;

	owner = open_context();
	IS(alloc_pd(owner, &pd), 0);
	IS(reg_mr(owner, pd, buf, sizeof(buf), ACCESS_RW, &mr), 0);
	for (int i = 0; i < SLOTS; i++)
		slots[i] = open_context();
	NEED(!pthread_create(&replacer, NULL, replace, (void *)1));
	for (uintptr_t i = 0; i < WORKERS; i++)
		NEED(!pthread_create(&workers[i], NULL, work, (void *)(i + 2)));
	sleep(seconds);
	__atomic_store_n(&stop, true, __ATOMIC_RELAXED);
	pthread_join(replacer, NULL);
	for (int i = 0; i < WORKERS; i++)
		pthread_join(workers[i], NULL);
	for (int i = 0; i < SLOTS; i++)
		close(slots[i]);
	CHECK(replaced && made, "%lu files, %lu objects", replaced, made);
	DEVICE_HAS(1, 1, 1, 0);
	IS(dereg_mr(owner, mr.handle), 0);
	IS(dealloc_pd(owner, pd), 0);
	close(owner);
	DEVICE_HAS(0, 0, 0, 0);
	return end_checks();
}
