// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * The one buffer of a ping-pong, from which it sends and into which it
 * receives: ordinary memory, memory that the device fetches on demand, or a
 * part of the device's own memory with the buffer as a window to look at it.
 */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pingpong.h"

/* What the first byte of each page has when buffers are validated */
#define PAGE_MARK 0
/* What a server's buffer is full of until the client writes over it */
#define STALE 0x7c

int pingpong_alloc_buffer(struct pingpong *pp)
{
	void *buf = NULL;

	if (pp->opt.size > INT_MAX ||
	    posix_memalign(&buf, pp->page, pp->kind->headroom + pp->opt.size)) {
		fprintf(stderr, "Couldn't allocate work buf.\n");
		return -1;
	}
	pp->buf = buf;
	memset(pp->buf, pp->opt.host ? pp->kind->fill : STALE,
	       pp->kind->headroom + pp->opt.size);
	return 0;
}

static bool lacks_odp(const struct pingpong *pp,
		      const struct ibv_device_attr_ex *attr)
{
	uint32_t caps = attr->odp_caps.per_transport_caps.rc_odp_caps;

	return !(attr->odp_caps.general_caps & IBV_ODP_SUPPORT) ||
	       (caps & pp->kind->odp_caps) != pp->kind->odp_caps;
}

/* Can the device do what the options ask for? */
static int check_device(struct pingpong *pp)
{
	const struct pingpong_options *opt = &pp->opt;
	struct ibv_device_attr_ex attr;

	if (!opt->odp && !opt->timestamps && !opt->dm)
		return 0;
	if (ibv_query_device_ex(pp->context, NULL, &attr)) {
		fprintf(stderr, "Couldn't query device for its features\n");
		return -1;
	}
	if (opt->odp) {
		if (lacks_odp(pp, &attr)) {
			fprintf(stderr, "%s\n", pp->kind->need_odp);
			return -1;
		}
		if (opt->implicit_odp &&
		    !(attr.odp_caps.general_caps & IBV_ODP_SUPPORT_IMPLICIT)) {
			fprintf(stderr,
				"The device doesn't support implicit ODP\n");
			return -1;
		}
		pp->access |= IBV_ACCESS_ON_DEMAND;
	}
	if (opt->timestamps) {
		if (!attr.completion_timestamp_mask) {
			fprintf(stderr, "The device isn't completion timestamp "
					"capable\n");
			return -1;
		}
		pp->timestamp_mask = attr.completion_timestamp_mask;
	}
	if (opt->dm) {
		if (!attr.max_dm_size) {
			fprintf(stderr,
				"Device doesn't support dm allocation\n");
			return -1;
		}
		if (attr.max_dm_size < opt->size) {
			fprintf(stderr, "Device memory is insufficient\n");
			return -1;
		}
		pp->access |= IBV_ACCESS_ZERO_BASED;
	}
	return 0;
}

static int register_dm(struct pingpong *pp)
{
	struct ibv_alloc_dm_attr attr = { .length = pp->opt.size };

	pp->dm = ibv_alloc_dm(pp->context, &attr);
	if (!pp->dm) {
		fprintf(stderr, "Dev mem allocation failed\n");
		return -1;
	}
	pp->mr = ibv_reg_dm_mr(pp->pd, pp->dm, 0, pp->opt.size, pp->access);
	return 0;
}

static void prefetch(struct pingpong *pp)
{
	struct ibv_sge sge = {
		.addr = pingpong_buffer_addr(pp),
		.length = pp->opt.size,
		.lkey = pp->mr->lkey,
	};
	int err;

	err = ibv_advise_mr(pp->pd, IBV_ADVISE_MR_ADVICE_PREFETCH_WRITE,
			    IB_UVERBS_ADVISE_MR_FLAG_FLUSH, &sge, 1);
	if (err)
		fprintf(stderr, "Couldn't prefetch MR(%d). Continue anyway\n",
			err);
}

int pingpong_register(struct pingpong *pp)
{
	pp->access = IBV_ACCESS_LOCAL_WRITE;
	if (check_device(pp))
		return -1;
	if (pp->opt.dm) {
		if (register_dm(pp))
			return -1;
	} else if (pp->opt.implicit_odp) {
		pp->mr = ibv_reg_mr(pp->pd, NULL, SIZE_MAX, pp->access);
	} else {
		pp->mr = ibv_reg_mr(pp->pd, pp->buf,
				    pp->kind->headroom + pp->opt.size,
				    pp->access);
	}
	if (!pp->mr) {
		fprintf(stderr, "Couldn't register MR\n");
		return -1;
	}
	if (pp->opt.prefetch)
		prefetch(pp);
	return 0;
}

int pingpong_unregister(struct pingpong *pp, bool quiet)
{
	if (pp->mr && ibv_dereg_mr(pp->mr)) {
		if (!quiet)
			fprintf(stderr, "Couldn't deregister MR\n");
		return -1;
	}
	pp->mr = NULL;
	if (pp->dm && ibv_free_dm(pp->dm)) {
		if (!quiet)
			fprintf(stderr, "Couldn't free DM\n");
		return -1;
	}
	pp->dm = NULL;
	return 0;
}

uint64_t pingpong_buffer_addr(const struct pingpong *pp)
{
	/* Keys of device memory count from its start. */
	return pp->opt.dm ? 0 : (uintptr_t)pp->buf;
}

int pingpong_fill(struct pingpong *pp)
{
	size_t at;

	if (pp->opt.check)
		for (at = 0; at < pp->opt.size; at += pp->page)
			pp->buf[pp->kind->headroom + at] = PAGE_MARK;
	if (pp->opt.dm && ibv_memcpy_to_dm(pp->dm, 0, pp->buf, pp->opt.size)) {
		fprintf(stderr, "Copy to dm buffer failed\n");
		return -1;
	}
	return 0;
}

int pingpong_validate(struct pingpong *pp)
{
	size_t at;

	if (pp->opt.dm &&
	    ibv_memcpy_from_dm(pp->buf, pp->dm, 0, pp->opt.size)) {
		fprintf(stderr, "Copy from DM buffer failed\n");
		return -1;
	}
	for (at = 0; at < pp->opt.size; at += pp->page)
		if (pp->buf[pp->kind->headroom + at] != PAGE_MARK)
			printf("invalid data in page %zu\n", at / pp->page);
	return 0;
}
