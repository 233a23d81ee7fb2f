// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* The fake device's objects: made, modified, destroyed. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "fake.h"

struct fake_cq *fake_cqs;
struct fake_qp *fake_qps;
struct fake_srq *fake_srqs;

static uint32_t next_key = 0x1000;
static uint32_t next_qpn;
static uint32_t next_srqn = 0x50;

#define FAIL_WITH(err, value)         \
	do {                          \
		int _err = (err);     \
                                      \
		if (_err) {           \
			errno = _err; \
			return value; \
		}                     \
	} while (0)

/* ---- PD, MR, DM ---- */

struct ibv_pd *ibv_alloc_pd(struct ibv_context *context)
{
	struct ibv_pd *pd;

	FAIL_WITH(fake_call_plain("alloc_pd"), NULL);
	pd = fake_alloc(sizeof(*pd));
	pd->context = context;
	return pd;
}

int ibv_dealloc_pd(struct ibv_pd *pd)
{
	FAIL_WITH(fake_call_plain("dealloc_pd"), errno);
	free(pd);
	return 0;
}

struct fake_mr {
	struct ibv_mr mr;
	unsigned char *base; /* where the memory of iova is */
	uint64_t iova;
	struct fake_mr *next;
};

static struct fake_mr *mrs;

static struct ibv_mr *new_mr(struct ibv_pd *pd, void *addr, uint64_t iova,
			     size_t length)
{
	struct fake_mr *fake = fake_alloc(sizeof(*fake));
	struct ibv_mr *mr = &fake->mr;

	mr->context = pd->context;
	mr->pd = pd;
	mr->addr = addr;
	mr->length = length;
	mr->lkey = next_key++;
	mr->rkey = mr->lkey;
	fake->base = addr;
	fake->iova = iova;
	fake->next = mrs;
	mrs = fake;
	return mr;
}

void *fake_memory(const struct ibv_sge *sge)
{
	struct fake_mr *mr;

	for (mr = mrs; mr; mr = mr->next)
		if (mr->mr.lkey == sge->lkey && sge->addr >= mr->iova &&
		    sge->addr - mr->iova <= mr->mr.length &&
		    sge->length <= mr->mr.length - (sge->addr - mr->iova))
			return mr->base + (sge->addr - mr->iova);
	return NULL;
}

/* How a buffer's address is aligned, without the address */
static const char *where(const void *addr)
{
	if (!addr)
		return "null";
	return (uintptr_t)addr % sysconf(_SC_PAGESIZE) ? "unaligned" : "page";
}

static struct ibv_mr *reg_mr(struct ibv_pd *pd, void *addr, size_t length,
			     uint64_t iova, unsigned int access)
{
	FAIL_WITH(fake_call("reg_mr", " addr=%s iova=%s length=%#zx access=%#x",
			    where(addr),
			    iova == (uintptr_t)addr ? "same" : "other", length,
			    access),
		  NULL);
	return new_mr(pd, addr, iova, length);
}

#undef ibv_reg_mr
struct ibv_mr *ibv_reg_mr(struct ibv_pd *pd, void *addr, size_t length,
			  int access)
{
	return reg_mr(pd, addr, length, (uintptr_t)addr, access);
}

#undef ibv_reg_mr_iova
struct ibv_mr *ibv_reg_mr_iova(struct ibv_pd *pd, void *addr, size_t length,
			       uint64_t iova, int access)
{
	return reg_mr(pd, addr, length, iova, access);
}

struct ibv_mr *ibv_reg_mr_iova2(struct ibv_pd *pd, void *addr, size_t length,
				uint64_t iova, unsigned int access)
{
	return reg_mr(pd, addr, length, iova, access);
}

int ibv_dereg_mr(struct ibv_mr *mr)
{
	struct fake_mr **pos = &mrs;

	FAIL_WITH(fake_call_plain("dereg_mr"), errno);
	while (*pos && &(*pos)->mr != mr)
		pos = &(*pos)->next;
	if (!*pos)
		return EINVAL;
	*pos = (*pos)->next;
	free(mr);
	return 0;
}

static int advise_mr(struct ibv_pd *pd, enum ib_uverbs_advise_mr_advice advice,
		     uint32_t flags, struct ibv_sge *sge, uint32_t num_sge)
{
	(void)pd;
	return fake_call("advise_mr",
			 " advice=%d flags=%#x sges=%u addr=%s length=%#x",
			 advice, flags, num_sge, where((void *)sge->addr),
			 sge->length);
}

