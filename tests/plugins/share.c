// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * share <plug-in> [<variant>]: import of PDs and MRs with a released plug-in that knows
 * nothing of it, or, where it cannot be, that it fails as promised.
 *
 * There are two contexts on one device: the owner's, and the importer's.
 */
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <infiniband/share.h>
#include <rdma/ib_user_ioctl_verbs.h>

#include "check.h"
#include "driver.h"
#include "fake_kernel.h"
#include "fake_machine.h"
#include "meet.h"
#include "share_state.h"

#define ROUNDS 40

#define ALLOC_PD MODEL_OLDER(ALLOC_PD)
#define REG_MR MODEL_OLDER(REG_MR)

static const struct plugin *plugin;
static struct ibv_context *owner, *importer;
static struct ibv_pd *owner_pd;
static struct ibv_pd *importers_pds[4];
static struct ibv_mr *owner_mr;
static char memory[8192];
static char log_path[128];

/* ---- the library's log ---- */

static bool log_says(const char *text)
{
	char bytes[4096];
	FILE *file = fopen(log_path, "r");
	size_t len;

	CHECK(file);
	len = fread(bytes, 1, sizeof(bytes) - 1, file);
	fclose(file);
	bytes[len] = '\0';
	/* Only what comes from now on counts the next time. */
	CHECK(!truncate(log_path, 0));
	return text ? strstr(bytes, text) != NULL : len > 0;
}

/* ---- PDs ---- */

/* What the driver told the owner is in the plug-in's struct, too. */
static void check_pd_state(struct ibv_pd *pd)
{
	uint8_t reply[64], owners[64];
	struct pd_state state = plugin->pd_state;
	uint32_t pdn;

	fake_kernel_pd_reply(importer->cmd_fd, pd->handle, reply,
			     sizeof(reply));
	fake_kernel_pd_reply(owner->cmd_fd, owner_pd->handle, owners,
			     sizeof(owners));
	CHECK(!memcmp(reply, owners, sizeof(reply)));
	memcpy(&pdn, reply, sizeof(pdn));
	check_direct_pd(plugin, pd, pdn);
	if (!state.len)
		return;
	CHECK(memcmp(reply + state.in_reply, "\0\0\0\0", state.len));
	CHECK(!memcmp((char *)pd + state.in_struct, reply + state.in_reply,
		      state.len));
	CHECK(!memcmp((char *)owner_pd + state.in_struct,
		      reply + state.in_reply, state.len));
}

static struct ibv_pd *import_pd(void)
{
	const struct logged *import;
	size_t from = log_length();
	struct ibv_pd *pd;

	pd = ibv_import_pd(importer, owner->cmd_fd, owner_pd->handle);
	CHECK(pd);
	CHECK_INT(log_count(from, MODEL_IMPORT_PD), 1);
	CHECK_INT(log_length() - from, plugin->asks_driver ? 2 : 1);
	import = log_first(from, MODEL_IMPORT_PD);
	CHECK_INT(import->fd, importer->cmd_fd);
	CHECK_INT(pd->handle, import->object);
	CHECK(pd->handle != owner_pd->handle);
	CHECK(pd->context == importer);
	CHECK_INT(model_aliases(importer->cmd_fd, pd->handle), 2);
	if (plugin->pd_reply && !model.reply_forged)
		check_pd_state(pd);
	return pd;
}

static void dealloc_pd(struct ibv_pd *pd)
{
	uint32_t handle = pd->handle;
	size_t from = log_length();

	CHECK_INT(ibv_dealloc_pd(pd), 0);
	CHECK_INT(log_count(from, COMMAND_DESTROY(PD)), 1);
	CHECK_INT(log_first(from, COMMAND_DESTROY(PD))->object, handle);
	CHECK_INT(model_aliases(owner->cmd_fd, owner_pd->handle), 1);
}

/* ---- what is created on an imported PD ---- */

/*
 * There is one command of the kind, and whatever names a PD names this one:
 * some plug-ins register memory for what they create.
 */
static void check_command(size_t from, struct model_command command,
			  uint32_t pd, const char *what)
{
	size_t count = log_count(from, command);

	for (; from < log_length(); from++) {
		const struct logged *entry = log_entry(from);

		if (entry->pd != NO_HANDLE && entry->pd != pd) {
			fprintf(stderr, "%s: a command on PD %u, not %u\n",
				what, entry->pd, pd);
			exit(1);
		}
	}
	if (count != 1) {
		fprintf(stderr, "%s: %zu commands\n", what, count);
		exit(1);
	}
}

