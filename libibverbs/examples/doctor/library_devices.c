// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * What the library makes of the devices.  It tells on stderr why it does not
 * take one, if it is asked to: that is caught and becomes part of the report.
 */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "doctor/doctor.h"

#define MAX_WARNINGS 65536

static char *read_all(int fd)
{
	char *text = malloc(MAX_WARNINGS);
	ssize_t n;

	if (!text)
		return NULL;
	n = pread(fd, text, MAX_WARNINGS - 1, 0);
	text[n < 0 ? 0 : n] = '\0';
	for (char *s = text; (s = strchr(s, '\n'));)
		*s = s[1] ? ';' : '\0';
	return text;
}

void doctor_ask_library(struct doctor *doctor)
{
	int saved = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3);
	int caught = memfd_create("stderr", MFD_CLOEXEC);
	struct ibv_device **dev;

	fflush(stderr);
	if (caught >= 0)
		dup2(caught, STDERR_FILENO);
	setenv("IBV_SHOW_WARNINGS", "1", 1);
	doctor->list = ibv_get_device_list(NULL);
	fflush(stderr);
	if (saved >= 0) {
		dup2(saved, STDERR_FILENO);
		close(saved);
	} else if (caught >= 0) {
		/* It was closed when we began. */
		close(STDERR_FILENO);
	}
	if (caught >= 0) {
		doctor->warnings = read_all(caught);
		close(caught);
	}

	for (dev = doctor->list; dev && *dev; dev++)
		for (size_t i = 0; i < doctor->num_devices; i++)
			if (!strcmp(doctor->devices[i].name,
				    ibv_get_device_name(*dev)))
				doctor->devices[i].device = *dev;
}
