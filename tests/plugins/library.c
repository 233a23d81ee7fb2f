// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * library <name>: one of Debian's libraries that are linked to libibverbs, on
 * this one: all its symbols, and calls that lead through both.
 */
#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <infiniband/efadv.h>
#include <infiniband/manadv.h>
#include <infiniband/mlx4dv.h>
#include <infiniband/mlx5dv.h>
#include <rdma/rdma_cma.h>

#include "check.h"
#include "fake_kernel.h"
#include "fake_machine.h"

#define LIBRARY_DIR "/usr/lib/x86_64-linux-gnu/"

static void *library;

/* To be cast to what it is */
static void *function(const char *name)
{
	void *address = dlsym(library, name);

	if (!address) {
		fprintf(stderr, "%s\n", dlerror());
		exit(1);
	}
	return address;
}

static struct ibv_context *open_first(void)
{
	struct ibv_device **list = ibv_get_device_list(NULL);
	struct ibv_context *context;

	CHECK(list && list[0]);
	context = ibv_open_device(list[0]);
	CHECK(context);
	ibv_free_device_list(list);
	return context;
}

static void call_mlx5(void)
{
	bool (*supported)(struct ibv_device * device) =
		function("mlx5dv_is_supported");
	int (*query)(struct ibv_context * context,
		     struct mlx5dv_context * attrs) =
		function("mlx5dv_query_device");
	struct mlx5dv_context attrs = { 0 };
	struct ibv_context *context = open_first();

	CHECK(supported(context->device));
	CHECK_INT(query(context, &attrs), 0);
	CHECK(attrs.flags & MLX5DV_CONTEXT_FLAGS_CQE_V1);
	ibv_close_device(context);
}

static void call_mlx4(void)
{
	int (*query)(struct ibv_context * context,
		     struct mlx4dv_context * attrs) =
		function("mlx4dv_query_device");
	struct mlx4dv_context attrs = { 0 };
	struct ibv_context *context = open_first();

	CHECK_INT(query(context, &attrs), 0);
	CHECK_INT(attrs.max_inl_recv_sz, 512);
	ibv_close_device(context);
}

static void call_efa(void)
{
	int (*query)(struct ibv_context * context,
		     struct efadv_device_attr * attr, uint32_t inlen) =
		function("efadv_query_device");
	struct efadv_device_attr attr = { 0 };
	struct ibv_context *context = open_first();

	CHECK_INT(query(context, &attr, sizeof(attr)), 0);
	CHECK_INT(attr.max_sq_wr, 256);
	ibv_close_device(context);
}

static void call_mana(void)
{
	int (*set)(struct ibv_context * context,
		   enum manadv_set_ctx_attr_type type, void *attr) =
		function("manadv_set_context_attr");
	struct manadv_ctx_allocators none = { 0 };
	struct ibv_context *context = open_first();

	CHECK_INT(set(context, MANADV_CTX_ATTR_BUF_ALLOCATORS, &none), 0);
	ibv_close_device(context);
}

/* The machine has no connection manager, but a device. */
static void call_rdmacm(void)
{
	const char *(*event_str)(enum rdma_cm_event_type event) =
		function("rdma_event_str");
	struct ibv_context **(*get_devices)(int *num) =
		function("rdma_get_devices");
	void (*free_devices)(struct ibv_context * *list) =
		function("rdma_free_devices");
	struct ibv_context **list;
	int num = -1;

	CHECK(!strcmp(event_str(RDMA_CM_EVENT_ESTABLISHED),
		      "RDMA_CM_EVENT_ESTABLISHED"));
	list = get_devices(&num);
	CHECK(list);
	CHECK_INT(num, 1);
	CHECK(list[0] && !strcmp(list[0]->device->name, "mlx5_0"));
	free_devices(list);
}

static const struct {
	const char *name;
	const char *plugin;
	void (*call)(void);
} libraries[] = {
	{ "libmlx5.so.1", "mlx5", call_mlx5 },
	{ "libmlx4.so.1", "mlx4", call_mlx4 },
	{ "libefa.so.1", "efa", call_efa },
	{ "libmana.so.1", "mana", call_mana },
	{ "librdmacm.so.1", "mlx5", call_rdmacm },
};

/* A library that is linked to is there before any device is looked for. */
static void load(const char *name)
{
	char path[PATH_MAX];

	snprintf(path, sizeof(path), LIBRARY_DIR "%s", name);
	library = dlopen(path, RTLD_NOW);
	if (!library) {
		fprintf(stderr, "%s\n", dlerror());
		exit(1);
	}
}

static void begin(const struct plugin *plugin)
{
	const struct machine machine = {
		.ibdev = plugin->ibdev,
		.driver_id = plugin->driver_id,
		.modalias = plugin->modalias,
		.abi = plugin->abi,
	};
	char path[PATH_MAX];

	snprintf(path, sizeof(path), PLUGIN_DIR "/lib%s", plugin->name);
	CHECK(!setenv("RDMAV_DRIVERS", path, 1));
	fake_kernel_start(plugin);
	machine_is(&machine);
}

int main(int argc, char **argv)
{
	for (size_t i = 0; i < sizeof(libraries) / sizeof(libraries[0]); i++) {
		if (argc != 2 || strcmp(argv[1], libraries[i].name))
			continue;
		load(libraries[i].name);
		/* It is this tree's library that has been found. */
		CHECK(dlsym(RTLD_DEFAULT, "ibv_export_to_fd"));
		begin(find_plugin(libraries[i].plugin, NULL));
		libraries[i].call();
		return 0;
	}
	fprintf(stderr, "usage: library <name of the file>\n");
	return 1;
}
