// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * The RDMA control group: limits of this process's own group and of those above
 * it, each of which binds.
 */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "doctor/doctor.h"

#define V2_ROOT "/sys/fs/cgroup"
#define V1_ROOT "/sys/fs/cgroup/rdma"

/* Where is this process's group?  false: there is no RDMA controller. */
static bool find_group(char *path, size_t size)
{
	char line[PATH_MAX];
	FILE *file = fopen("/proc/self/cgroup", "re");
	bool found = false;

	while (file && !found && fgets(line, sizeof(line), file)) {
		char *controllers = strchr(line, ':'), *group;

		group = controllers ? strchr(controllers + 1, ':') : NULL;
		if (!group)
			continue;
		*group++ = '\0';
		group[strcspn(group, "\n")] = '\0';
		/* Outside of what this process can see */
		if (strstr(group, ".."))
			continue;
		if (!strcmp(controllers, ":rdma"))
			found = snprintf(path, size, V1_ROOT "%s", group) <
				(int)size;
		else if (!strcmp(controllers, ":") && !doctor_exists(V1_ROOT))
			found = snprintf(path, size, V2_ROOT "%s", group) <
				(int)size;
	}
	if (file)
		fclose(file);
	return found;
}

/* The device's value of a file; UINT_MAX: "max", or it is not there. */
static unsigned int value_of(const char *group, const char *name,
			     const char *device, const char *resource)
{
	unsigned int value = UINT_MAX;
	char path[PATH_MAX + 32], line[512];
	FILE *file;

	snprintf(path, sizeof(path), "%s/%s", group, name);
	file = fopen(path, "re");
	while (file && fgets(line, sizeof(line), file)) {
		char *rest = NULL, *word = strtok_r(line, " \n", &rest);

		if (!word || strcmp(word, device))
			continue;
		while ((word = strtok_r(NULL, " \n", &rest))) {
			size_t length = strlen(resource);

			if (!strncmp(word, resource, length) &&
			    word[length] == '=' && word[length + 1] >= '0' &&
			    word[length + 1] <= '9')
				value = strtoul(word + length + 1, NULL, 10);
		}
	}
	if (file)
		fclose(file);
	return value;
}

/* Is there a limit in that group?  Is there anything left below it? */
static bool check_group(struct doctor_report *report, const char *device,
			const char *group)
{
	static const char *const resources[] = { "hca_handle", "hca_object" };
	bool limited = false;

	for (size_t i = 0; i < 2; i++) {
		unsigned int max =
			value_of(group, "rdma.max", device, resources[i]);
		unsigned int used =
			value_of(group, "rdma.current", device, resources[i]);

		if (max == UINT_MAX)
			continue;
		limited = true;
		if (used == UINT_MAX)
			used = 0;
		if (used < max) {
			doctor_add(report, device, "cgroup", DOCTOR_NOTE,
				   "%s/rdma.max: %u of %u %s are in use", group,
				   used, max, resources[i]);
			continue;
		}
		doctor_add(report, device, "cgroup", DOCTOR_PROBLEM,
			   "%s/rdma.max allows %u %s, and %u are in use: no "
			   "more can be made (EAGAIN)",
			   group, max, resources[i], used);
		doctor_fix(report, "echo '%s %s=max' >%s/rdma.max", device,
			   resources[i], group);
	}
	return limited;
}

void doctor_check_cgroup(struct doctor *doctor, struct doctor_device *dev)
{
	char group[PATH_MAX];
	bool limited = false;
	size_t root;

	if (!find_group(group, sizeof(group)) || !doctor_exists("%s", group))
		return;
	root = strlen(doctor_exists(V1_ROOT) ? V1_ROOT : V2_ROOT);
	while (strlen(group) > root) {
		char *slash = strrchr(group, '/');

		if (slash[1] && check_group(&doctor->report, dev->name, group))
			limited = true;
		*slash = '\0';
	}
	if (!limited)
		doctor_add(&doctor->report, dev->name, "cgroup", DOCTOR_OK,
			   "no limit");
}