struct fake_dm {
	struct ibv_dm dm;
	size_t length;
	unsigned char bytes[];
};

static int memcpy_to_dm(struct ibv_dm *dm, uint64_t offset, const void *from,
			size_t length)
{
	struct fake_dm *fake = (struct fake_dm *)dm;

	FAIL_WITH(fake_call("memcpy_to_dm", " offset=%#lx length=%#zx",
			    (unsigned long)offset, length),
		  errno);
	memcpy(fake->bytes + offset, from, length);
	return 0;
}

static int memcpy_from_dm(void *to, struct ibv_dm *dm, uint64_t offset,
			  size_t length)
{
	struct fake_dm *fake = (struct fake_dm *)dm;

	FAIL_WITH(fake_call("memcpy_from_dm", " offset=%#lx length=%#zx",
			    (unsigned long)offset, length),
		  errno);
	memcpy(to, fake->bytes + offset, length);
	return 0;
}

static struct ibv_dm *alloc_dm(struct ibv_context *context,
			       struct ibv_alloc_dm_attr *attr)
{
	struct fake_dm *dm;

	FAIL_WITH(fake_call("alloc_dm", " length=%#zx align=%u mask=%#x",
			    attr->length, attr->log_align_req, attr->comp_mask),
		  NULL);
	dm = fake_alloc(sizeof(*dm) + attr->length);
	dm->length = attr->length;
	dm->dm.context = context;
	dm->dm.memcpy_to_dm = memcpy_to_dm;
	dm->dm.memcpy_from_dm = memcpy_from_dm;
	return &dm->dm;
}

static int free_dm(struct ibv_dm *dm)
{
	FAIL_WITH(fake_call_plain("free_dm"), errno);
	free(dm);
	return 0;
}

static struct ibv_mr *reg_dm_mr(struct ibv_pd *pd, struct ibv_dm *dm,
				uint64_t offset, size_t length,
				unsigned int access)
{
	struct fake_dm *fake = (struct fake_dm *)dm;

	FAIL_WITH(fake_call("reg_dm_mr", " offset=%#lx length=%#zx access=%#x",
			    (unsigned long)offset, length, access),
		  NULL);
	return new_mr(pd, fake->bytes + offset, 0, length);
}

/* ---- completion channels, CQs ---- */

struct ibv_comp_channel *ibv_create_comp_channel(struct ibv_context *context)
{
	struct ibv_comp_channel *channel;

	FAIL_WITH(fake_call_plain("create_comp_channel"), NULL);
	channel = fake_alloc(sizeof(*channel));
	channel->context = context;
	channel->fd = -1;
	return channel;
}

int ibv_destroy_comp_channel(struct ibv_comp_channel *channel)
{
	FAIL_WITH(fake_call_plain("destroy_comp_channel"), errno);
	free(channel);
	return 0;
}

static struct fake_cq *new_cq(struct ibv_context *context, int cqe,
			      void *cq_context,
			      struct ibv_comp_channel *channel)
{
	struct fake_cq *cq = fake_alloc(sizeof(*cq));

	cq->ex.context = context;
	cq->ex.channel = channel;
	cq->ex.cq_context = cq_context;
	cq->ex.cqe = cqe;
	cq->last = &cq->first;
	cq->next = fake_cqs;
	fake_cqs = cq;
	return cq;
}

struct ibv_cq *ibv_create_cq(struct ibv_context *context, int cqe,
			     void *cq_context, struct ibv_comp_channel *channel,
			     int comp_vector)
{
	FAIL_WITH(fake_call("create_cq",
			    " cqe=%d context=%s channel=%s "
			    "vector=%d",
			    cqe, cq_context ? "given" : "none",
			    channel ? "given" : "none", comp_vector),
		  NULL);
	return (struct ibv_cq *)new_cq(context, cqe, cq_context, channel);
}

static struct ibv_cq_ex *create_cq_ex(struct ibv_context *context,
				      struct ibv_cq_init_attr_ex *attr)
{
	struct fake_cq *cq;

	FAIL_WITH(fake_call("create_cq_ex",
			    " cqe=%u context=%s channel=%s "
			    "vector=%u wc_flags=%#lx mask=%#x "
			    "flags=%#x",
			    attr->cqe, attr->cq_context ? "given" : "none",
			    attr->channel ? "given" : "none", attr->comp_vector,
			    (unsigned long)attr->wc_flags, attr->comp_mask,
			    attr->comp_mask & IBV_CQ_INIT_ATTR_MASK_FLAGS
				    ? attr->flags
				    : 0),
		  NULL);
	cq = new_cq(context, attr->cqe, attr->cq_context, attr->channel);
	fake_fill_cq_ex(cq);
	return &cq->ex;
}

