// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* What the entry points of all other objects add around the provider's ops. */
#include <fcntl.h>
#include <unistd.h>

#include <rdma/ib_user_verbs.h>

#include "model_test.h"
#include "priv.h"

static struct ibv_context *context;
static struct mp_context *mp;
static struct ibv_pd *pd;

static int begin(void **state)
{
	static const struct mp_options options = { .import_ops = true };

	(void)state;
	context = mp_open(&options);
	mp = mp_get(context);
	pd = ibv_alloc_pd(context);
	CHECK(pd);
	return 0;
}

static int end(void **state)
{
	CHECK_INT(ibv_dealloc_pd(pd), 0);
	mp_close(context);
	return model_teardown(state);
}

/* A mutex and a condition variable that the library has initialised */
static void check_usable(pthread_mutex_t *mutex, pthread_cond_t *cond)
{
	CHECK_INT(pthread_mutex_trylock(mutex), 0);
	CHECK_INT(pthread_cond_signal(cond), 0);
	CHECK_INT(pthread_mutex_unlock(mutex), 0);
}

/* ---- completion queues and channels ---- */

MODEL_TEST(cq)
{
	struct ibv_cq *cq = ibv_create_cq(context, 10, &mp, NULL, 3);

	CHECK(cq && cq->context == context && cq->cq_context == &mp);
	CHECK(!cq->channel);
	CHECK_INT(cq->cqe, 11);
	CHECK_INT(mp->other.flags, 3);
	CHECK_INT(cq->comp_events_completed, 0);
	CHECK_INT(cq->async_events_completed, 0);
	check_usable(&cq->mutex, &cq->cond);

	CHECK_INT(ibv_resize_cq(cq, 20), 0);
	CHECK_INT(mp->other.flags, 20);
	mp->result = EINVAL;
	CHECK_INT(ibv_resize_cq(cq, 20), EINVAL);

	ibv_ack_cq_events(cq, 2);
	ibv_ack_cq_events(cq, 3);
	CHECK_INT(cq->comp_events_completed, 5);

	mp->result = 0;
	CHECK_INT(ibv_destroy_cq(cq), 0);
	mp->result = ENOMEM;
	CHECK_NULL(ibv_create_cq(context, 10, NULL, NULL, 0), ENOMEM);
}

MODEL_TEST(channel_counts_its_cqs)
{
	struct ibv_comp_channel *channel = ibv_create_comp_channel(context);
	struct ibv_cq *cq;
	int fd;

	CHECK(channel && channel->context == context);
	CHECK_INT(channel->refcnt, 0);
	fd = channel->fd;
	CHECK(fcntl(fd, F_GETFD) >= 0);

	mp->result = ENOMEM;
	CHECK_NULL(ibv_create_cq(context, 1, NULL, channel, 0), ENOMEM);
	CHECK_INT(channel->refcnt, 0);
	mp->result = 0;
	cq = ibv_create_cq(context, 1, NULL, channel, 0);
	CHECK(cq && cq->channel == channel);
	CHECK_INT(channel->refcnt, 1);
	CHECK_INT(ibv_destroy_comp_channel(channel), EBUSY);

	mp->result = EBUSY;
	CHECK_INT(ibv_destroy_cq(cq), EBUSY);
	CHECK_INT(channel->refcnt, 1);
	mp->result = 0;
	CHECK_INT(ibv_destroy_cq(cq), 0);
	CHECK_INT(channel->refcnt, 0);
	CHECK_INT(ibv_destroy_comp_channel(channel), 0);
	CHECK(fcntl(fd, F_GETFD) < 0);

	model_fail(MODEL_OLDER(CREATE_COMP_CHANNEL), EMFILE);
	CHECK_NULL(ibv_create_comp_channel(context), EMFILE);
}

MODEL_TEST(cq_events)
{
	struct ibv_comp_channel *channel = ibv_create_comp_channel(context);
	struct ib_uverbs_comp_event_desc record;
	struct ibv_cq *cq, *from = NULL;
	void *cq_context = NULL;
	int cookie;

	CHECK(channel);
	cq = ibv_create_cq(context, 1, &cookie, channel, 0);
	CHECK(cq);
	record.cq_handle = (uintptr_t)cq;

	model_report(channel->fd, &record, sizeof(record));
	CHECK_INT(ibv_get_cq_event(channel, &from, &cq_context), 0);
	CHECK(from == cq && cq_context == &cookie);
	CHECK_INT(mp->cq_event.calls, 1);

	/* Nothing there */
	from = NULL;
	cq_context = NULL;
	CHECK_INT(fcntl(channel->fd, F_SETFL, O_NONBLOCK), 0);
	errno = 0;
	CHECK_INT(ibv_get_cq_event(channel, &from, &cq_context), -1);
	CHECK_INT(errno, EAGAIN);

	/* Less than a record */
	model_report(channel->fd, &record, sizeof(record) - 1);
	errno = 0;
	CHECK_INT(ibv_get_cq_event(channel, &from, &cq_context), -1);
	CHECK_INT(errno, EIO);
	model_report(channel->fd, NULL, 0);
	errno = 0;
	CHECK_INT(ibv_get_cq_event(channel, &from, &cq_context), -1);
	CHECK_INT(errno, EIO);
	CHECK(!from && !cq_context);
	CHECK_INT(mp->cq_event.calls, 1);

	CHECK_INT(ibv_destroy_cq(cq), 0);
	CHECK_INT(ibv_destroy_comp_channel(channel), 0);
}

