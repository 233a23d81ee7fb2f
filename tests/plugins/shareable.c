// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * shareable <plug-in> [<variant>]: what the released plug-in asks the kernel for
 * when a device is opened by ibv_open_device_shareable().
 */
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <infiniband/mlx5dv.h>
#include <infiniband/share.h>
#include <rdma/ib_user_ioctl_verbs.h>
#include <rdma/mlx5-abi.h>
#include <rdma/mlx5_user_ioctl_cmds.h>

#include "check.h"
#include "driver.h"
#include "fake_kernel.h"
#include "fake_machine.h"
#include "meet.h"

#define ROUNDS 40
#define GET_CONTEXT \
	MODEL_NATIVE(UVERBS_OBJECT_DEVICE, UVERBS_METHOD_GET_CONTEXT)

static const struct plugin *plugin;
static struct ibv_device **list;

static bool is_mlx5(void)
{
	return plugin->driver_id == RDMA_DRIVER_MLX5;
}

static struct ibv_context *open_shareable(void)
{
	struct ibv_context *context = ibv_open_device_shareable(list[0]);

	CHECK(context);
	return context;
}

static struct ibv_context *open_usual(void)
{
	struct ibv_context *context = ibv_open_device(list[0]);

	CHECK(context);
	return context;
}

/* ---- all plug-ins: nothing else than that of ibv_open_device() ---- */

/* libmlx5 asks by DEVX for capabilities, which only DEVX is told. */
static bool same_command(const struct logged *a, const struct logged *b)
{
	return !memcmp(&a->command, &b->command, sizeof(a->command)) &&
	       (a->err == b->err || a->command.object == MLX5_IB_OBJECT_DEVX) &&
	       a->driver_in_len == b->driver_in_len &&
	       a->driver_out_len == b->driver_out_len;
}

static void is_like_the_usual(void)
{
	size_t usual = log_length(), shareable, n;

	ibv_close_device(open_usual());
	shareable = log_length();
	ibv_close_device(open_shareable());
	n = shareable - usual;
	CHECK_INT(log_length() - shareable, n);
	CHECK_INT(log_count(shareable, GET_CONTEXT), 1);

	for (size_t i = 0; i < n; i++) {
		struct logged a = *log_entry(usual + i);
		const struct logged *b = log_entry(shareable + i);
		struct mlx5_ib_alloc_ucontext_req_v2 request;

		CHECK(same_command(&a, b));
		if (a.command.method != UVERBS_METHOD_GET_CONTEXT ||
		    a.command.object != UVERBS_OBJECT_DEVICE)
			continue;
		if (is_mlx5()) {
			memcpy(&request, a.driver_in, sizeof(request));
			CHECK_INT(request.flags, MLX5_IB_ALLOC_UCTX_DEVX);
			request.flags = 0;
			memcpy(a.driver_in, &request, sizeof(request));
		}
		CHECK(!memcmp(a.driver_in, b->driver_in, sizeof(a.driver_in)));
	}
}

/* ---- mlx5 ---- */

/* Do the requests for contexts since the n-th command have the flag? */
static bool asked_for_devx(size_t from)
{
	struct mlx5_ib_alloc_ucontext_req_v2 request;
	bool asked = false;

	for (; from < log_length(); from++) {
		const struct logged *entry = log_entry(from);

		if (entry->command.object != UVERBS_OBJECT_DEVICE ||
		    entry->command.method != UVERBS_METHOD_GET_CONTEXT)
			continue;
		memcpy(&request, entry->driver_in, sizeof(request));
		asked |= request.flags & MLX5_IB_ALLOC_UCTX_DEVX;
	}
	return asked;
}

static void *function(const char *name)
{
	void *file = dlopen(PLUGIN_DIR "/libmlx5-rdmav34.so",
			    RTLD_NOW | RTLD_NOLOAD);
	void *address = file ? dlsym(file, name) : NULL;

	if (!address) {
		fprintf(stderr, "%s\n", dlerror());
		exit(1);
	}
	dlclose(file);
	return address;
}

/* The kernel refuses for reasons of its own, at whichever command. */
static void kernel_refuses(void)
{
	static const int errs[] = { EINVAL, ENOMEM, EOPNOTSUPP, EAGAIN };
	struct ibv_context *context;
	size_t from;

	for (size_t i = 0; i < sizeof(errs) / sizeof(errs[0]); i++) {
		for (unsigned int n = 1; n <= 8; n++) {
			from = log_length();
			fake_kernel_fail(n, errs[i]);
			context = ibv_open_device_shareable(list[0]);
			fake_kernel_fail(0, 0);
			CHECK(!asked_for_devx(from));
			if (context)
				ibv_close_device(context);
			CHECK_INT(fake_kernel_files(), 0);
			CHECK_INT(fake_kernel_objects(), 0);
			CHECK_INT(machine_mappings(), 0);
		}
	}
}