int ibv_destroy_cq(struct ibv_cq *ibcq)
{
	struct fake_cq **pos = &fake_cqs;

	FAIL_WITH(fake_call_plain("destroy_cq"), errno);
	while (*pos && *pos != (struct fake_cq *)ibcq)
		pos = &(*pos)->next;
	if (!*pos)
		return EINVAL;
	*pos = (*pos)->next;
	while (((struct fake_cq *)ibcq)->first) {
		struct fake_completion *first = ((struct fake_cq *)ibcq)->first;

		((struct fake_cq *)ibcq)->first = first->next;
		free(first);
	}
	free(ibcq);
	return 0;
}

/* ---- SRQs, XRC domains ---- */

static struct ibv_srq *new_srq(struct ibv_context *context, struct ibv_pd *pd,
			       uint32_t max_wr, struct ibv_cq *cq)
{
	struct fake_srq *srq = fake_alloc(sizeof(*srq));

	srq->srq.context = context;
	srq->srq.pd = pd;
	srq->cq = cq;
	srq->number = next_srqn++;
	if (fake_queue_alloc(&srq->queue, max_wr))
		abort();
	fake_srqs = srq;
	return &srq->srq;
}

struct ibv_srq *ibv_create_srq(struct ibv_pd *pd,
			       struct ibv_srq_init_attr *attr)
{
	FAIL_WITH(fake_call("create_srq", " wr=%u sge=%u limit=%u",
			    attr->attr.max_wr, attr->attr.max_sge,
			    attr->attr.srq_limit),
		  NULL);
	return new_srq(pd->context, pd, attr->attr.max_wr, NULL);
}

static struct ibv_srq *create_srq_ex(struct ibv_context *context,
				     struct ibv_srq_init_attr_ex *attr)
{
	FAIL_WITH(fake_call("create_srq_ex",
			    " wr=%u sge=%u limit=%u mask=%#x type=%d pd=%s "
			    "xrcd=%s cq=%s",
			    attr->attr.max_wr, attr->attr.max_sge,
			    attr->attr.srq_limit, attr->comp_mask,
			    attr->srq_type, attr->pd ? "given" : "none",
			    attr->xrcd ? "given" : "none",
			    attr->cq ? "given" : "none"),
		  NULL);
	return new_srq(context, attr->pd, attr->attr.max_wr, attr->cq);
}

static int get_srq_num(struct ibv_srq *srq, uint32_t *number)
{
	FAIL_WITH(fake_call_plain("get_srq_num"), errno);
	*number = ((struct fake_srq *)srq)->number;
	return 0;
}

int ibv_destroy_srq(struct ibv_srq *srq)
{
	FAIL_WITH(fake_call_plain("destroy_srq"), errno);
	fake_srqs = NULL;
	free(((struct fake_srq *)srq)->queue.entries);
	free(srq);
	return 0;
}

static struct ibv_xrcd *open_xrcd(struct ibv_context *context,
				  struct ibv_xrcd_init_attr *attr)
{
	struct ibv_xrcd *xrcd;

	FAIL_WITH(fake_call("open_xrcd", " mask=%#x fd=%s oflags=%#x",
			    attr->comp_mask, attr->fd < 0 ? "none" : "given",
			    attr->oflags),
		  NULL);
	xrcd = fake_alloc(sizeof(*xrcd));
	xrcd->context = context;
	return xrcd;
}

static int close_xrcd(struct ibv_xrcd *xrcd)
{
	FAIL_WITH(fake_call_plain("close_xrcd"), errno);
	free(xrcd);
	return 0;
}

/* ---- QPs, address handles ---- */

static struct ibv_qp *new_qp(struct ibv_context *context,
			     const struct ibv_qp_init_attr_ex *attr)
{
	struct fake_qp *qp = fake_alloc(sizeof(*qp));
	struct ibv_qp *base = &qp->ex.qp_base;

	if (!next_qpn)
		next_qpn = strtoul(fake_env("FAKE_QPN", "0x100"), NULL, 0);
	base->context = context;
	base->qp_context = attr->qp_context;
	base->pd = attr->pd;
	base->send_cq = attr->send_cq;
	base->recv_cq = attr->recv_cq;
	base->srq = attr->srq;
	base->qp_type = attr->qp_type;
	base->qp_num = next_qpn++;
	qp->cap = attr->cap;
	qp->cap.max_inline_data = 0;
	if (fake_queue_alloc(&qp->queue, attr->cap.max_recv_wr) ||
	    fake_qp_bind(qp))
		abort();
	fake_fill_qp_ex(qp);
	qp->next = fake_qps;
	fake_qps = qp;
	return base;
}

