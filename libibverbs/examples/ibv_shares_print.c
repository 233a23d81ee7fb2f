// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* Shared objects as a table, and as JSON. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "ibv_shares.h"
#include "tool_text.h"

/*
 * The name of a process of which the kernel told the number alone: false if it
 * is gone, or if the numbers here are not those of the machine.
 */
static bool name_of(uint32_t pid, char *name, size_t size)
{
	/* The kernel's number of the first PID namespace */
	static const char first[] = "pid:[4026531836]";
	char path[64], link[64];
	ssize_t n;
	FILE *file;

	n = readlink("/proc/self/ns/pid", link, sizeof(link) - 1);
	if (!pid || n < 0)
		return false;
	link[n] = '\0';
	if (strcmp(link, first))
		return false;
	snprintf(path, sizeof(path), "/proc/%u/comm", pid);
	file = fopen(path, "re");
	if (!file)
		return false;
	n = fread(name, 1, size - 1, file);
	fclose(file);
	/* A line end that is its own, at most */
	if (n && name[n - 1] == '\n')
		n--;
	name[n] = '\0';
	return n && !memchr(name, '\0', n);
}

/* ---- table ---- */

enum { DEVICE, TYPE, ID, SIZE, MAKER, HANDLE, FILE_ID, PID, COMM, COLUMNS };

static const char *const titles[COLUMNS] = {
	"DEVICE", "TYPE", "ID",	 "BYTES",   "MAKER",
	"HANDLE", "FILE", "PID", "COMMAND",
};
/* Numbers stand at the right of their column. */
static const bool right[COLUMNS] = {
	[ID] = true,	 [SIZE] = true,	   [MAKER] = true,
	[HANDLE] = true, [FILE_ID] = true, [PID] = true,
};

typedef char row[COLUMNS][64];

static void number(char *cell, uint64_t value)
{
	snprintf(cell, sizeof(row) / COLUMNS, "%" PRIu64, value);
}

static void process(char *cell, uint32_t pid)
{
	if (pid)
		number(cell, pid);
	else
		strcpy(cell, "gone");
}

/* What belongs to the object is not repeated for each alias. */
static void fill(row cells, const struct share *share)
{
	memset(cells, 0, sizeof(row));
	if (share->first) {
		strcpy(cells[DEVICE], share->device);
		strcpy(cells[TYPE], share->type);
		number(cells[ID], share->id);
		if (strcmp(share->type, "pd"))
			number(cells[SIZE], share->bytes);
		process(cells[MAKER], share->maker);
	}
	if (!share->has_alias) {
		strcpy(cells[HANDLE], "-");
		strcpy(cells[FILE_ID], "-");
		strcpy(cells[PID], "-");
		/* Something still uses it: an MR the PD, a window the MR. */
		strcpy(cells[COMM], "(no alias)");
	} else {
		number(cells[HANDLE], share->handle);
		number(cells[FILE_ID], share->file);
		process(cells[PID], share->pid);
		strcpy(cells[COMM], *share->comm ? share->comm : "-");
	}
	tool_printable(cells[DEVICE]);
	tool_printable(cells[TYPE]);
	tool_printable(cells[COMM]);
}

static void widen(int *widths, row cells)
{
	for (int i = 0; i < COLUMNS; i++) {
		int length = strlen(cells[i]);

		if (widths[i] < length)
			widths[i] = length;
	}
}

static void print_row(FILE *out, const int *widths, row cells)
{
	for (int i = 0; i < COLUMNS - 1; i++)
		fprintf(out, "%*s  ", right[i] ? widths[i] : -widths[i],
			cells[i]);
	fprintf(out, "%s\n", cells[COLUMNS - 1]);
}

void shares_print_table(FILE *out, const struct shares *shares)
{
	int widths[COLUMNS] = { 0 };
	row cells;

	memset(cells, 0, sizeof(cells));
	for (int i = 0; i < COLUMNS; i++)
		strcpy(cells[i], titles[i]);
	widen(widths, cells);
	for (size_t i = 0; i < shares->count; i++) {
		fill(cells, &shares->list[i]);
		widen(widths, cells);
	}
	for (int i = 0; i < COLUMNS; i++)
		strcpy(cells[i], titles[i]);
	print_row(out, widths, cells);
	for (size_t i = 0; i < shares->count; i++) {
		fill(cells, &shares->list[i]);
		print_row(out, widths, cells);
	}
}

/* ---- JSON ---- */

static void print_process(FILE *out, uint32_t pid, const char *comm)
{
	if (pid)
		fprintf(out, "\"pid\": %u, \"comm\": ", pid);
	else
		fputs("\"pid\": null, \"comm\": ", out);
	if (*comm)
		tool_json_string(out, comm);
	else
		fputs("null", out);
}

static void print_object(FILE *out, const struct share *share, bool is_live)
{
	char maker[64];
	bool known = is_live && name_of(share->maker, maker, sizeof(maker));

	fputs("    {\"device\": ", out);
	tool_json_string(out, share->device);
	fputs(", \"type\": ", out);
	tool_json_string(out, share->type);
	fprintf(out, ", \"id\": %u, ", share->id);
	if (strcmp(share->type, "pd"))
		fprintf(out, "\"bytes\": %" PRIu64 ", ", share->bytes);
	fputs("\"maker\": {", out);
	print_process(out, share->maker, known ? maker : "");
	fputs("},\n     \"aliases\": [", out);
}

void shares_print_json(FILE *out, const struct shares *shares)
{
	bool first_alias = true;

	fputs("{\n  \"objects\": [", out);
	for (size_t i = 0; i < shares->count; i++) {
		const struct share *share = &shares->list[i];

		if (share->first) {
			fputs(i ? "]},\n" : "\n", out);
			print_object(out, share, shares->is_live);
			first_alias = true;
		}
		if (!share->has_alias)
			continue;
		fprintf(out, "%s\n      {\"handle\": %u, \"file\": %u, ",
			first_alias ? "" : ",", share->handle, share->file);
		print_process(out, share->pid, share->comm);
		fputc('}', out);
		first_alias = false;
	}
	fputs(shares->count ? "]}\n  ]\n}\n" : "]\n}\n", out);
}