static void by_environment(void)
{
	struct ibv_context *(*open_by_mlx5)(struct ibv_device * device,
					    struct mlx5dv_context_attr * attr) =
		function("mlx5dv_open_device");
	struct mlx5dv_context_attr attr = { .flags =
						    MLX5DV_CONTEXT_FLAGS_DEVX };
	struct ibv_context *context;
	size_t from = log_length();

	CHECK(!setenv("IBV_SHARE_NO_DEVX", "1", 1));
	ibv_close_device(open_usual());
	CHECK_INT(log_count(from, GET_CONTEXT), 1);
	CHECK(!asked_for_devx(from));

	/* This program knows what it wants. */
	from = log_length();
	context = open_by_mlx5(list[0], &attr);
	CHECK(context);
	ibv_close_device(context);
	CHECK(asked_for_devx(from));

	CHECK(!setenv("IBV_SHARE_NO_DEVX", "0", 1));
	from = log_length();
	ibv_close_device(open_usual());
	CHECK(asked_for_devx(from));
	CHECK(!unsetenv("IBV_SHARE_NO_DEVX"));
}

/* Two threads in the midst of opening: each gets the kind that it asked for. */
static pthread_barrier_t round_starts;

static void *open_in_thread(void *shareable)
{
	for (int i = 0; i < ROUNDS; i++) {
		struct ibv_context *context;

		pthread_barrier_wait(&round_starts);
		context = shareable ? open_shareable() : open_usual();
		ibv_close_device(context);
	}
	return NULL;
}

static void threads(void)
{
	size_t from = log_length(), with = 0;
	pthread_t thread[2];

	CHECK(!pthread_barrier_init(&round_starts, NULL, 2));
	meet_inside_commands(true);
	for (size_t i = 0; i < 2; i++)
		CHECK(!pthread_create(&thread[i], NULL, open_in_thread,
				      i ? list : NULL));
	for (size_t i = 0; i < 2; i++)
		CHECK(!pthread_join(thread[i], NULL));
	meet_inside_commands(false);
	CHECK(!pthread_barrier_destroy(&round_starts));

	CHECK_INT(log_count(from, GET_CONTEXT), 2 * ROUNDS);
	for (; from < log_length(); from++) {
		struct mlx5_ib_alloc_ucontext_req_v2 request;

		if (log_first(from, GET_CONTEXT) != log_entry(from))
			continue;
		memcpy(&request, log_entry(from)->driver_in, sizeof(request));
		with += request.flags & MLX5_IB_ALLOC_UCTX_DEVX;
	}
	CHECK_INT(with, ROUNDS);
}

/* ---- mlx5: what is lost ---- */

static char memory[8192] __attribute__((aligned(4096)));

static int general_cmd(struct ibv_context *context, struct ibv_pd *pd)
{
	int (*call)(struct ibv_context * context, const void *in, size_t inlen,
		    void *out, size_t outlen) =
		function("mlx5dv_devx_general_cmd");
	char in[64] = { 0 }, out[64];

	(void)pd;
	return call(context, in, sizeof(in), out, sizeof(out));
}

static int obj_create(struct ibv_context *context, struct ibv_pd *pd)
{
	struct mlx5dv_devx_obj *(*call)(struct ibv_context * context,
					const void *in, size_t inlen, void *out,
					size_t outlen) =
		function("mlx5dv_devx_obj_create");
	char in[64] = { 0 }, out[64];

	(void)pd;
	return call(context, in, sizeof(in), out, sizeof(out)) ? 0 : errno;
}

static int umem_reg(struct ibv_context *context, struct ibv_pd *pd)
{
	struct mlx5dv_devx_umem *(
		*call)(struct ibv_context * context, void *addr, size_t size,
		       uint32_t access) = function("mlx5dv_devx_umem_reg");

	(void)pd;
	return call(context, memory, sizeof(memory), 0) ? 0 : errno;
}

static int pp_alloc(struct ibv_context *context, struct ibv_pd *pd)
{
	struct mlx5dv_pp *(*call)(struct ibv_context * context, size_t size,
				  const void *pp_context, uint32_t flags) =
		function("mlx5dv_pp_alloc");
	char pp_context[48] = { 0 };

	(void)pd;
	return call(context, sizeof(pp_context), pp_context, 0) ? 0 : errno;
}