static void use_mr(struct ibv_pd *pd)
{
	size_t from = log_length();
	struct ibv_mr *mr;

	mr = ibv_reg_mr(pd, memory, sizeof(memory), IBV_ACCESS_LOCAL_WRITE);
	CHECK(mr);
	check_command(from, REG_MR, pd->handle, "registration");
	CHECK(mr->pd == pd);
	CHECK(mr->lkey != owner_mr->lkey);
	CHECK(mr->addr == memory);
	/* The PD is in use, in this file; some plug-ins log that. */
	CHECK_INT(ibv_dealloc_pd(pd), EBUSY);
	log_says(NULL);
	CHECK_INT(ibv_dereg_mr(mr), 0);
}

static struct ibv_ah_attr ah_attr = {
	.is_global = 1,
	.port_num = 1,
	.dlid = 1,
	.grh = { .hop_limit = 1, .dgid.raw = { 0xfe, 0x80, [15] = 1 } },
};

static void use_ah(struct ibv_pd *pd)
{
	struct model_command create = MODEL_OLDER(CREATE_AH);
	size_t from = log_length();
	struct ibv_ah *ah;
	uint32_t pdn;

	errno = 0;
	ah = ibv_create_ah(pd, &ah_attr);
	if (!ah)
		perror("address handle");
	CHECK(ah);
	if (plugin->uses & USE_AH)
		check_command(from, create, pd->handle, "address handle");
	else
		CHECK_INT(log_count(from, create), 0);
	if (plugin->ah_registers)
		check_command(from, REG_MR, pd->handle, "page of handles");
	fake_kernel_pd_reply(owner->cmd_fd, owner_pd->handle, &pdn,
			     sizeof(pdn));
	check_address_vector(plugin, ah, pdn);
	CHECK_INT(ibv_destroy_ah(ah), 0);
}

static void use_mw(struct ibv_pd *pd)
{
	size_t from = log_length();
	struct ibv_mw *mw = ibv_alloc_mw(pd, IBV_MW_TYPE_1);

	CHECK(mw);
	check_command(from, MODEL_OLDER(ALLOC_MW), pd->handle, "window");
	CHECK_INT(ibv_dealloc_mw(mw), 0);
}

static void use_srq(struct ibv_pd *pd)
{
	struct ibv_srq_init_attr attr = {
		.attr = { .max_wr = 16, .max_sge = 1 },
	};
	size_t from = log_length();
	struct ibv_srq *srq = ibv_create_srq(pd, &attr);

	if (!srq)
		perror("SRQ");
	CHECK(srq);
	check_command(from,
		      MODEL_NATIVE(UVERBS_OBJECT_SRQ, UVERBS_METHOD_SRQ_CREATE),
		      pd->handle, "SRQ");
	CHECK_INT(ibv_destroy_srq(srq), 0);
}

static struct ibv_cq *create_cq(void)
{
	struct ibv_cq *cq = ibv_create_cq(importer, 16, NULL, NULL, 0);

	if (!cq)
		perror("CQ");
	CHECK(cq);
	return cq;
}

/* The PD that the plug-in allocated for itself when the importer was opened */
static uint32_t importers_own_pd(void)
{
	for (size_t i = 0; i < log_length(); i++)
		if (log_entry(i)->fd == importer->cmd_fd &&
		    log_entry(i)->command.number == IB_USER_VERBS_CMD_ALLOC_PD)
			return log_entry(i)->object;
	return NO_HANDLE;
}

static void use_cq(struct ibv_pd *pd)
{
	size_t from = log_length(), i;
	struct ibv_cq *cq = create_cq();

	CHECK_INT(log_count(from, MODEL_IMPORT_PD), 0);
	CHECK_INT(log_count(from, MODEL_IMPORT_MR), 0);
	CHECK(plugin->own_pd == (log_count(from, REG_MR) > 0));
	for (i = from; i < log_length(); i++) {
		const struct logged *entry = log_entry(i);

		CHECK(entry->pd != pd->handle);
		if (entry->command.number == IB_USER_VERBS_CMD_REG_MR)
			CHECK_INT(entry->pd, importers_own_pd());
	}
	CHECK_INT(ibv_destroy_cq(cq), 0);
}

