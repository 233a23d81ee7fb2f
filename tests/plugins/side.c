// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * side <plug-in> [<variant>]: what becomes of its devices, for either library.  It prints
 * what happens, to be compared; what has to happen it checks by itself.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <rdma/ib_user_ioctl_verbs.h>

#include "check.h"
#include "driver.h"
#include "fake_kernel.h"
#include "fake_machine.h"

static const struct plugin *plugin;

/* A device that is not on the machine any more goes with its last list. */
static void free_list(struct ibv_device **list)
{
	if (!plugin->devices_stay)
		ibv_free_device_list(list);
}

static struct ibv_device *list_one(struct ibv_device ***list,
				   const struct machine *machine)
{
	int num = -1;

	machine_is(machine);
	*list = ibv_get_device_list(&num);
	if (!*list) {
		printf("no list: errno %d\n", errno);
		exit(1);
	}
	if (!(*list)[0])
		return NULL;
	CHECK_INT(num, 1);
	return (*list)[0];
}

static const struct verbs_device_ops *ops_of(struct ibv_device *device)
{
	return verbs_get_device(device)->ops;
}

/* Which driver takes the device; NULL: none */
static const struct verbs_device_ops *match(const char *how,
					    const struct machine *machine)
{
	const struct verbs_device_ops *ops = NULL;
	struct ibv_device **list, *device;

	device = list_one(&list, machine);
	if (device)
		ops = ops_of(device);
	printf("%s: %s\n", how, ops ? ops->name : "none");
	free_list(list);
	return ops;
}

static void try_ways(void)
{
	const struct machine full = {
		.ibdev = "other0",
		.driver_id = plugin->driver_id,
		.modalias = plugin->modalias,
		.abi = plugin->abi,
	};
	struct machine machine;

	machine = full;
	machine.modalias = NULL;
	match("driver id", &machine);
	machine = full;
	machine.driver_id = 0;
	match("PCI", &machine);
	machine.no_netlink = true;
	match("PCI, no netlink", &machine);
	machine.modalias = NULL;
	machine.ibdev = plugin->ibdev;
	match("name", &machine);
	machine = full;
	machine.modalias = "pci:v0000FFFFd0000FFFFsv00000000sd0bc02sc00i00";
	machine.driver_id = 0;
	match("another vendor", &machine);
	machine = full;
	machine.driver_id = RDMA_DRIVER_CXGB3;
	match("another driver id", &machine);
	for (unsigned int abi = 0; abi <= 9; abi++) {
		char how[16];

		machine = full;
		machine.abi = abi;
		snprintf(how, sizeof(how), "ABI %u", abi);
		match(how, &machine);
	}
}

/* Each entry of the table, by a device that only it describes */
static void try_table(const struct verbs_device_ops *ops)
{
	const struct verbs_match_ent *ent;
	unsigned int entries = 0;

	for (ent = ops->match_table; ent->kind; ent++, entries++) {
		struct machine machine = {
			.ibdev = "other0",
			.abi = plugin->abi,
		};
		char text[80], how[128];

		switch (ent->kind) {
		case VERBS_MATCH_DRIVER_ID:
			machine.driver_id = ent->u.driver_id;
			snprintf(how, sizeof(how), "driver id %lu",
				 (unsigned long)ent->u.driver_id);
			break;
		case VERBS_MATCH_PCI:
			snprintf(
				text, sizeof(text),
				"pci:v%08Xd%08Xsv00000000sd00000000bc02sc00i00",
				ent->vendor, ent->device);
			machine.modalias = text;
			snprintf(how, sizeof(how), "%s", text);
			break;
		default:
			/* rdma_device:*N<name>*, or all of a modalias */
			if (!strncmp(ent->u.modalias, "rdma_device:*N", 14)) {
				snprintf(text, sizeof(text), "%s",
					 ent->u.modalias + 14);
				text[strcspn(text, "*")] = '\0';
				machine.ibdev = text;
			} else {
				machine.modalias = ent->u.modalias;
			}
			snprintf(how, sizeof(how), "%s", ent->u.modalias);
		}
		CHECK(match(how, &machine) == ops);
	}
	printf("%u entries\n", entries);
}

/* ---- open devices ---- */

static size_t printed; /* of the log */

static void start(void)
{
	fake_kernel_start(plugin);
	printed = 0;
}

static void print_commands(void)
{
	for (; printed < log_length(); printed++) {
		const struct logged *entry = log_entry(printed);

		printf("  %u/%u %#x pd %d driver %zu/%zu: %d\n",
		       entry->command.object, entry->command.method,
		       entry->command.number, (int)entry->pd,
		       entry->driver_in_len, entry->driver_out_len, entry->err);
	}
}

