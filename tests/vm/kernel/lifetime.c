// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * A PD and an MR of one file, their aliases in another, which also has an SRQ on
 * the PD: every order in which the five handles and the two files can go, and
 * after each step exactly what must be left.
 */
#include <fcntl.h>
#include <stdbool.h>
#include <unistd.h>

#include "command.h"
#include "device.h"

enum event {
	DEREG_A,
	DEREG_B,
	DEALLOC_A,
	DEALLOC_B,
	DESTROY_SRQ,
	CLOSE_A,
	CLOSE_B,
	EVENTS
};

struct state {
	int a, b; /* -1: closed */
	uint32_t pd_a, pd_b, mr_a, mr_b, srq;
	bool has_pd_a, has_pd_b, has_mr_a, has_mr_b, has_srq;
};

static char buf[4096] __attribute__((aligned(4096)));
static const enum event *current;

/* As device_get(), but this test asks so often that opening takes its time. */
static int counter(int which)
{
	static const char *const names[] = { "contexts", "pds", "mrs",
					     "others" };
	static int fds[4] = { -1, -1, -1, -1 };
	char text[16] = "";

	if (fds[which] < 0) {
		char path[128];

		snprintf(path, sizeof(path),
			 "/sys/module/share_test/parameters/%s", names[which]);
		fds[which] = open(path, O_RDONLY);
	}
	NEED(pread(fds[which], text, sizeof(text) - 1, 0) > 0);
	return atoi(text);
}

static void check_left(const struct state *s, int step)
{
	bool mr = s->has_mr_a || s->has_mr_b;
	bool pd = mr || s->has_pd_a || s->has_pd_b || s->has_srq;
	int want[4] = { (s->a >= 0 || pd) + (s->b >= 0), pd, mr, s->has_srq };

	for (int i = 0; i < 4; i++)
		CHECK(counter(i) == want[i],
		      "order %d%d%d%d%d%d%d step %d: %d of %d, not %d",
		      current[0], current[1], current[2], current[3],
		      current[4], current[5], current[6], step, counter(i), i,
		      want[i]);
}

static void gone(int ret, int want, bool *has)
{
	IS(ret, want);
	if (!want)
		*has = false;
}

static void do_event(struct state *s, enum event event)
{
	switch (event) {
	case DEREG_A:
		if (s->has_mr_a)
			gone(dereg_mr(s->a, s->mr_a), 0, &s->has_mr_a);
		break;
	case DEREG_B:
		if (s->has_mr_b)
			gone(dereg_mr(s->b, s->mr_b), 0, &s->has_mr_b);
		break;
	case DEALLOC_A:
		if (s->has_pd_a)
			gone(dealloc_pd(s->a, s->pd_a), s->has_mr_a ? EBUSY : 0,
			     &s->has_pd_a);
		break;
	case DEALLOC_B:
		if (s->has_pd_b)
			gone(dealloc_pd(s->b, s->pd_b), s->has_srq ? EBUSY : 0,
			     &s->has_pd_b);
		break;
	case DESTROY_SRQ:
		if (s->has_srq)
			gone(destroy_srq(s->b, s->srq), 0, &s->has_srq);
		break;
	case CLOSE_A:
		close(s->a);
		s->a = -1;
		s->has_pd_a = s->has_mr_a = false;
		break;
	case CLOSE_B:
		close(s->b);
		s->b = -1;
		s->has_pd_b = s->has_mr_b = s->has_srq = false;
		break;
	case EVENTS:
		break;
	}
}

static void run_order(const enum event *order, bool by_import)
{
	struct state s = { .a = open_context(), .b = open_context() };
	struct region mr;

	current = order;
	IS(alloc_pd(s.a, &s.pd_a), 0);
	IS(reg_mr(s.a, s.pd_a, buf, sizeof(buf), ACCESS_RW, &mr), 0);
	s.mr_a = mr.handle;
	if (by_import) {
		IS(import_mr(s.b, s.a, s.mr_a, &mr), 0);
		s.mr_b = mr.handle;
		IS(import_pd(s.b, s.a, s.pd_a, &s.pd_b), 0);
	} else {
		IS(export_pd(s.a, s.pd_a, s.b, &s.pd_b), 0);
		IS(export_mr(s.a, s.mr_a, s.b, &s.mr_b), 0);
	}
	IS(create_srq(s.b, s.pd_b, &s.srq), 0);
	s.has_pd_a = s.has_pd_b = s.has_mr_a = s.has_mr_b = s.has_srq = true;
	check_left(&s, -1);
	for (int i = 0; i < EVENTS; i++) {
		do_event(&s, order[i]);
		check_left(&s, i);
	}
}

static int orders;

static void permute(enum event *order, int n)
{
	if (n == EVENTS) {
		run_order(order, orders++ % 2);
		return;
	}
	for (int i = n; i < EVENTS; i++) {
		enum event e = order[n];

		order[n] = order[i];
		order[i] = e;
		permute(order, n + 1);
		order[i] = order[n];
		order[n] = e;
	}
}

int main(void)
{
	enum event order[EVENTS];

	for (int i = 0; i < EVENTS; i++)
		order[i] = i;
	permute(order, 0);
	CHECK(orders == 5040, "%d", orders);
	return end_checks();
}