static void use_qp(struct ibv_pd *pd)
{
	struct ibv_qp_init_attr attr = {
		.qp_type = plugin->qp_type ? plugin->qp_type : IBV_QPT_RC,
		.cap = { .max_send_wr = 4,
			 .max_recv_wr = 4,
			 .max_send_sge = 1,
			 .max_recv_sge = 1 },
	};
	struct ibv_cq *cq = create_cq();
	size_t from = log_length();
	struct ibv_qp *qp;

	attr.send_cq = attr.recv_cq = cq;
	qp = ibv_create_qp(pd, &attr);
	if (!qp)
		perror("QP");
	CHECK(qp);
	check_command(from,
		      MODEL_NATIVE(UVERBS_OBJECT_QP, UVERBS_METHOD_QP_CREATE),
		      pd->handle, "QP");
	CHECK(qp->pd == pd);
	CHECK_INT(ibv_destroy_qp(qp), 0);
	CHECK_INT(ibv_destroy_cq(cq), 0);
}

static void to_ready_to_send(struct ibv_qp *qp)
{
	struct ibv_qp_attr attr = { .qp_state = IBV_QPS_INIT, .port_num = 1 };

	CHECK_INT(ibv_modify_qp(qp, &attr,
				IBV_QP_STATE | IBV_QP_PKEY_INDEX | IBV_QP_PORT |
					IBV_QP_QKEY),
		  0);
	attr.qp_state = IBV_QPS_RTR;
	CHECK_INT(ibv_modify_qp(qp, &attr, IBV_QP_STATE), 0);
	attr.qp_state = IBV_QPS_RTS;
	CHECK_INT(ibv_modify_qp(qp, &attr, IBV_QP_STATE | IBV_QP_SQ_PSN), 0);
}

/* A datagram on an imported PD, for a plug-in that puts the PD into it */
static void use_datagram(struct ibv_pd *pd)
{
	struct ibv_qp_init_attr init = {
		.qp_type = IBV_QPT_UD,
		.cap = { .max_send_wr = 4,
			 .max_recv_wr = 4,
			 .max_send_sge = 1,
			 .max_recv_sge = 1 },
	};
	struct ibv_sge sge = {
		.addr = 4096,
		.length = 64,
		.lkey = owner_mr->lkey,
	};
	struct ibv_send_wr send = { .sg_list = &sge,
				    .num_sge = 1,
				    .opcode = IBV_WR_SEND,
				    .wr.ud.remote_qpn = 1 },
			   *bad;
	struct ibv_cq *cq = create_cq();
	size_t from = log_length();
	const struct logged *create;
	struct ibv_qp *qp;
	uint32_t pdn;

	init.send_cq = init.recv_cq = cq;
	qp = ibv_create_qp(pd, &init);
	CHECK(qp);
	create = log_first(from, MODEL_NATIVE(UVERBS_OBJECT_QP,
					      UVERBS_METHOD_QP_CREATE));
	CHECK(create);
	to_ready_to_send(qp);
	send.wr.ud.ah = ibv_create_ah(pd, &ah_attr);
	CHECK(send.wr.ud.ah);
	fake_kernel_pd_reply(owner->cmd_fd, owner_pd->handle, &pdn,
			     sizeof(pdn));
	check_send_queue(create->driver_in, pdn, false);
	CHECK_INT(ibv_post_send(qp, &send, &bad), 0);
	check_send_queue(create->driver_in, pdn, true);
	CHECK_INT(ibv_destroy_ah(send.wr.ud.ah), 0);
	CHECK_INT(ibv_destroy_qp(qp), 0);
	CHECK_INT(ibv_destroy_cq(cq), 0);
}

static void use_pd(struct ibv_pd *pd)
{
	if (plugin->uses & USE_MR)
		use_mr(pd);
	if (plugin->uses & (USE_AH | USE_AH_IN_USER))
		use_ah(pd);
	if (plugin->uses & USE_MW)
		use_mw(pd);
	if (plugin->uses & USE_SRQ)
		use_srq(pd);
	if (plugin->uses & USE_CQ)
		use_cq(pd);
	if (plugin->uses & USE_QP)
		use_qp(pd);
	if (plugin->driver_id == RDMA_DRIVER_HNS)
		use_datagram(pd);
}

/* ---- MRs ---- */

static void check_mr(struct ibv_mr *mr, struct ibv_pd *pd)
{
	CHECK(mr);
	CHECK_INT(mr->lkey, owner_mr->lkey);
	CHECK_INT(mr->rkey, owner_mr->rkey);
	CHECK_INT(mr->length, owner_mr->length);
	CHECK(mr->addr == NULL);
	CHECK(mr->pd == pd);
	CHECK(mr->context == importer);
	CHECK_INT(model_aliases(importer->cmd_fd, mr->handle), 2);
}

