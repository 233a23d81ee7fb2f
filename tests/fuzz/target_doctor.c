// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * Boundary: all the files that ibv_doctor reads: sysfs, /proc, control groups,
 * names of plug-ins.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "doctor/doctor.h"
#include "fuzz.h"
#include "tree.h"
#include "util/rdma_netlink.h"

void *__wrap_dlopen(const char *path, int flags);
char *__wrap_dlerror(void);
int __wrap_socket(int domain, int type, int protocol);

/* None of these names is loaded. */
void *__wrap_dlopen(const char *path, int flags)
{
	(void)flags;
	fuzz_check(strstr(path, "-rdmav34.so"), "what is loaded is no plug-in");
	return NULL;
}

char *__wrap_dlerror(void)
{
	return (char *)"no such file";
}

/* A kernel without RDMA netlink: what it says is another target's. */
int __wrap_socket(int domain, int type, int protocol)
{
	(void)domain;
	(void)type;
	(void)protocol;
	return -1;
}

static void show(const struct doctor_report *report, bool json)
{
	char *text = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);

	fuzz_check(out, "no memory");
	if (json)
		doctor_print_json(out, report);
	else
		doctor_print_table(out, report);
	fclose(out);
	for (size_t i = 0; i < size; i++) {
		unsigned char c = text[i];

		fuzz_check(c == '\n' || (c >= ' ' && c != 0x7f),
			   "a control character");
	}
	free(text);
}

void fuzz_setup(void)
{
	tree_setup();
}

void fuzz_run(void)
{
	struct doctor doctor = { .list = NULL };

	tree_plant();
	doctor_find_devices(&doctor, NULL);
	doctor_check_kernel(&doctor);
	doctor_check_plugins(&doctor);
	doctor_check_memlock(&doctor);
	for (size_t i = 0; i < doctor.num_devices; i++) {
		doctor.devices[i].driver_id = i % 20;
		doctor_check_plugin(&doctor, &doctor.devices[i]);
		doctor_check_ports(&doctor, &doctor.devices[i]);
		doctor_check_cgroup(&doctor, &doctor.devices[i]);
	}
	tree_fell();
	show(&doctor.report, false);
	show(&doctor.report, true);
	doctor_free(&doctor.report);
	free(doctor.devices);
}