static const char *same_cq(const struct ibv_qp_init_attr_ex *attr)
{
	if (!attr->send_cq || !attr->recv_cq)
		return attr->send_cq ? "send" : attr->recv_cq ? "recv" : "none";
	return attr->send_cq == attr->recv_cq ? "one" : "two";
}

static int log_create_qp(const char *verb, const struct ibv_qp_init_attr_ex *a)
{
	return fake_call(
		verb,
		" type=%d cq=%s srq=%s send=%u/%u recv=%u/%u inline=%u "
		"sig_all=%d context=%s mask=%#x pd=%s xrcd=%s "
		"ops=%#lx",
		a->qp_type, same_cq(a), a->srq ? "given" : "none",
		a->cap.max_send_wr, a->cap.max_send_sge, a->cap.max_recv_wr,
		a->cap.max_recv_sge, a->cap.max_inline_data, a->sq_sig_all,
		a->qp_context ? "given" : "none", a->comp_mask,
		a->pd ? "given" : "none", a->xrcd ? "given" : "none",
		(unsigned long)a->send_ops_flags);
}

struct ibv_qp *ibv_create_qp(struct ibv_pd *pd, struct ibv_qp_init_attr *attr)
{
	struct ibv_qp_init_attr_ex ex = { .comp_mask = IBV_QP_INIT_ATTR_PD };

	memcpy(&ex, attr, sizeof(*attr));
	ex.pd = pd;
	FAIL_WITH(log_create_qp("create_qp", &ex), NULL);
	return new_qp(pd->context, &ex);
}

static struct ibv_qp *create_qp_ex(struct ibv_context *context,
				   struct ibv_qp_init_attr_ex *attr)
{
	struct ibv_qp_init_attr_ex ex = *attr;

	if (!(ex.comp_mask & IBV_QP_INIT_ATTR_PD))
		ex.pd = NULL;
	if (!(ex.comp_mask & IBV_QP_INIT_ATTR_XRCD))
		ex.xrcd = NULL;
	if (!(ex.comp_mask & IBV_QP_INIT_ATTR_SEND_OPS_FLAGS))
		ex.send_ops_flags = 0;
	FAIL_WITH(log_create_qp("create_qp_ex", &ex), NULL);
	return new_qp(context, &ex);
}

struct ibv_qp_ex *ibv_qp_to_qp_ex(struct ibv_qp *qp)
{
	return (struct ibv_qp_ex *)qp;
}

int ibv_query_qp(struct ibv_qp *qp, struct ibv_qp_attr *attr, int mask,
		 struct ibv_qp_init_attr *init_attr)
{
	FAIL_WITH(fake_call("query_qp", " mask=%#x", mask), errno);
	memset(attr, 0, sizeof(*attr));
	memset(init_attr, 0, sizeof(*init_attr));
	attr->cap = ((struct fake_qp *)qp)->cap;
	attr->cap.max_inline_data =
		strtoul(fake_env("FAKE_INLINE", "0"), NULL, 0);
	init_attr->cap = attr->cap;
	return 0;
}

