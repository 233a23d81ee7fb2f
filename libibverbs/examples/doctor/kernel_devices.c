// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * The RDMA devices that the kernel has, whether or not the library can use
 * them: by netlink, which tells their driver, and by sysfs.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sysmacros.h>

#include <infiniband/ib_user_ioctl_verbs.h>

#include "doctor/doctor.h"
#include "util/rdma_netlink.h"

const char *ibv_get_sysfs_path(void);

/* Of no use to anybody, but a kernel that went mad shall not fill memory. */
#define MAX_DEVICES 4096

struct search {
	struct doctor *doctor;
	const char *only;
	struct doctor_device *found; /* asked for its character device */
};

/* The device of that name, new if need be; NULL: not wanted */
static struct doctor_device *get_device(struct search *search, const char *name)
{
	struct doctor *doctor = search->doctor;
	struct doctor_device *dev;

	if (!*name || strchr(name, '/') || strlen(name) >= sizeof(dev->name) ||
	    (search->only && strcmp(name, search->only)))
		return NULL;
	for (size_t i = 0; i < doctor->num_devices; i++)
		if (!strcmp(doctor->devices[i].name, name))
			return &doctor->devices[i];
	if (doctor->num_devices == MAX_DEVICES)
		return NULL;
	dev = realloc(doctor->devices,
		      (doctor->num_devices + 1) * sizeof(*doctor->devices));
	if (!dev)
		return NULL;
	doctor->devices = dev;
	dev += doctor->num_devices++;
	memset(dev, 0, sizeof(*dev));
	strcpy(dev->name, name);
	dev->driver_id = RDMA_DRIVER_UNKNOWN;
	dev->fd = -1;
	return dev;
}

/* ---- netlink ---- */

static int on_device(struct nlmsghdr *hdr, void *arg)
{
	struct nlattr *attrs[RDMA_NL_LAST_ATTR + 1];
	struct search *search = arg;
	struct doctor_device *dev;
	char name[sizeof(dev->name)];
	uint32_t index;

	if (rdma_nl_attrs(hdr, attrs) ||
	    !rdma_nl_u32(attrs, RDMA_NLDEV_ATTR_DEV_INDEX, &index) ||
	    !rdma_nl_string(attrs, RDMA_NLDEV_ATTR_DEV_NAME, name,
			    sizeof(name)))
		return 0;
	dev = get_device(search, name);
	if (dev) {
		dev->in_netlink = true;
		dev->index = index;
	}
	return 0;
}

static int on_chardev(struct nlmsghdr *hdr, void *arg)
{
	struct nlattr *attrs[RDMA_NL_LAST_ATTR + 1];
	struct doctor_device *dev = arg;

	if (rdma_nl_attrs(hdr, attrs))
		return 0;
	if (!rdma_nl_u32(attrs, RDMA_NLDEV_ATTR_UVERBS_DRIVER_ID,
			 &dev->driver_id))
		dev->driver_id = RDMA_DRIVER_UNKNOWN;
	return 0;
}

static int on_system(struct nlmsghdr *hdr, void *arg)
{
	struct nlattr *attrs[RDMA_NL_LAST_ATTR + 1];
	struct doctor *doctor = arg;
	uint8_t shared;

	if (!rdma_nl_attrs(hdr, attrs) &&
	    rdma_nl_u8(attrs, RDMA_NLDEV_SYS_ATTR_NETNS_MODE, &shared))
		doctor->netns_exclusive = !shared;
	return 0;
}

static void ask_chardev(struct rdma_nl *nl, struct doctor_device *dev)
{
	struct nl_msg *request = rdma_nl_request(RDMA_NLDEV_CMD_GET_CHARDEV, 0);

	if (request &&
	    (nla_put_u32(request, RDMA_NLDEV_ATTR_DEV_INDEX, dev->index) ||
	     nla_put_string(request, RDMA_NLDEV_ATTR_CHARDEV_TYPE, "uverbs"))) {
		nlmsg_free(request);
		request = NULL;
	}
	rdma_nl_ask(nl, request, on_chardev, dev);
}

static void ask_netlink(struct search *search)
{
	struct doctor *doctor = search->doctor;
	struct rdma_nl nl;

	if (!rdma_nl_open(&nl))
		return;
	doctor->has_netlink = true;
	rdma_nl_ask(&nl, rdma_nl_request(RDMA_NLDEV_CMD_GET, NLM_F_DUMP),
		    on_device, search);
	for (size_t i = 0; i < doctor->num_devices; i++)
		ask_chardev(&nl, &doctor->devices[i]);
	rdma_nl_ask(&nl, rdma_nl_request(RDMA_NLDEV_CMD_SYS_GET, 0), on_system,
		    doctor);
	rdma_nl_close(&nl);
}

/* ---- sysfs ---- */

static bool on_class(const char *name, void *arg)
{
	get_device(arg, name);
	return true;
}

static bool on_uverbs(const char *name, void *arg)
{
	struct search *search = arg;
	char text[sizeof(search->found->name)];
	unsigned int major_no, minor_no;
	struct doctor *doctor = search->doctor;

	if (strlen(name) >= sizeof(search->found->uverbs) ||
	    !doctor_read(text, sizeof(text),
			 "%s/class/infiniband_verbs/%s/ibdev",
			 ibv_get_sysfs_path(), name))
		return true;
	for (size_t i = 0; i < doctor->num_devices; i++) {
		struct doctor_device *dev = &doctor->devices[i];

		if (strcmp(dev->name, text))
			continue;
		strcpy(dev->uverbs, name);
		if (doctor_read(text, sizeof(text),
				"%s/class/infiniband_verbs/%s/dev",
				ibv_get_sysfs_path(), name) &&
		    sscanf(text, "%u:%u", &major_no, &minor_no) == 2)
			dev->cdev = makedev(major_no, minor_no);
		break;
	}
	return true;
}

static int by_name(const void *a, const void *b)
{
	return strcmp(((const struct doctor_device *)a)->name,
		      ((const struct doctor_device *)b)->name);
}

void doctor_find_devices(struct doctor *doctor, const char *only)
{
	struct search search = { .doctor = doctor, .only = only };
	char path[512];

	ask_netlink(&search);
	snprintf(path, sizeof(path), "%s/class/infiniband",
		 ibv_get_sysfs_path());
	doctor_each_entry(path, on_class, &search);
	snprintf(path, sizeof(path), "%s/class/infiniband_verbs",
		 ibv_get_sysfs_path());
	doctor_each_entry(path, on_uverbs, &search);
	if (doctor->num_devices)
		qsort(doctor->devices, doctor->num_devices,
		      sizeof(*doctor->devices), by_name);
}
