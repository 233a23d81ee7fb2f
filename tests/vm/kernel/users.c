// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * Every type of object that uses a PD makes its deallocation EBUSY in the file
 * that created it; unrelated objects do not, not even while they come and go.
 */
#include <pthread.h>
#include <stdbool.h>
#include <unistd.h>

#include "command.h"
#include "device.h"

static char buf[4096] __attribute__((aligned(4096)));
static int a, b;
static uint32_t pd, pd_b, cq;

static int make_mr(uint32_t on, uint32_t *handle)
{
	struct region mr;
	int ret = reg_mr(b, on, buf, sizeof(buf), ACCESS_RW, &mr);

	*handle = mr.handle;
	return ret;
}

static int make_mw(uint32_t on, uint32_t *handle)
{
	return alloc_mw(b, on, handle);
}

static int make_ah(uint32_t on, uint32_t *handle)
{
	return create_ah(b, on, handle);
}

static int make_srq(uint32_t on, uint32_t *handle)
{
	return create_srq(b, on, handle);
}

static int make_qp(uint32_t on, uint32_t *handle)
{
	return create_qp(b, on, cq, handle);
}

static int make_wq(uint32_t on, uint32_t *handle)
{
	return create_wq(b, on, cq, handle);
}

static int free_mr(uint32_t handle)
{
	return dereg_mr(b, handle);
}

static int free_mw(uint32_t handle)
{
	return destroy(b, UVERBS_OBJECT_MW, handle);
}

static int free_ah(uint32_t handle)
{
	return destroy(b, UVERBS_OBJECT_AH, handle);
}

static int free_srq(uint32_t handle)
{
	return destroy_srq(b, handle);
}

static int free_qp(uint32_t handle)
{
	return destroy_qp(b, handle);
}

static int free_wq(uint32_t handle)
{
	return destroy_wq(b, handle);
}

static const struct {
	const char *name;
	int (*make)(uint32_t on, uint32_t *handle);
	int (*free)(uint32_t handle);
} types[] = {
	{ "MR", make_mr, free_mr }, { "MW", make_mw, free_mw },
	{ "AH", make_ah, free_ah }, { "SRQ", make_srq, free_srq },
	{ "QP", make_qp, free_qp }, { "WQ", make_wq, free_wq },
};

static void each_type(void)
{
	for (unsigned int i = 0; i < sizeof(types) / sizeof(types[0]); i++) {
		uint32_t handle, other, own;
		int ret;

		ret = types[i].make(pd_b, &handle);
		CHECK(!ret, "%s: %s", types[i].name, strerror(ret));
		ret = dealloc_pd(b, pd_b);
		CHECK(ret == EBUSY, "%s: %s", types[i].name, strerror(ret));
		/* The PD was unlocked and can be looked up all the same */
		IS(import_pd(b, a, pd, &other), 0);
		IS(dealloc_pd(b, other), EBUSY);
		ret = types[i].free(handle);
		CHECK(!ret, "%s: %s", types[i].name, strerror(ret));
		IS(dealloc_pd(b, other), 0);

		/* On a PD of its own it is no obstacle to leave this one */
		IS(alloc_pd(b, &own), 0);
		IS(types[i].make(own, &handle), 0);
		IS(dealloc_pd(b, pd_b), 0);
		IS(import_pd(b, a, pd, &pd_b), 0);
		IS(dealloc_pd(b, own), EBUSY);
		IS(types[i].free(handle), 0);
		IS(dealloc_pd(b, own), 0);

		/* A creation that fails after the look-up unlocks the PD */
		if (types[i].make == make_qp || types[i].make == make_wq) {
			uint32_t no_cq = cq;

			cq = 0x7fffffff;
			CHECK(types[i].make(pd_b, &handle), "%s without a CQ",
			      types[i].name);
			cq = no_cq;
			IS(dealloc_pd(b, pd_b), 0);
			IS(import_pd(b, a, pd, &pd_b), 0);
		}
	}
}

static void *destroy_slowly(void *handle)
{
	IS(destroy_srq(b, *(uint32_t *)handle), 0);
	return NULL;
}

