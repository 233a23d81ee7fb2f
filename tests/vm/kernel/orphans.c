// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* When the driver does not give an object up: try again later, lose nothing. */
#include <pthread.h>
#include <stdbool.h>
#include <unistd.h>

#include "command.h"
#include "device.h"

static char buf[4096] __attribute__((aligned(4096)));

/*
 * With nothing else on its PD no event of ours frees an object that the driver
 * refused: the kernel tries again by itself, first after a second.
 */
static void wait_until_gone(void)
{
	for (int i = 0; i < 1000 && device_get("contexts"); i++)
		usleep(10000);
	DEVICE_HAS(0, 0, 0, 0);
}

/* What others destroy, on PDs of their own, makes the kernel try nothing. */
static void unrelated(void)
{
	int fd = open_context(), before;
	uint32_t pd, srq, mw;

	IS(alloc_pd(fd, &pd), 0);
	IS(create_srq(fd, pd, &srq), 0);
	IS(alloc_mw(fd, pd, &mw), 0);
	before = device_get("deregs");
	IS(destroy_srq(fd, srq), 0);
	IS(destroy(fd, UVERBS_OBJECT_MW, mw), 0);
	IS(dealloc_pd(fd, pd), 0);
	IS(device_get("deregs"), before);
	close(fd);
}

/* An MR whose last alias goes by closing, and by dereg_mr */
static void shared_mr(void)
{
	int a = open_context(), b = open_context();
	uint32_t pd, mr_b;
	struct region mr;

	IS(alloc_pd(a, &pd), 0);
	IS(reg_mr(a, pd, buf, sizeof(buf), ACCESS_RW, &mr), 0);
	IS(export_mr(a, mr.handle, b, &mr_b), 0);
	device_set("hold_mrs", 1);
	IS(dereg_mr(a, mr.handle), 0);
	/* The one who asks for it hears why, and still has the handle */
	IS(dereg_mr(b, mr_b), EINVAL);
	IS(count_handles(b, UVERBS_OBJECT_MR), 1);
	close(a);
	DEVICE_HAS(2, 1, 1, 0);
	close(b);
	DEVICE_HAS(1, 1, 1, 0);
	unrelated();
	DEVICE_HAS(1, 1, 1, 0);
	device_set("hold_mrs", 0);
	wait_until_gone();
}

/* One that nobody shares, on a PD that others do: they may hold it. */
static void private_mr(void)
{
	int a = open_context(), b = open_context();
	uint32_t pd, pd_b;
	struct region mr;

	IS(alloc_pd(a, &pd), 0);
	IS(reg_mr(a, pd, buf, sizeof(buf), ACCESS_RW, &mr), 0);
	IS(export_pd(a, pd, b, &pd_b), 0);
	device_set("hold_mrs", 1);
	IS(dereg_mr(a, mr.handle), EINVAL);
	close(a);
	DEVICE_HAS(2, 1, 1, 0);
	/* b has nothing to do with it */
	IS(dealloc_pd(b, pd_b), 0);
	DEVICE_HAS(2, 1, 1, 0);
	device_set("hold_mrs", 0);
	close(b);
	DEVICE_HAS(1, 1, 1, 0);
	wait_until_gone();
}

static void shared_pd(void)
{
	int a = open_context(), b = open_context();
	uint32_t pd, pd_b;

	IS(alloc_pd(a, &pd), 0);
	IS(export_pd(a, pd, b, &pd_b), 0);
	device_set("hold_pds", 1);
	IS(dealloc_pd(a, pd), 0);
	close(a);
	IS(dealloc_pd(b, pd_b), EIO);
	/* As good as before */
	IS(import_pd(b, b, pd_b, &pd), 0);
	IS(dealloc_pd(b, pd), 0);
	IS(dealloc_pd(b, pd_b), EIO);
	close(b);
	DEVICE_HAS(1, 1, 0, 0);
	device_set("hold_pds", 0);
	wait_until_gone();
}

/* Many at once, of several files, that go one by one and all together */
static void many(void)
{
	int a[3], b = open_context();
	struct region mr, m;
	uint32_t pd;

	for (int i = 0; i < 3; i++) {
		a[i] = open_context();
		for (int j = 0; j < 20; j++) {
			IS(alloc_pd(a[i], &pd), 0);
			IS(reg_mr(a[i], pd, buf, sizeof(buf), ACCESS_RW, &mr),
			   0);
			IS(import_mr(b, a[i], mr.handle, &m), 0);
		}
	}
	for (int i = 0; i < 3; i++)
		close(a[i]);
	DEVICE_HAS(4, 60, 60, 0);
	IS(dereg_mr(b, m.handle), 0);
	DEVICE_HAS(4, 59, 59, 0);
	device_set("hold_mrs", 1);
	close(b);
	DEVICE_HAS(3, 59, 59, 0);
	device_set("hold_mrs", 0);
	wait_until_gone();
}