/* What a call gave, and what it took of the kernel; errno only of a failure */
static void result(const char *call, bool ok, int err)
{
	printf("%s: %s %d\n", call, ok ? "ok" : "failed", ok ? 0 : err);
	print_commands();
}

#define POINTER(_name, _call)                        \
	({                                           \
		errno = 0;                           \
		typeof(_call) made_ = (_call);       \
		result(_name, made_ != NULL, errno); \
		made_;                               \
	})
#define STATUS(_name, _call)                      \
	do {                                      \
		int status_ = (_call);            \
		result(_name, !status_, status_); \
	} while (0)

static void left_behind(void)
{
	printf("left: %zu files, %zu handles, %zu objects, %u mappings; %u "
	       "writes\n",
	       fake_kernel_files(), fake_kernel_left(), fake_kernel_objects(),
	       machine_mappings(), log_written());
}

/* ---- what the device has ---- */

static char memory[4096];

static void try_traffic(struct ibv_qp *qp, struct ibv_mr *mr)
{
	struct ibv_sge sge = {
		.addr = (uintptr_t)memory,
		.length = 64,
		.lkey = mr->lkey,
	};
	struct ibv_recv_wr recv = { .sg_list = &sge, .num_sge = 1 }, *bad_recv;
	struct ibv_send_wr send = { .sg_list = &sge,
				    .num_sge = 1,
				    .opcode = IBV_WR_SEND,
				    .send_flags = IBV_SEND_SIGNALED },
			   *bad_send;
	struct ibv_qp_attr attr = {
		.qp_state = IBV_QPS_INIT,
		.port_num = 1,
		.path_mtu = IBV_MTU_1024,
		.dest_qp_num = 1,
		.ah_attr = { .port_num = 1, .dlid = 1 },
	};

	STATUS("init",
	       ibv_modify_qp(qp, &attr,
			     IBV_QP_STATE | IBV_QP_PKEY_INDEX | IBV_QP_PORT |
				     IBV_QP_ACCESS_FLAGS));
	attr.qp_state = IBV_QPS_RTR;
	STATUS("ready to receive",
	       ibv_modify_qp(qp, &attr,
			     IBV_QP_STATE | IBV_QP_AV | IBV_QP_PATH_MTU |
				     IBV_QP_DEST_QPN | IBV_QP_RQ_PSN |
				     IBV_QP_MAX_DEST_RD_ATOMIC |
				     IBV_QP_MIN_RNR_TIMER));
	attr.qp_state = IBV_QPS_RTS;
	STATUS("ready to send",
	       ibv_modify_qp(qp, &attr,
			     IBV_QP_STATE | IBV_QP_TIMEOUT | IBV_QP_RETRY_CNT |
				     IBV_QP_RNR_RETRY | IBV_QP_SQ_PSN |
				     IBV_QP_MAX_QP_RD_ATOMIC));
	STATUS("post receive", ibv_post_recv(qp, &recv, &bad_recv));
	if (qp->qp_type == IBV_QPT_RC)
		STATUS("post send", ibv_post_send(qp, &send, &bad_send));
}

static void try_qp(struct ibv_pd *pd, struct ibv_mr *mr,
		   struct ibv_comp_channel *channel)
{
	struct ibv_qp_init_attr attr = {
		.qp_type = plugin->qp_type ? plugin->qp_type : IBV_QPT_RC,
		.cap = { .max_send_wr = 4,
			 .max_recv_wr = 4,
			 .max_send_sge = 1,
			 .max_recv_sge = 1 },
	};
	struct ibv_cq *cq;
	struct ibv_qp *qp;
	struct ibv_wc wc;

	cq = POINTER("CQ", ibv_create_cq(pd->context, 16, NULL, channel, 1));
	if (!cq)
		return;
	printf("cqe %d\n", cq->cqe);
	attr.send_cq = attr.recv_cq = cq;
	qp = POINTER("QP", ibv_create_qp(pd, &attr));
	if (qp) {
		printf("cap %u %u %u %u %u\n", attr.cap.max_send_wr,
		       attr.cap.max_recv_wr, attr.cap.max_send_sge,
		       attr.cap.max_recv_sge, attr.cap.max_inline_data);
		try_traffic(qp, mr);
		STATUS("destroy QP", ibv_destroy_qp(qp));
	}
	STATUS("arm", ibv_req_notify_cq(cq, 0));
	STATUS("poll", ibv_poll_cq(cq, 1, &wc));
	STATUS("destroy CQ", ibv_destroy_cq(cq));
}

static void try_srq(struct ibv_pd *pd)
{
	struct ibv_srq_init_attr attr = {
		.attr = { .max_wr = 16, .max_sge = 1 },
	};
	struct ibv_srq *srq = POINTER("SRQ", ibv_create_srq(pd, &attr));

	if (!srq)
		return;
	printf("limits %u %u\n", attr.attr.max_wr, attr.attr.max_sge);
	STATUS("destroy SRQ", ibv_destroy_srq(srq));
}