static void import_mr(struct ibv_pd *pd)
{
	size_t from = log_length();
	struct ibv_mr *mr;
	uint32_t handle;

	mr = ibv_import_mr(importer, owner->cmd_fd, owner_mr->handle);
	check_mr(mr, pd);
	CHECK_INT(log_count(from, MODEL_IMPORT_MR), 1);
	CHECK_INT(log_first(from, MODEL_IMPORT_MR)->object, mr->handle);
	CHECK_INT(log_length() - from, 1);

	from = log_length();
	handle = mr->handle;
	CHECK_INT(ibv_dereg_mr(mr), 0);
	CHECK_INT(log_count(from, COMMAND_DESTROY(MR)), 1);
	CHECK_INT(log_first(from, COMMAND_DESTROY(MR))->object, handle);
	CHECK_INT(model_aliases(owner->cmd_fd, owner_mr->handle), 1);
}

/* The PD may go first. */
static void import_mr_dealloc_pd(void)
{
	struct ibv_pd *pd = import_pd();
	struct ibv_mr *mr;

	mr = ibv_import_mr(importer, owner->cmd_fd, owner_mr->handle);
	check_mr(mr, pd);
	dealloc_pd(pd);
	CHECK_INT(ibv_dereg_mr(mr), 0);
	CHECK_INT(model_aliases(owner->cmd_fd, owner_mr->handle), 1);
}

/* Memory that work requests name from 0: some plug-ins refuse such addresses. */
static void import_mr_at_zero(void)
{
	struct ibv_mr *mr, *imported;

	mr = ibv_reg_mr_iova(owner_pd, memory, sizeof(memory), 0,
			     IBV_ACCESS_LOCAL_WRITE);
	CHECK(mr);
	imported = ibv_import_mr(importer, owner->cmd_fd, mr->handle);
	CHECK(imported);
	CHECK_INT(imported->lkey, mr->lkey);
	CHECK_INT(imported->length, sizeof(memory));
	CHECK_INT(ibv_dereg_mr(imported), 0);
	CHECK_INT(ibv_dereg_mr(mr), 0);
}

/* Twice at once, given back in either order */
static void import_mr_twice(void)
{
	struct ibv_mr *first, *second;
	int round;

	for (round = 0; round < 2; round++) {
		first = ibv_import_mr(importer, owner->cmd_fd,
				      owner_mr->handle);
		second = ibv_import_mr(importer, owner->cmd_fd,
				       owner_mr->handle);
		CHECK(first && second && first->handle != second->handle);
		CHECK_INT(model_aliases(owner->cmd_fd, owner_mr->handle), 3);
		CHECK_INT(ibv_dereg_mr(round ? first : second), 0);
		CHECK_INT(ibv_dereg_mr(round ? second : first), 0);
		CHECK_INT(model_aliases(owner->cmd_fd, owner_mr->handle), 1);
	}
}

/* ---- what fails ---- */

static void import_fails(int err)
{
	size_t handles = model_handles(importer->cmd_fd);

	CHECK_NULL(ibv_import_pd(importer, owner->cmd_fd, owner_pd->handle),
		   err);
	CHECK_INT(model_handles(importer->cmd_fd), handles);
	CHECK_INT(model_aliases(owner->cmd_fd, owner_pd->handle), 1);
}

static bool needs_reply(void)
{
	return plugin->pd_reply && !plugin->asks_driver;
}

static void reply_is_lost(void)
{
	struct ibv_pd *pd;

	CHECK(!log_says(NULL));
	model.reply_lost = true;
	if (needs_reply()) {
		import_fails(EOPNOTSUPP);
		CHECK(log_says("bytes of its kernel driver for an imported "
			       "object, the kernel has 0\n"));
	} else {
		pd = import_pd();
		dealloc_pd(pd);
		CHECK(!log_says(NULL));
	}
	model.reply_lost = false;
}

/* Less than the number of a PD: no struct is made with the rest in zeros. */
static void reply_is_short(void)
{
	if (!needs_reply())
		return;
	model.pd_reply = 3;
	import_fails(EOPNOTSUPP);
	CHECK(log_says("bytes of its kernel driver for an imported object, "
		       "the kernel has 3\n"));
	model.pd_reply = plugin->pd_reply;
}