/* ---- queue pairs ---- */

static struct ibv_qp *create_qp(int extended)
{
	struct ibv_qp_init_attr attr = { .sq_sig_all = extended };
	struct ibv_qp *qp = ibv_create_qp(pd, &attr);

	CHECK(qp);
	return qp;
}

MODEL_TEST(qp_state)
{
	struct ibv_qp *qp = create_qp(0);
	struct ibv_qp_attr attr = { .qp_state = IBV_QPS_INIT };
	struct ibv_qp_init_attr init_attr;

	CHECK_INT(ibv_modify_qp(qp, &attr, IBV_QP_PORT), 0);
	CHECK_INT(qp->state, IBV_QPS_RESET);
	mp->result = EINVAL;
	CHECK_INT(ibv_modify_qp(qp, &attr, IBV_QP_STATE), EINVAL);
	CHECK_INT(qp->state, IBV_QPS_RESET);
	CHECK_INT(ibv_query_qp(qp, &attr, IBV_QP_STATE, &init_attr), EINVAL);
	CHECK_INT(qp->state, IBV_QPS_RESET);

	mp->result = 0;
	attr.qp_state = IBV_QPS_INIT;
	CHECK_INT(ibv_modify_qp(qp, &attr, IBV_QP_STATE | IBV_QP_PORT), 0);
	CHECK_INT(mp->other.flags, IBV_QP_STATE | IBV_QP_PORT);
	CHECK_INT(qp->state, IBV_QPS_INIT);
	CHECK_INT(ibv_query_qp(qp, &attr, IBV_QP_PORT, &init_attr), 0);
	CHECK_INT(qp->state, IBV_QPS_INIT);
	CHECK_INT(ibv_query_qp(qp, &attr, IBV_QP_STATE, &init_attr), 0);
	CHECK_INT(qp->state, IBV_QPS_SQE);

	mp->result = EBUSY;
	CHECK_INT(ibv_destroy_qp(qp), EBUSY);
	CHECK_NULL(ibv_create_qp(pd, &(struct ibv_qp_init_attr){ 0 }), EBUSY);
	mp->result = 0;
	CHECK_INT(ibv_destroy_qp(qp), 0);
}

MODEL_TEST(qp_to_qp_ex)
{
	struct ibv_qp *plain = create_qp(0), *extended = create_qp(1);

	CHECK(!ibv_qp_to_qp_ex(plain));
	CHECK(&ibv_qp_to_qp_ex(extended)->qp_base == extended);
	CHECK_INT(ibv_destroy_qp(plain), 0);
	CHECK_INT(ibv_destroy_qp(extended), 0);
}

MODEL_TEST(qp_others)
{
	struct ibv_qp *qp = create_qp(0);
	struct ibv_ece ece = { .options = 5 };
	union ibv_gid gid = { .raw = { 3 } };

	mp->other.calls = 0;
	errno = 0;
	CHECK_ERROR(ibv_set_ece(qp, &ece), EOPNOTSUPP);
	CHECK_INT(mp->other.calls, 0);
	ece.vendor_id = 0x15b3;
	CHECK_INT(ibv_set_ece(qp, &ece), 0);
	CHECK_INT(mp->other.flags, 5);
	CHECK_INT(ibv_query_ece(qp, &ece), 0);
	CHECK_INT(ece.options, 7);
	mp->result = EINVAL;
	CHECK_INT(ibv_set_ece(qp, &ece), EINVAL);
	CHECK_INT(ibv_query_ece(qp, &ece), EINVAL);
	CHECK_INT(ibv_attach_mcast(qp, &gid, 9), EINVAL);
	CHECK_INT(ibv_detach_mcast(qp, &gid, 9), EINVAL);
	mp->result = 0;

	CHECK_INT(ibv_attach_mcast(qp, &gid, 9), 0);
	CHECK_INT(mp->other.flags, 12);
	CHECK_INT(ibv_detach_mcast(qp, &gid, 9), 0);
	CHECK_INT(mp->other.flags, -12);

#if defined(__x86_64__) || defined(__i386__)
	CHECK_INT(ibv_query_qp_data_in_order(qp, IBV_WR_SEND, 1), 1);
	CHECK_INT(mp->other.flags, IBV_WR_SEND + 1);
#else
	CHECK_INT(ibv_query_qp_data_in_order(qp, IBV_WR_SEND, 1), 0);
#endif
	CHECK_INT(ibv_destroy_qp(qp), 0);
}

