// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* The report for people, and for programs. */
#include <stdlib.h>
#include <string.h>

#include "doctor/doctor.h"
#include "tool_text.h"

#define WIDTH 80
/* Where the text stands: behind "PROBLEM  memory lock  " */
#define INDENT 22

static const char *const state_names[] = {
	[DOCTOR_OK] = "ok",
	[DOCTOR_NOTE] = "note",
	[DOCTOR_PROBLEM] = "problem",
};

/* Words of text from column on, broken where a line would be too long */
static void print_wrapped(FILE *out, const char *text, int column)
{
	char *copy = strdup(text), *rest = NULL, *word;
	bool first = true;

	if (!copy) {
		fprintf(out, "%s\n", text);
		return;
	}
	tool_printable(copy);
	for (word = strtok_r(copy, " ", &rest); word;
	     word = strtok_r(NULL, " ", &rest)) {
		int length = strlen(word);

		if (!first && column + 1 + length > WIDTH - 1) {
			fprintf(out, "\n%*s", INDENT, "");
			column = INDENT;
		} else if (!first) {
			fputc(' ', out);
			column++;
		}
		fputs(word, out);
		column += length;
		first = false;
	}
	fputc('\n', out);
	free(copy);
}

static bool same_device(const struct doctor_finding *a,
			const struct doctor_finding *b)
{
	if (!a->device || !b->device)
		return a->device == b->device;
	return !strcmp(a->device, b->device);
}

static void print_heading(FILE *out, const struct doctor_finding *finding)
{
	char *name;

	if (!finding->device) {
		fputs("This machine\n", out);
		return;
	}
	name = strdup(finding->device);
	fprintf(out, "Device %s\n",
		name ? tool_printable(name) : finding->device);
	free(name);
}

void doctor_print_table(FILE *out, const struct doctor_report *report)
{
	for (size_t i = 0; i < report->count; i++) {
		const struct doctor_finding *finding = &report->findings[i];

		if (!i || !same_device(finding, finding - 1)) {
			if (i)
				fputc('\n', out);
			print_heading(out, finding);
		}
		fprintf(out, "%-7s  %-11s  ",
			finding->state == DOCTOR_PROBLEM
				? "PROBLEM"
				: state_names[finding->state],
			finding->check);
		print_wrapped(out, finding->text, INDENT);
		if (finding->fix) {
			fprintf(out, "%*s-> ", INDENT - 3, "");
			print_wrapped(out, finding->fix, INDENT);
		}
	}
	if (report->problems)
		fprintf(out, "\n%zu problem%s found\n", report->problems,
			report->problems == 1 ? "" : "s");
	else
		fputs("\nNo problems found\n", out);
}

static void print_member(FILE *out, const char *name, const char *value)
{
	fprintf(out, ", \"%s\": ", name);
	if (value)
		tool_json_string(out, value);
	else
		fputs("null", out);
}

void doctor_print_json(FILE *out, const struct doctor_report *report)
{
	fprintf(out, "{\n  \"problems\": %zu,\n  \"findings\": [",
		report->problems);
	for (size_t i = 0; i < report->count; i++) {
		const struct doctor_finding *finding = &report->findings[i];

		fprintf(out, "%s\n    {\"state\": \"%s\"", i ? "," : "",
			state_names[finding->state]);
		print_member(out, "device", finding->device);
		print_member(out, "check", finding->check);
		print_member(out, "text", finding->text);
		print_member(out, "fix", finding->fix);
		fputc('}', out);
	}
	fputs("\n  ]\n}\n", out);
}