static bool contains(const void *bytes, size_t len, const void *word)
{
	for (size_t i = 0; i + 4 <= len; i++)
		if (!memcmp((const char *)bytes + i, word, 4))
			return true;
	return false;
}

/*
 * The exporter has made up the number.  The plug-in cannot know, and puts it
 * wherever it puts the right one (use_pd() looks); but the kernel is told of
 * the PD by the handle alone, so whatever it makes is on the PD that was
 * imported.
 */
static void reply_is_forged(void)
{
	const struct pd_state *state = &plugin->pd_state;
	size_t from = log_length();
	uint32_t forged;
	struct ibv_pd *pd;

	if (!needs_reply())
		return;
	model.reply_forged = true;
	pd = import_pd();
	if (state->len)
		CHECK(memcmp((char *)pd + state->in_struct,
			     (char *)owner_pd + state->in_struct, state->len));
	fake_kernel_pd_reply(owner->cmd_fd, owner_pd->handle, &forged,
			     sizeof(forged));
	use_pd(pd);
	for (; from < log_length(); from++) {
		const struct logged *entry = log_entry(from);

		CHECK(!contains(entry->driver_in, sizeof(entry->driver_in),
				&forged));
		CHECK(!contains(entry->bytes, sizeof(entry->bytes), &forged));
	}
	dealloc_pd(pd);
	model.reply_forged = false;

	pd = import_pd();
	dealloc_pd(pd);
}

static void kernel_cannot(void)
{
	size_t handles = model_handles(importer->cmd_fd);

	model.no_share = true;
	import_fails(EOPNOTSUPP);
	CHECK_NULL(ibv_import_mr(importer, owner->cmd_fd, owner_mr->handle),
		   EOPNOTSUPP);
	model.no_share = false;
	model_fail(MODEL_IMPORT_PD, EIO);
	import_fails(EIO);
	model_fail(MODEL_IMPORT_MR, EIO);
	CHECK_NULL(ibv_import_mr(importer, owner->cmd_fd, owner_mr->handle),
		   EIO);
	CHECK_INT(model_handles(importer->cmd_fd), handles);
}

/* No command to the kernel, and a word to who has asked for it */
static void plugin_cannot(void)
{
	size_t from = log_length();

	import_fails(EOPNOTSUPP);
	CHECK(log_says("objects cannot be imported: its"));
	CHECK_NULL(ibv_import_mr(importer, owner->cmd_fd, owner_mr->handle),
		   EOPNOTSUPP);
	CHECK(log_says("objects cannot be imported: its"));
	CHECK_INT(log_length(), from);
}

/* ---- threads ---- */

static void *import_in_thread(void *arg)
{
	for (int i = 0; i < ROUNDS; i++) {
		struct ibv_pd *pd;
		struct ibv_mr *mr;

		pd = ibv_import_pd(importer, owner->cmd_fd, owner_pd->handle);
		CHECK(pd);
		CHECK_INT(model_aliases(importer->cmd_fd, pd->handle), 2);
		mr = ibv_import_mr(importer, owner->cmd_fd, owner_mr->handle);
		check_mr(mr, pd);
		CHECK_INT(ibv_dereg_mr(mr), 0);
		CHECK_INT(ibv_dealloc_pd(pd), 0);
	}
	return arg;
}

static void *allocate_in_thread(void *arg)
{
	for (int i = 0; i < ROUNDS; i++) {
		struct ibv_pd *pd;
		struct ibv_mr *mr;

		pd = ibv_alloc_pd(importer);
		CHECK(pd);
		CHECK_INT(model_aliases(importer->cmd_fd, pd->handle), 1);
		mr = ibv_reg_mr(pd, memory, sizeof(memory),
				IBV_ACCESS_LOCAL_WRITE);
		CHECK(mr);
		CHECK_INT(model_aliases(importer->cmd_fd, mr->handle), 1);
		CHECK(mr->lkey != owner_mr->lkey && mr->addr == memory);
		CHECK_INT(ibv_dereg_mr(mr), 0);
		CHECK_INT(ibv_dealloc_pd(pd), 0);
	}
	return arg;
}

static void *create_cqs_in_thread(void *arg)
{
	for (int i = 0; i < ROUNDS; i++)
		CHECK_INT(ibv_destroy_cq(create_cq()), 0);
	return arg;
}

static size_t registrations_of_a_cq(void)
{
	size_t from = log_length();

	CHECK_INT(ibv_destroy_cq(create_cq()), 0);
	return log_count(from, REG_MR);
}

