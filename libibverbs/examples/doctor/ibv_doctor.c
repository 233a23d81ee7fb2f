// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * ibv_doctor: what keeps programs from using the RDMA devices of this machine,
 * and the line that puts it right.  Needs no privilege, and changes nothing.
 */
#include <getopt.h>
#include <stdlib.h>
#include <unistd.h>

#include "doctor/doctor.h"

enum { HEALTHY, PROBLEMS, FAILED };

static void usage(FILE *out, const char *program)
{
	fprintf(out, "Usage: %s [options]\n", program);
	fputs("\nOptions:\n"
	      "  -d, --ib-dev=<dev>     look at RDMA device <dev> only "
	      "(default "
	      "all)\n"
	      "  -s, --share            count a kernel without export and "
	      "import as a\n"
	      "                         problem\n"
	      "  -j, --json             print the report as JSON\n"
	      "  -h, --help             print this help text and exit\n",
	      out);
}

static void check_machine(struct doctor *doctor, const char *only)
{
	doctor_check_kernel(doctor);
	if (!doctor->has_netlink)
		doctor_add(&doctor->report, NULL, "netlink", DOCTOR_NOTE,
			   "the kernel does not answer RDMA netlink: devices "
			   "are looked for in sysfs");
	doctor_check_library(doctor);
	doctor_check_plugins(doctor);
	doctor_check_memlock(doctor);
	doctor_check_fork(doctor);
	if (!doctor->num_devices && only) {
		doctor_add(&doctor->report, NULL, "devices", DOCTOR_PROBLEM,
			   "the kernel has no RDMA device %s", only);
		doctor_fix(&doctor->report, "rdma dev show");
	} else if (!doctor->num_devices) {
		doctor_check_no_devices(doctor);
	}
}

static void check_device(struct doctor *doctor, struct doctor_device *dev)
{
	doctor_check_node(doctor, dev);
	doctor_check_plugin(doctor, dev);
	doctor_check_ports(doctor, dev);
	doctor_check_cgroup(doctor, dev);
	doctor_check_sharing(doctor, dev);
	if (dev->fd >= 0)
		close(dev->fd);
}

int main(int argc, char *argv[])
{
	static const struct option options[] = {
		{ "ib-dev", required_argument, NULL, 'd' },
		{ "share", no_argument, NULL, 's' },
		{ "json", no_argument, NULL, 'j' },
		{ "help", no_argument, NULL, 'h' },
		{ 0 },
	};
	struct doctor doctor = { .list = NULL };
	const char *only = NULL;
	bool json = false;
	int letter, status;

	while ((letter = getopt_long(argc, argv, "d:sjh", options, NULL)) !=
	       -1) {
		switch (letter) {
		case 'd':
			only = optarg;
			break;
		case 's':
			doctor.must_share = true;
			break;
		case 'j':
			json = true;
			break;
		case 'h':
			usage(stdout, argv[0]);
			return HEALTHY;
		default:
			usage(stderr, argv[0]);
			return FAILED;
		}
	}
	if (optind < argc) {
		usage(stderr, argv[0]);
		return FAILED;
	}

	doctor_find_devices(&doctor, only);
	doctor_ask_library(&doctor);
	check_machine(&doctor, only);
	for (size_t i = 0; i < doctor.num_devices; i++)
		check_device(&doctor, &doctor.devices[i]);

	if (json)
		doctor_print_json(stdout, &doctor.report);
	else
		doctor_print_table(stdout, &doctor.report);
	status = doctor.report.problems ? PROBLEMS : HEALTHY;
	doctor_free(&doctor.report);
	free(doctor.devices);
	free(doctor.warnings);
	if (doctor.list)
		ibv_free_device_list(doctor.list);
	if (fflush(stdout) || ferror(stdout)) {
		perror("ibv_doctor");
		return FAILED;
	}
	return status;
}