static void try_ah(struct ibv_pd *pd)
{
	struct ibv_ah_attr attr = {
		.is_global = 1,
		.port_num = 1,
		.dlid = 1,
		.grh = { .hop_limit = 1, .dgid.raw = { 0xfe, 0x80, [15] = 1 } },
	};
	struct ibv_ah *ah = POINTER("AH", ibv_create_ah(pd, &attr));

	if (ah)
		STATUS("destroy AH", ibv_destroy_ah(ah));
}

static void try_objects(struct ibv_context *context)
{
	struct ibv_comp_channel *channel;
	struct ibv_port_attr port;
	struct ibv_device_attr attr;
	struct ibv_pd *pd;
	struct ibv_mr *mr;
	struct ibv_mw *mw;

	STATUS("query device", ibv_query_device(context, &attr));
	printf("firmware %s, limits %d %d\n", attr.fw_ver, attr.max_qp,
	       attr.max_sge);
	STATUS("query port", ibv_query_port(context, 1, &port));
	printf("link layer %d\n", port.link_layer);
	channel = POINTER("channel", ibv_create_comp_channel(context));
	pd = POINTER("PD", ibv_alloc_pd(context));
	CHECK(pd && channel);
	mr = POINTER("MR", ibv_reg_mr(pd, memory, sizeof(memory),
				      IBV_ACCESS_LOCAL_WRITE));
	CHECK(mr);
	mw = POINTER("MW", ibv_alloc_mw(pd, IBV_MW_TYPE_1));
	if (mw)
		STATUS("dealloc MW", ibv_dealloc_mw(mw));
	try_ah(pd);
	try_srq(pd);
	try_qp(pd, mr, channel);
	STATUS("dealloc PD in use", ibv_dealloc_pd(pd));
	STATUS("dereg", ibv_dereg_mr(mr));
	STATUS("dealloc PD", ibv_dealloc_pd(pd));
	STATUS("destroy channel", ibv_destroy_comp_channel(channel));
}

/* Each command of an open fails in turn: what it says, and what it leaves. */
static void try_failures(struct ibv_device *device, unsigned int commands)
{
	static const int errnos[] = { EIO, ENOMEM, EINVAL, EOPNOTSUPP };
	struct ibv_context *context;

	if (plugin->open_cannot_fail)
		return;
	for (unsigned int n = 1; n <= commands; n++) {
		for (size_t i = 0; i < sizeof(errnos) / sizeof(errnos[0]);
		     i++) {
			printf("command %u fails, errno %d\n", n, errnos[i]);
			fake_kernel_fail(n, errnos[i]);
			context = POINTER("open", ibv_open_device(device));
			if (context)
				ibv_close_device(context);
			fake_kernel_fail(0, 0);
			left_behind();
		}
	}
}

static void try_open(void)
{
	const struct machine machine = {
		.ibdev = plugin->ibdev,
		.driver_id = plugin->driver_id,
		.modalias = plugin->modalias,
		.abi = plugin->abi,
	};
	const struct verbs_device_ops *ops;
	struct ibv_context *context;
	struct ibv_device **list, *device;
	unsigned int commands;

	start();
	device = list_one(&list, &machine);
	CHECK(device && !strcmp(ops_of(device)->name, plugin->driver));
	ops = ops_of(device);
	free_list(list);
	try_table(ops);

	device = list_one(&list, &machine);
	CHECK(device && ops_of(device) == ops);
	context = POINTER("open", ibv_open_device(device));
	CHECK(context);
	commands = log_length();
	printf("vectors %d, async %d, core %#x\n", context->num_comp_vectors,
	       context->async_fd >= 0,
	       (unsigned int)verbs_get_device(device)->core_support);
	try_objects(context);
	STATUS("close", ibv_close_device(context));
	left_behind();
	try_failures(device, commands);
	ibv_free_device_list(list);
}

/* All plug-ins, so that a wrong one can take the device. */
static void load_all(void)
{
	char names[4096] = "";
	size_t len = 0;

	for (size_t i = 0; i < num_plugins; i++)
		len += snprintf(names + len, sizeof(names) - len,
				"%s" PLUGIN_DIR "/lib%s", i ? ":" : "",
				plugins[i].name);
	CHECK(len < sizeof(names));
	CHECK(!setenv("RDMAV_DRIVERS", names, 1));
}

int main(int argc, char **argv)
{
	plugin = plugin_argument(argc, argv);
	setvbuf(stdout, NULL, _IOLBF, 0);
	load_all();
	try_ways();
	try_open();
	return 0;
}
