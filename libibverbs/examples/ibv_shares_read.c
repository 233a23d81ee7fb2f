// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * The kernel's list of shared objects, taken apart without trust: it passes on
 * names that processes gave themselves, and may be of a later kernel.
 */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "ibv_shares.h"

#define COLUMNS 10
#define MAX_LINES (1u << 20)
#define MAX_LENGTH (1u << 20)

enum column {
	DEVICE,
	TYPE,
	ID,
	ALIASES,
	HANDLE,
	FILE_ID,
	PID,
	COMM,
	MAKER,
	BYTES,
};

/* Decimal digits and nothing else */
static bool get_number(const char *text, uint64_t max, uint64_t *value)
{
	size_t length = strlen(text);

	if (!length || length > 20 || strspn(text, "0123456789") != length)
		return false;
	errno = 0;
	*value = strtoull(text, NULL, 10);
	return !errno && *value <= max;
}

static bool get_u32(const char *text, uint32_t *value)
{
	uint64_t wide;

	if (!get_number(text, UINT32_MAX, &wide))
		return false;
	*value = wide;
	return true;
}

static bool get_pid(const char *text, uint32_t *value)
{
	return get_u32(text, value) && *value <= INT_MAX;
}

static bool get_word(const char *text, char *word, size_t size)
{
	if (!*text || strlen(text) >= size)
		return false;
	strcpy(word, text);
	return true;
}

static bool is_octal(char c)
{
	return c >= '0' && c <= '7';
}

/* The kernel writes what would break a line as \ooo. */
static bool get_comm(const char *text, char *comm, size_t size)
{
	size_t n = 0;

	if (!strcmp(text, "-"))
		text = "";
	while (*text) {
		unsigned int byte = (unsigned char)*text++;

		if (byte == '\\') {
			if (text[0] > '3' || !is_octal(text[0]) ||
			    !is_octal(text[1]) || !is_octal(text[2]))
				return false;
			byte = (text[0] - '0') << 6 | (text[1] - '0') << 3 |
			       (text[2] - '0');
			text += 3;
		}
		if (!byte || n == size - 1)
			return false;
		comm[n++] = byte;
	}
	comm[n] = '\0';
	return true;
}

static bool parse(char *line, struct share *share)
{
	char *field[COLUMNS];

	memset(share, 0, sizeof(*share));
	/* Columns behind these are of a later kernel. */
	for (int i = 0; i < COLUMNS; i++) {
		field[i] = strsep(&line, "\t");
		if (!field[i])
			return false;
	}
	share->has_alias = strcmp(field[HANDLE], "-");
	return get_word(field[DEVICE], share->device, sizeof(share->device)) &&
	       get_word(field[TYPE], share->type, sizeof(share->type)) &&
	       get_u32(field[ID], &share->id) &&
	       get_u32(field[ALIASES], &share->aliases) &&
	       (!share->has_alias || get_u32(field[HANDLE], &share->handle)) &&
	       get_u32(field[FILE_ID], &share->file) &&
	       get_pid(field[PID], &share->pid) &&
	       get_comm(field[COMM], share->comm, sizeof(share->comm)) &&
	       get_pid(field[MAKER], &share->maker) &&
	       get_number(field[BYTES], UINT64_MAX, &share->bytes);
}

/*
 * Is it another object's than the line before, of which there are rows already?
 * Objects without a number can only be told apart by how many lines they have.
 */
static bool is_first(const struct share *share, const struct share *before,
		     size_t rows)
{
	return !before || rows >= before->aliases || share->id != before->id ||
	       strcmp(share->type, before->type) ||
	       strcmp(share->device, before->device);
}

static bool append(struct shares *shares, size_t *room,
		   const struct share *share)
{
	struct share *list = shares->list;

	if (shares->count == *room) {
		*room = *room ? *room * 2 : 64;
		list = realloc(list, *room * sizeof(*list));
		if (!list)
			return false;
		shares->list = list;
	}
	list[shares->count++] = *share;
	return true;
}

/*
 * One line without its end; 0: end of file, -1: too long, or with a zero byte
 * in it, or without an end; -2: so long that there may be no end at all.
 */
static int get_line(char *line, size_t size, FILE *from)
{
	size_t n = 0, length = 0;
	bool good = true;
	int c;

	while ((c = getc(from)) != EOF && c != '\n') {
		if (++length == MAX_LENGTH)
			return -2;
		if (!c || n == size - 1)
			good = false;
		else
			line[n++] = c;
	}
	line[n] = '\0';
	if (c == EOF && !n && good)
		return 0;
	return good && c != EOF ? 1 : -1;
}

bool shares_read(struct shares *shares, FILE *from, const char *device)
{
	char line[1024];
	size_t room = 0, rows = 0;
	int got;

	memset(shares, 0, sizeof(*shares));
	got = get_line(line, sizeof(line), from);
	if (got != 1 || line[0] != '#') {
		if (!ferror(from))
			errno = EPROTO;
		return false;
	}
	for (unsigned int number = 2;
	     (got = get_line(line, sizeof(line), from)); number++) {
		struct share share;

		if (number == MAX_LINES || got == -2) {
			errno = EFBIG;
			goto fail;
		}
		if (got > 0 && line[0] == '#')
			continue;
		if (got < 0 || !parse(line, &share)) {
			if (!shares->bad_lines++)
				shares->first_bad = number;
			continue;
		}
		if (device && strcmp(device, share.device))
			continue;
		share.first =
			is_first(&share,
				 shares->count
					 ? &shares->list[shares->count - 1]
					 : NULL,
				 rows);
		rows = share.first ? 1 : rows + 1;
		if (!append(shares, &room, &share))
			goto fail;
	}
	if (!ferror(from))
		return true;
fail:
	got = errno;
	free(shares->list);
	memset(shares, 0, sizeof(*shares));
	errno = got;
	return false;
}