/*
 * A memory window, or a QP by which it was bound, may have held an MR: when it
 * goes, the orphans on its PD are tried, at once.
 */
static void with_the_window(bool by_qp)
{
	int a = open_context(), b = open_context();
	uint32_t pd, pd_b, cq, obj, srq;
	struct region mr;

	IS(alloc_pd(a, &pd), 0);
	IS(reg_mr(a, pd, buf, sizeof(buf), ACCESS_RW, &mr), 0);
	IS(export_pd(a, pd, b, &pd_b), 0);
	IS(create_cq(b, &cq), 0);
	IS(by_qp ? create_qp(b, pd_b, cq, &obj) : alloc_mw(b, pd_b, &obj), 0);
	IS(create_srq(b, pd_b, &srq), 0);
	device_set("hold_mrs", 1);
	close(a);
	DEVICE_HAS(2, 1, 1, 3);
	device_set("hold_mrs", 0);
	/* That can hold no MR */
	IS(destroy_srq(b, srq), 0);
	DEVICE_HAS(2, 1, 1, 2);
	IS(by_qp ? destroy_qp(b, obj) : destroy(b, UVERBS_OBJECT_MW, obj), 0);
	DEVICE_HAS(2, 1, 0, 1);
	IS(dealloc_pd(b, pd_b), 0);
	DEVICE_HAS(1, 0, 0, 1);
	close(b);
	DEVICE_HAS(0, 0, 0, 0);
}

/* A PD goes with its last user, however that leaves it: MR moved elsewhere */
static void last_user_moves(void)
{
	for (int new = 0; new < 2; new ++) {
		int a = open_context(), b = open_context();
		uint32_t pd, other, mr_b;
		struct region mr;

		device_set("rereg_new", new);
		IS(alloc_pd(a, &pd), 0);
		IS(alloc_pd(a, &other), 0);
		IS(reg_mr(a, pd, buf, sizeof(buf), ACCESS_RW, &mr), 0);
		/* Away and back again: now it is none that was made here */
		IS(export_mr(a, mr.handle, b, &mr_b), 0);
		IS(dereg_mr(a, mr.handle), 0);
		IS(import_mr(a, b, mr_b, &mr), 0);
		IS(dereg_mr(b, mr_b), 0);
		IS(dealloc_pd(a, pd), 0);
		DEVICE_HAS(2, 2, 1, 0);
		IS(rereg_mr(a, mr.handle, REREG_PD, buf, 0, 0, other), 0);
		DEVICE_HAS(2, 1, 1, 0);
		close(b);
		close(a);
		DEVICE_HAS(0, 0, 0, 0);
	}
	device_set("rereg_new", 0);
}

static int home, closed, stop;
static pthread_barrier_t imported;

/* Destroys all the time what may have held an MR on home's PD */
static void *destroy_windows(void *pd)
{
	int fd = open_context();
	uint32_t alias, mw;

	NEED(!import_pd(fd, home, *(uint32_t *)pd, &alias));
	pthread_barrier_wait(&imported);
	while (!__atomic_load_n(&stop, __ATOMIC_RELAXED)) {
		NEED(!alloc_mw(fd, alias, &mw));
		NEED(!destroy(fd, UVERBS_OBJECT_MW, mw));
	}
	close(fd);
	return NULL;
}

static void *close_home(void *arg)
{
	close(home);
	__atomic_store_n(&closed, 1, __ATOMIC_RELAXED);
	return arg;
}

/*
 * Others who destroy on its PD make the one who closes try again, but cannot
 * hold it for as long as they go on.
 */
static void while_others_destroy(void)
{
	pthread_t others[4], closing;
	struct region mr;
	uint32_t pd;

	home = open_context();
	IS(alloc_pd(home, &pd), 0);
	IS(reg_mr(home, pd, buf, sizeof(buf), ACCESS_RW, &mr), 0);
	NEED(!pthread_barrier_init(&imported, NULL, 5));
	for (int i = 0; i < 4; i++)
		NEED(!pthread_create(&others[i], NULL, destroy_windows, &pd));
	pthread_barrier_wait(&imported);
	device_slow(2);
	device_set("hold_mrs", 1);
	NEED(!pthread_create(&closing, NULL, close_home, NULL));
	for (int i = 0; i < 2000; i++) {
		if (__atomic_load_n(&closed, __ATOMIC_RELAXED))
			break;
		usleep(5000);
	}
	CHECK(closed, "close() has not returned after ten seconds");
	stop = 1;
	for (int i = 0; i < 4; i++)
		NEED(!pthread_join(others[i], NULL));
	device_set("hold_mrs", 0);
	device_slow(0);
	NEED(!pthread_join(closing, NULL));
	wait_until_gone();
}

int main(void)
{
	shared_mr();
	private_mr();
	shared_pd();
	many();
	with_the_window(false);
	with_the_window(true);
	last_user_moves();
	while_others_destroy();
	return end_checks();
}
