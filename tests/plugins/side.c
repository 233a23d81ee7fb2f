// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * side <plug-in>: what becomes of its devices, for either library.  It prints
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
	ibv_free_device_list(list);
	return ops;
}

static void try_ways(const struct plugin *plugin)
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
static void try_table(const struct plugin *plugin,
		      const struct verbs_device_ops *ops)
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

static void try_open(const struct plugin *plugin)
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
	struct ibv_pd *pd;

	fake_kernel_start(plugin);
	device = list_one(&list, &machine);
	CHECK(device && !strcmp(ops_of(device)->name, plugin->driver));
	ops = ops_of(device);
	ibv_free_device_list(list);
	try_table(plugin, ops);

	device = list_one(&list, &machine);
	CHECK(device && ops_of(device) == ops);
	errno = 0;
	context = ibv_open_device(device);
	printf("open: %d errno %d\n", !!context, context ? 0 : errno);
	for (size_t i = 0; i < log_length(); i++) {
		const struct logged *entry = log_entry(i);

		printf("%u/%u %#x driver %zu/%zu: %d\n", entry->command.object,
		       entry->command.method, entry->command.number,
		       entry->driver_in_len, entry->driver_out_len, entry->err);
	}
	CHECK(context);
	printf("vectors %d, async %d, core %#x\n", context->num_comp_vectors,
	       context->async_fd >= 0,
	       (unsigned int)verbs_get_device(device)->core_support);

	pd = ibv_alloc_pd(context);
	printf("pd: %d\n", !!pd);
	CHECK(pd);
	printf("dealloc: %d\n", ibv_dealloc_pd(pd));
	printf("close: %d\n", ibv_close_device(context));
	printf("left: %zu files, %zu handles, %zu objects, %u mappings\n",
	       fake_kernel_files(), fake_kernel_left(), fake_kernel_objects(),
	       machine_mappings());
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
	const struct plugin *plugin = find_plugin(argc == 2 ? argv[1] : "");

	CHECK(plugin && "usage: side <plug-in>");
	setvbuf(stdout, NULL, _IOLBF, 0);
	load_all();
	try_ways(plugin);
	try_open(plugin);
	return 0;
}