static int create_mkey(struct ibv_context *context, struct ibv_pd *pd)
{
	struct mlx5dv_mkey *(*call)(struct mlx5dv_mkey_init_attr * attr) =
		function("mlx5dv_create_mkey");
	struct mlx5dv_mkey_init_attr attr = {
		.pd = pd,
		.create_flags = MLX5DV_MKEY_INIT_ATTR_FLAGS_INDIRECT,
		.max_entries = 4,
	};

	(void)context;
	return call(&attr) ? 0 : errno;
}

static int qp_query(struct ibv_context *context, struct ibv_pd *pd)
{
	int (*call)(struct ibv_qp * qp, const void *in, size_t inlen, void *out,
		    size_t outlen) = function("mlx5dv_devx_qp_query");
	struct ibv_qp_init_attr attr = {
		.qp_type = IBV_QPT_RC,
		.cap = { .max_send_wr = 4,
			 .max_recv_wr = 4,
			 .max_send_sge = 1,
			 .max_recv_sge = 1 },
	};
	char in[64] = { 0 }, out[64];
	struct ibv_cq *cq = ibv_create_cq(context, 16, NULL, NULL, 0);
	struct ibv_qp *qp;
	int ret;

	CHECK(cq);
	attr.send_cq = attr.recv_cq = cq;
	qp = ibv_create_qp(pd, &attr);
	CHECK(qp);
	ret = call(qp, in, sizeof(in), out, sizeof(out));
	CHECK_INT(ibv_destroy_qp(qp), 0);
	CHECK_INT(ibv_destroy_cq(cq), 0);
	return ret;
}

static int domain_create(struct ibv_context *context, struct ibv_pd *pd)
{
	struct mlx5dv_dr_domain *(*call)(struct ibv_context * context,
					 enum mlx5dv_dr_domain_type type) =
		function("mlx5dv_dr_domain_create");

	(void)pd;
	return call(context, MLX5DV_DR_DOMAIN_TYPE_NIC_RX) ? 0 : errno;
}

/*
 * The simulated driver has none of it, but lets contexts with DEVX ask.  (A
 * domain needs the device's capabilities first, which are not simulated.)
 */
static const struct {
	int (*call)(struct ibv_context *context, struct ibv_pd *pd);
	int with, without;
} features[] = {
	{ general_cmd, EPROTONOSUPPORT, EINVAL },
	{ obj_create, EPROTONOSUPPORT, EINVAL },
	{ umem_reg, EPROTONOSUPPORT, EINVAL },
	{ pp_alloc, EPROTONOSUPPORT, EINVAL },
	{ create_mkey, EPROTONOSUPPORT, EINVAL },
	{ qp_query, EPROTONOSUPPORT, EINVAL },
	{ domain_create, EOPNOTSUPP, EOPNOTSUPP },
};

static void try_features(struct ibv_context *context, bool with)
{
	int (*query)(struct ibv_context * context,
		     struct mlx5dv_context * attrs) =
		function("mlx5dv_query_device");
	struct mlx5dv_context attrs = { 0 };
	struct ibv_pd *pd = ibv_alloc_pd(context);

	CHECK(pd);
	for (size_t i = 0; i < sizeof(features) / sizeof(features[0]); i++)
		CHECK_INT(features[i].call(context, pd),
			  with ? features[i].with : features[i].without);
	CHECK_INT(query(context, &attrs), 0);
	CHECK(attrs.flags & MLX5DV_CONTEXT_FLAGS_CQE_V1);
	CHECK_INT(ibv_dealloc_pd(pd), 0);
	ibv_close_device(context);
}

/* ---- */

static void begin(void)
{
	const struct machine machine = {
		.ibdev = plugin->ibdev,
		.driver_id = plugin->driver_id,
		.modalias = plugin->modalias,
		.abi = plugin->abi,
	};
	char path[128];

	snprintf(path, sizeof(path), PLUGIN_DIR "/lib%s", plugin->name);
	CHECK(!setenv("RDMAV_DRIVERS", path, 1));
	CHECK(!unsetenv("IBV_SHARE_NO_DEVX"));
	fake_kernel_start(plugin);
	machine_is(&machine);
	list = ibv_get_device_list(NULL);
	CHECK(list && list[0]);
	CHECK(!strcmp(verbs_get_device(list[0])->ops->name, plugin->driver));
}

int main(int argc, char **argv)
{
	plugin = plugin_argument(argc, argv);
	begin();
	is_like_the_usual();
	if (is_mlx5()) {
		kernel_refuses();
		by_environment();
		threads();
		try_features(open_usual(), true);
		try_features(open_shareable(), false);
	}
	ibv_free_device_list(list);
	CHECK_INT(fake_kernel_files(), 0);
	CHECK_INT(fake_kernel_objects(), 0);
	CHECK_INT(machine_mappings(), 0);
	CHECK_INT(log_written(), 0);
	return 0;
}