/* ---- shared receive queues, address handles ---- */

MODEL_TEST(srq)
{
	struct ibv_srq_init_attr init = { .srq_context = &pd };
	struct ibv_srq_attr attr;
	struct ibv_srq *srq = ibv_create_srq(pd, &init);

	CHECK(srq && srq->context == context && srq->pd == pd);
	CHECK(srq->srq_context == &pd);
	CHECK_INT(srq->events_completed, 0);
	check_usable(&srq->mutex, &srq->cond);
	CHECK_INT(ibv_modify_srq(srq, &attr, IBV_SRQ_LIMIT), 0);
	CHECK_INT(mp->other.flags, IBV_SRQ_LIMIT);
	CHECK_INT(ibv_query_srq(srq, &attr), 0);
	CHECK_INT(attr.max_wr, 11);
	mp->result = EBUSY;
	CHECK_INT(ibv_modify_srq(srq, &attr, IBV_SRQ_LIMIT), EBUSY);
	CHECK_INT(ibv_query_srq(srq, &attr), EBUSY);
	CHECK_INT(ibv_destroy_srq(srq), EBUSY);
	CHECK_NULL(ibv_create_srq(pd, &init), EBUSY);
	mp->result = 0;
	CHECK_INT(ibv_destroy_srq(srq), 0);
}

MODEL_TEST(address_handle)
{
	struct ibv_ah_attr attr = { .dlid = 12 };
	struct ibv_ah *ah = ibv_create_ah(pd, &attr);

	CHECK(ah && ah->context == context && ah->pd == pd);
	CHECK_INT(mp->other.flags, 12);
	mp->result = EINVAL;
	CHECK_INT(ibv_destroy_ah(ah), EINVAL);
	CHECK_NULL(ibv_create_ah(pd, &attr), EINVAL);
	mp->result = 0;
	CHECK_INT(ibv_destroy_ah(ah), 0);
}

/* ---- device and port ---- */

MODEL_TEST(device_attributes)
{
	struct {
		struct ibv_device_attr attr;
		uint64_t behind;
	} device = { .behind = 0x5ea1 };

	mp->num_ports = 2;
	CHECK_INT(ibv_query_device(context, &device.attr), 0);
	CHECK_INT(device.attr.phys_port_cnt, 2);
	CHECK_INT(device.behind, 0x5ea1);
	mp->result = EIO;
	CHECK_INT(ibv_query_device(context, &device.attr), EIO);
}

#undef ibv_query_port
MODEL_TEST(port_attributes_of_old_programs)
{
	union {
		struct ibv_port_attr attr;
		unsigned char bytes[sizeof(struct ibv_port_attr)];
	} port;
	struct _compat_ibv_port_attr *old = (void *)&port;

	memset(&port, 0xa5, sizeof(port));
	mp->port = (struct ibv_port_attr){ .lid = 7,
					   .flags = 1,
					   .port_cap_flags2 = 0xffff };
	mp->result = EINVAL;
	CHECK_INT(ibv_query_port(context, 2, old), EINVAL);
	CHECK_INT(port.bytes[0], 0xa5);

	mp->result = 0;
	CHECK_INT(ibv_query_port(context, 2, old), 0);
	CHECK_INT(mp->other.flags, 2);
	CHECK_INT(port.attr.lid, 7);
	CHECK_INT(port.attr.flags, 1);
	for (size_t i = 48; i < sizeof(port); i++)
		CHECK_INT(port.bytes[i], 0xa5);
}

#define object_unit(_name) cmocka_unit_test_setup_teardown(_name, begin, end)

int main(void)
{
	const struct CMUnitTest tests[] = {
		object_unit(cq),
		object_unit(channel_counts_its_cqs),
		object_unit(cq_events),
		object_unit(qp_state),
		object_unit(qp_to_qp_ex),
		object_unit(qp_others),
		object_unit(srq),
		object_unit(address_handle),
		object_unit(device_attributes),
		object_unit(port_attributes_of_old_programs),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