static void threads(void)
{
	void *(*const functions[])(void *) = {
		import_in_thread,
		allocate_in_thread,
		create_cqs_in_thread,
	};
	const size_t num = plugin->uses & USE_CQ ? 3 : 2;
	const size_t per_cq = num == 3 ? registrations_of_a_cq() : 0;
	size_t from = log_length(), i;
	pthread_t thread[3];

	meet_inside_commands(true);
	for (i = 0; i < num; i++)
		CHECK(!pthread_create(&thread[i], NULL, functions[i], NULL));
	for (i = 0; i < num; i++)
		CHECK(!pthread_join(thread[i], NULL));
	meet_inside_commands(false);
	CHECK_INT(log_count(from, MODEL_IMPORT_PD), ROUNDS);
	CHECK_INT(log_count(from, MODEL_IMPORT_MR), ROUNDS);
	CHECK_INT(log_count(from, ALLOC_PD), ROUNDS);
	CHECK_INT(log_count(from, REG_MR), ROUNDS + per_cq * ROUNDS);
	CHECK_INT(log_count(from, COMMAND_DESTROY(PD)), 2 * ROUNDS);
}

/* ---- the two contexts ---- */

static void begin(void)
{
	const struct machine machine = {
		.ibdev = plugin->ibdev,
		.driver_id = plugin->driver_id,
		.modalias = plugin->modalias,
		.abi = plugin->abi,
	};
	struct ibv_device **list;
	struct ibv_pd *other;
	char path[128];

	snprintf(path, sizeof(path), PLUGIN_DIR "/lib%s", plugin->name);
	CHECK(!setenv("RDMAV_DRIVERS", path, 1));
	fake_kernel_start(plugin);
	machine_is(&machine);
	CHECK(getcwd(log_path, sizeof(log_path) - 8));
	strcat(log_path, "/log");
	CHECK(!setenv("VERBS_LOG_LEVEL", "1", 1));
	CHECK(!setenv("VERBS_LOG_FILE", log_path, 1));

	list = ibv_get_device_list(NULL);
	CHECK(list && list[0]);
	CHECK(!strcmp(verbs_get_device(list[0])->ops->name, plugin->driver));
	owner = ibv_open_device(list[0]);
	importer = ibv_open_device(list[0]);
	CHECK(owner && importer);
	ibv_free_device_list(list);
	CHECK_INT(log_count(0, ALLOC_PD), plugin->own_pd ? 2 : 0);
	CHECK_INT(log_count(0, MODEL_IMPORT_PD), 0);

	/* So that handles differ and are not 0: a mistaken one is seen. */
	for (size_t i = 0; i < sizeof(importers_pds) / sizeof(importers_pds[0]);
	     i++) {
		importers_pds[i] = ibv_alloc_pd(importer);
		CHECK(importers_pds[i]);
	}
	other = ibv_alloc_pd(owner);
	CHECK(other);
	owner_pd = ibv_alloc_pd(owner);
	CHECK(owner_pd);
	owner_mr = ibv_reg_mr(owner_pd, memory, sizeof(memory),
			      IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE);
	CHECK(owner_mr);
	CHECK_INT(ibv_dealloc_pd(other), 0);
}

static void end(void)
{
	CHECK_INT(ibv_dereg_mr(owner_mr), 0);
	CHECK_INT(ibv_dealloc_pd(owner_pd), 0);
	for (size_t i = 0; i < sizeof(importers_pds) / sizeof(importers_pds[0]);
	     i++)
		CHECK_INT(ibv_dealloc_pd(importers_pds[i]), 0);
	CHECK_INT(ibv_close_device(importer), 0);
	CHECK_INT(ibv_close_device(owner), 0);
	CHECK_INT(fake_kernel_files(), 0);
	CHECK_INT(fake_kernel_left(), 0);
	CHECK_INT(fake_kernel_objects(), 0);
	CHECK_INT(machine_mappings(), 0);
	CHECK(!log_says(NULL));
}

int main(int argc, char **argv)
{
	struct ibv_pd *pd;

	plugin = plugin_argument(argc, argv);
	begin();
	if (plugin->no_import) {
		plugin_cannot();
	} else {
		pd = import_pd();
		use_pd(pd);
		import_mr(pd);
		dealloc_pd(pd);
		import_mr(NULL);
		import_mr_twice();
		import_mr_at_zero();
		import_mr_dealloc_pd();
		reply_is_lost();
		reply_is_short();
		reply_is_forged();
		kernel_cannot();
		threads();
	}
	end();
	return 0;
}