/* Just what the mask says is there to be read */
int ibv_modify_qp(struct ibv_qp *qp, struct ibv_qp_attr *attr, int mask)
{
	char text[600] = "";
	size_t len = 0;
#define SHOW(flag, fmt, ...)                                            \
	do {                                                            \
		if (mask & (flag))                                      \
			len += snprintf(text + len, sizeof(text) - len, \
					" " fmt, __VA_ARGS__);          \
	} while (0)

	SHOW(IBV_QP_STATE, "state=%d", attr->qp_state);
	SHOW(IBV_QP_PKEY_INDEX, "pkey=%u", attr->pkey_index);
	SHOW(IBV_QP_PORT, "port=%u", attr->port_num);
	SHOW(IBV_QP_ACCESS_FLAGS, "access=%#x", attr->qp_access_flags);
	SHOW(IBV_QP_QKEY, "qkey=%#x", attr->qkey);
	SHOW(IBV_QP_PATH_MTU, "mtu=%d", attr->path_mtu);
	SHOW(IBV_QP_DEST_QPN, "qpn=%#x", attr->dest_qp_num);
	SHOW(IBV_QP_RQ_PSN, "rq_psn=%s",
	     attr->rq_psn >> 24 ? "too big" : "24 bits");
	SHOW(IBV_QP_SQ_PSN, "sq_psn=%s",
	     attr->sq_psn >> 24 ? "too big" : "24 bits");
	SHOW(IBV_QP_MAX_DEST_RD_ATOMIC, "dest_rd=%u", attr->max_dest_rd_atomic);
	SHOW(IBV_QP_MAX_QP_RD_ATOMIC, "rd=%u", attr->max_rd_atomic);
	SHOW(IBV_QP_MIN_RNR_TIMER, "rnr_timer=%u", attr->min_rnr_timer);
	SHOW(IBV_QP_TIMEOUT, "timeout=%u", attr->timeout);
	SHOW(IBV_QP_RETRY_CNT, "retry=%u", attr->retry_cnt);
	SHOW(IBV_QP_RNR_RETRY, "rnr_retry=%u", attr->rnr_retry);
	SHOW(IBV_QP_AV,
	     "av: global=%u dlid=%u sl=%u bits=%u rate=%u port=%u hop=%u "
	     "sgid=%u class=%u flow=%u dgid=%016lx%016lx",
	     attr->ah_attr.is_global, attr->ah_attr.dlid, attr->ah_attr.sl,
	     attr->ah_attr.src_path_bits, attr->ah_attr.static_rate,
	     attr->ah_attr.port_num, attr->ah_attr.grh.hop_limit,
	     attr->ah_attr.grh.sgid_index, attr->ah_attr.grh.traffic_class,
	     attr->ah_attr.grh.flow_label,
	     (unsigned long)be64toh(
		     attr->ah_attr.grh.dgid.global.subnet_prefix),
	     (unsigned long)be64toh(
		     attr->ah_attr.grh.dgid.global.interface_id));
#undef SHOW
	FAIL_WITH(fake_call("modify_qp", " %#x mask=%#x%s", qp->qp_num, mask,
			    text),
		  errno);
	if (mask & IBV_QP_DEST_QPN)
		((struct fake_qp *)qp)->dest_qpn = attr->dest_qp_num;
	return 0;
}

int ibv_destroy_qp(struct ibv_qp *qp)
{
	struct fake_qp **pos = &fake_qps;
	struct fake_qp *fake = (struct fake_qp *)qp;

	FAIL_WITH(fake_call("destroy_qp", " %#x", qp->qp_num), errno);
	while (*pos && *pos != fake)
		pos = &(*pos)->next;
	if (!*pos)
		return EINVAL;
	*pos = fake->next;
	fake_qp_unbind(fake);
	free(fake->queue.entries);
	free(fake);
	return 0;
}

struct ibv_ah *ibv_create_ah(struct ibv_pd *pd, struct ibv_ah_attr *attr)
{
	struct ibv_ah *ah;

	FAIL_WITH(fake_call("create_ah",
			    " global=%u dlid=%u sl=%u bits=%u rate=%u port=%u "
			    "hop=%u sgid=%u class=%u flow=%u "
			    "dgid=%016lx%016lx",
			    attr->is_global, attr->dlid, attr->sl,
			    attr->src_path_bits, attr->static_rate,
			    attr->port_num, attr->grh.hop_limit,
			    attr->grh.sgid_index, attr->grh.traffic_class,
			    attr->grh.flow_label,
			    (unsigned long)be64toh(
				    attr->grh.dgid.global.subnet_prefix),
			    (unsigned long)be64toh(
				    attr->grh.dgid.global.interface_id)),
		  NULL);
	ah = fake_alloc(sizeof(*ah));
	ah->context = pd->context;
	ah->pd = pd;
	return ah;
}

int ibv_destroy_ah(struct ibv_ah *ah)
{
	FAIL_WITH(fake_call_plain("destroy_ah"), errno);
	free(ah);
	return 0;
}

void fake_fill_object_ops(struct verbs_context *context)
{
	bool none = !strcmp(fake_env("FAKE_CAPS", "full"), "none");

	context->create_cq_ex = create_cq_ex;
	context->create_qp_ex = create_qp_ex;
	if (none)
		return;
	context->advise_mr = advise_mr;
	context->alloc_dm = alloc_dm;
	context->free_dm = free_dm;
	context->reg_dm_mr = reg_dm_mr;
	context->create_srq_ex = create_srq_ex;
	context->get_srq_num = get_srq_num;
	context->open_xrcd = open_xrcd;
	context->close_xrcd = close_xrcd;
}
