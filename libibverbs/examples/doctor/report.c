// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* Collects what the checks find. */
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "doctor/doctor.h"
#include "tool_text.h"

static void *or_die(void *memory)
{
	if (!memory) {
		fputs("ibv_doctor: out of memory\n", stderr);
		exit(2);
	}
	return memory;
}

static char *format(const char *fmt, va_list ap)
{
	char *text;

	if (vasprintf(&text, fmt, ap) < 0)
		text = NULL;
	return or_die(text);
}

void doctor_add(struct doctor_report *report, const char *device,
		const char *check, enum doctor_state state, const char *fmt,
		...)
{
	struct doctor_finding *finding;
	va_list ap;

	if (report->count == report->room) {
		report->room += 32;
		report->findings = or_die(
			realloc(report->findings,
				report->room * sizeof(*report->findings)));
	}
	finding = &report->findings[report->count++];
	finding->device = device ? or_die(strdup(device)) : NULL;
	finding->check = check;
	finding->state = state;
	finding->fix = NULL;
	va_start(ap, fmt);
	finding->text = format(fmt, ap);
	va_end(ap);
	if (state == DOCTOR_PROBLEM)
		report->problems++;
}

void doctor_fix(struct doctor_report *report, const char *fmt, ...)
{
	struct doctor_finding *last = &report->findings[report->count - 1];
	va_list ap;

	free(last->fix);
	va_start(ap, fmt);
	last->fix = format(fmt, ap);
	va_end(ap);
}

void doctor_free(struct doctor_report *report)
{
	for (size_t i = 0; i < report->count; i++) {
		free(report->findings[i].device);
		free(report->findings[i].text);
		free(report->findings[i].fix);
	}
	free(report->findings);
	memset(report, 0, sizeof(*report));
}
