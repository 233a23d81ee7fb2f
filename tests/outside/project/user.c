// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * A program of somebody else's, in C and, included by user.cpp, in C++.
 *
 *	user list		the names of the devices, or why there are none
 *	user use DEVICE		objects, and sharing, on that device
 */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <infiniband/verbs.h>

#define SIZE 65536
#define ACCESS (IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE)

static char region[SIZE];

static void must(int ok, const char *what)
{
	if (ok)
		return;
	fprintf(stderr, "%s: %s\n", what, strerror(errno));
	exit(1);
}

static int list(void)
{
	int i, count;
	struct ibv_device **devices = ibv_get_device_list(&count);

	if (!devices) {
		printf("none: %s\n", strerror(errno));
		return 0;
	}
	for (i = 0; i < count; i++)
		printf("%s\n", ibv_get_device_name(devices[i]));
	if (!count)
		printf("none\n");
	ibv_free_device_list(devices);
	return 0;
}

static struct ibv_context *open_by_name(const char *name)
{
	struct ibv_device **devices = ibv_get_device_list(NULL);
	struct ibv_context *context = NULL;
	int i;

	must(devices != NULL, "devices");
	for (i = 0; devices[i]; i++)
		if (!strcmp(ibv_get_device_name(devices[i]), name))
			context = ibv_open_device(devices[i]);
	ibv_free_device_list(devices);
	must(context != NULL, name);
	return context;
}

static void make_qp(struct ibv_context *context, struct ibv_pd *pd)
{
	struct ibv_qp_init_attr init;
	struct ibv_qp_attr attr;
	struct ibv_cq *cq;
	struct ibv_qp *qp;
	struct ibv_wc wc;

	cq = ibv_create_cq(context, 16, NULL, NULL, 0);
	must(cq != NULL, "create CQ");
	memset(&init, 0, sizeof(init));
	init.send_cq = cq;
	init.recv_cq = cq;
	init.cap.max_send_wr = 4;
	init.cap.max_recv_wr = 4;
	init.cap.max_send_sge = 1;
	init.cap.max_recv_sge = 1;
	init.qp_type = IBV_QPT_RC;
	qp = ibv_create_qp(pd, &init);
	must(qp != NULL, "create QP");
	must(!ibv_query_qp(qp, &attr, IBV_QP_CAP, &init), "query QP");
	must(attr.cap.max_send_wr >= 4, "capacity of the QP");
	must(ibv_poll_cq(cq, 1, &wc) == 0, "poll CQ");
	must(!ibv_destroy_qp(qp), "destroy QP");
	must(!ibv_destroy_cq(cq), "destroy CQ");
}

/* The two-argument forms: a context of the same file */
static void share_context(struct ibv_context *context, struct ibv_pd *pd,
			  struct ibv_mr *mr)
{
	struct ibv_context *other;
	struct ibv_pd *other_pd;
	struct ibv_mr *other_mr;

	other = ibv_import_device(dup(ibv_context_to_fd(context)));
	must(other != NULL, "import device");
	other_pd = ibv_import_pd(other, ibv_pd_to_handle(pd));
	must(other_pd != NULL, "import PD by handle");
	other_mr = ibv_import_mr(other_pd, ibv_mr_to_handle(mr));
	must(other_mr != NULL, "import MR by handle");
	must(other_mr->rkey == mr->rkey, "rkey by handle");
	ibv_unimport_mr(other_mr);
	ibv_unimport_pd(other_pd);
	must(!ibv_close_device(other), "close imported device");
}

/* The three-argument forms: another file, the one to export into */
static void share_objects(struct ibv_context *context, struct ibv_pd *pd,
			  struct ibv_mr *mr, const char *name)
{
	struct ibv_context *box = open_by_name(name);
	struct ibv_context *other = open_by_name(name);
	uint32_t fd = ibv_context_to_fd(box), pd_handle, mr_handle;
	struct ibv_pd *other_pd;
	struct ibv_mr *other_mr;

	must(!ibv_export_to_fd(fd, &pd_handle, context, UVERBS_OBJECT_PD,
			       ibv_pd_to_handle(pd)),
	     "export PD");
	must(!ibv_export_mr(mr, (int)fd, &mr_handle), "export MR");
	other_pd = ibv_import_pd(other, fd, pd_handle);
	must(other_pd != NULL, "import PD");
	other_mr = ibv_import_mr(other, fd, mr_handle);
	must(other_mr != NULL, "import MR");
	must(other_mr->lkey == mr->lkey && other_mr->rkey == mr->rkey &&
		     other_mr->length == SIZE,
	     "keys and length of the imported MR");
	make_qp(other, other_pd);
	must(!ibv_dereg_mr(other_mr), "deregister imported MR");
	must(!ibv_dealloc_pd(other_pd), "deallocate imported PD");
	must(!ibv_close_device(other), "close");
	must(!ibv_close_device(box), "close");
}

static int use(const char *name)
{
	struct ibv_context *context = open_by_name(name);
	struct ibv_port_attr port;
	struct ibv_pd *pd;
	struct ibv_mr *mr;

	must(!ibv_query_port(context, 1, &port), "query port");
	must(port.state == IBV_PORT_ACTIVE, "state of the port");
	pd = ibv_alloc_pd(context);
	must(pd != NULL, "allocate PD");
	mr = ibv_reg_mr(pd, region, SIZE, ACCESS);
	must(mr != NULL, "register MR");
	make_qp(context, pd);
	share_context(context, pd, mr);
	share_objects(context, pd, mr, name);
	must(!ibv_dereg_mr(mr), "deregister MR");
	must(!ibv_dealloc_pd(pd), "deallocate PD");
	must(!ibv_close_device(context), "close");
	printf("used %s\n", name);
	return 0;
}

int main(int argc, char *argv[])
{
	if (argc == 2 && !strcmp(argv[1], "list"))
		return list();
	if (argc == 3 && !strcmp(argv[1], "use"))
		return use(argv[2]);
	fprintf(stderr, "usage: user list | user use DEVICE\n");
	return 2;
}