/* An object whose destruction has begun uses the PD until it has ended. */
static void while_it_is_destroyed(void)
{
	static const int ms[] = { 20, 2000 };
	static const int want[] = { 0, EBUSY };
	pthread_t thread;
	uint32_t srq;

	for (int i = 0; i < 2; i++) {
		IS(create_srq(b, pd_b, &srq), 0);
		device_slow(ms[i]);
		NEED(!pthread_create(&thread, NULL, destroy_slowly, &srq));
		device_wait_slow();
		/* Waits a little, then gives up */
		IS(dealloc_pd(b, pd_b), want[i]);
		pthread_join(thread, NULL);
		device_slow(0);
		if (!want[i])
			IS(import_pd(b, a, pd, &pd_b), 0);
	}
}

static void *dereg_slowly(void *handle)
{
	IS(dereg_mr(b, *(uint32_t *)handle), 0);
	return NULL;
}

/* A large MR takes long to unpin: only its own PD waits for it. */
static void while_an_mr_is_freed(void)
{
	uint32_t own, mr, mine, theirs;
	pthread_t thread;

	IS(alloc_pd(b, &own), 0);
	for (int i = 0; i < 2; i++) {
		IS(make_mr(i ? pd_b : own, &mr), 0);
		device_slow(2000);
		NEED(!pthread_create(&thread, NULL, dereg_slowly, &mr));
		device_wait_slow();
		IS(import_pd(b, a, pd, &mine), 0);
		IS(dealloc_pd(b, mine), i ? EBUSY : 0);
		IS(dealloc_pd(b, own), i ? 0 : EBUSY);
		pthread_join(thread, NULL);
		device_slow(0);
		if (i)
			IS(dealloc_pd(b, mine), 0);
	}

	/* The last alias of a shared one, made in another file */
	IS(alloc_pd(a, &own), 0);
	IS(import_pd(b, a, own, &theirs), 0);
	{
		struct region region;

		IS(reg_mr(a, own, buf, sizeof(buf), ACCESS_RW, &region), 0);
		IS(import_mr(b, a, region.handle, &region), 0);
		mr = region.handle;
	}
	close(a);
	device_slow(2000);
	NEED(!pthread_create(&thread, NULL, dereg_slowly, &mr));
	device_wait_slow();
	IS(dealloc_pd(b, theirs), 0);
	pthread_join(thread, NULL);
	device_slow(0);

	a = open_context();
	IS(import_pd(a, b, pd_b, &pd), 0);
}

static bool stop;

/* Makes and destroys in the same file, on another PD. */
static void *churn(void *on)
{
	while (!__atomic_load_n(&stop, __ATOMIC_RELAXED)) {
		uint32_t srq;

		IS(create_srq(b, *(uint32_t *)on, &srq), 0);
		IS(destroy_srq(b, srq), 0);
	}
	return NULL;
}

static void beside_unrelated_ones(void)
{
	uint32_t own, new, srqs[50];
	pthread_t threads[2];

	IS(alloc_pd(b, &own), 0);
	for (int i = 0; i < 50; i++)
		IS(create_srq(b, own, &srqs[i]), 0);
	for (int i = 0; i < 2; i++)
		NEED(!pthread_create(&threads[i], NULL, churn, &own));
	for (int i = 0; i < 2000; i++) {
		IS(import_pd(b, a, pd, &new), 0);
		IS(dealloc_pd(b, new), 0);
	}
	__atomic_store_n(&stop, true, __ATOMIC_RELAXED);
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
	for (int i = 0; i < 50; i++)
		IS(destroy_srq(b, srqs[i]), 0);
	IS(dealloc_pd(b, own), 0);
}

int main(void)
{
	a = open_context();
	b = open_context();
	IS(alloc_pd(a, &pd), 0);
	IS(import_pd(b, a, pd, &pd_b), 0);
	IS(create_cq(b, &cq), 0);
	each_type();
	while_it_is_destroyed();
	while_an_mr_is_freed();
	beside_unrelated_ones();
	IS(destroy_cq(b, cq), 0);
	close(a);
	close(b);
	DEVICE_HAS(0, 0, 0, 0);
	return end_checks();
}
