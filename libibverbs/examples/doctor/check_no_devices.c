// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* Why is there no RDMA device? */
#include <limits.h>
#include <string.h>
#include <unistd.h>

#include "doctor/doctor.h"

#define PCI "/sys/bus/pci/devices"
/* As sysfs writes the class of an InfiniBand controller; any interface */
#define CLASS_INFINIBAND "0x0207"

/* Network drivers with an RDMA driver that is loaded by itself, mostly */
static const struct {
	const char *network, *rdma;
} pairs[] = {
	{ "mlx5_core", "mlx5_ib" }, { "mlx4_core", "mlx4_ib" },
	{ "bnxt_en", "bnxt_re" },   { "cxgb4", "iw_cxgb4" },
	{ "ice", "irdma" },	    { "i40e", "irdma" },
	{ "qede", "qedr" },	    { "hns3", "hns_roce_hw_v2" },
};

struct hardware {
	char address[NAME_MAX + 1];
	const char *module; /* to be loaded; NULL: unknown */
	bool found;
};

static const char *driver_of(const char *address, char *link, size_t size)
{
	char path[PATH_MAX];
	ssize_t n;
	char *name;

	snprintf(path, sizeof(path), PCI "/%s/driver", address);
	n = readlink(path, link, size - 1);
	if (n <= 0)
		return NULL;
	link[n] = '\0';
	name = strrchr(link, '/');
	return name ? name + 1 : NULL;
}

static bool look_at(const char *address, void *arg)
{
	struct hardware *hw = arg;
	char link[PATH_MAX], class[32];
	const char *driver = driver_of(address, link, sizeof(link));
	bool infiniband =
		doctor_read(class, sizeof(class), PCI "/%s/class", address) &&
		!strncmp(class, CLASS_INFINIBAND, strlen(CLASS_INFINIBAND));

	for (size_t i = 0; driver && i < sizeof(pairs) / sizeof(pairs[0]); i++)
		if (!strcmp(driver, pairs[i].network))
			hw->module = pairs[i].rdma;
	if (!hw->module && !infiniband)
		return true;
	hw->found = true;
	snprintf(hw->address, sizeof(hw->address), "%s", address);
	return false;
}

static bool take_interface(const char *name, void *arg)
{
	char *interface = arg;

	if (!strcmp(name, "lo"))
		return true;
	snprintf(interface, NAME_MAX + 1, "%s", name);
	return false;
}

void doctor_check_no_devices(struct doctor *doctor)
{
	struct doctor_report *report = &doctor->report;
	struct hardware hw = { .found = false };
	char interface[NAME_MAX + 1] = "eth0";

	if (!doctor_in_container())
		doctor_each_entry(PCI, look_at, &hw);
	if (doctor->netns_exclusive) {
		doctor_add(report, NULL, "devices", DOCTOR_PROBLEM,
			   "no RDMA device in this network namespace; the "
			   "kernel shows each device in one namespace only "
			   "(mode exclusive)");
		doctor_fix(report,
			   "where the device is: rdma dev set DEVICE netns "
			   "NAME; or with no devices: rdma system set netns "
			   "shared");
	} else if (hw.found && hw.module) {
		doctor_add(report, NULL, "devices", DOCTOR_PROBLEM,
			   "no RDMA device, though there is an adapter (PCI "
			   "%s) that may be one: the module %s is not loaded, "
			   "or found nothing to do",
			   hw.address, hw.module);
		doctor_fix(report, "modprobe %s", hw.module);
	} else if (hw.found) {
		doctor_add(report, NULL, "devices", DOCTOR_PROBLEM,
			   "no RDMA device, though there is an InfiniBand "
			   "adapter (PCI %s): no driver has taken it",
			   hw.address);
		doctor_fix(report, "lspci -nnk -s %s; then load its driver",
			   hw.address);
	} else {
		doctor_each_entry("/sys/class/net", take_interface, interface);
		doctor_add(report, NULL, "devices", DOCTOR_PROBLEM,
			   "no RDMA device, and no RDMA hardware seen");
		doctor_fix(report,
			   "a device in software: modprobe rdma_rxe && rdma "
			   "link add rxe0 type rxe netdev %s",
			   interface);
	}
}
