// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* Text that may hold anything, for terminals and for JSON. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tool_text.h"

static bool is_tail(unsigned char byte)
{
	return (byte & 0xc0) == 0x80;
}

/* Bytes of the character that starts here, or 0 if none does in UTF-8. */
static size_t utf8_length(const unsigned char *s)
{
	uint32_t code;

	if (s[0] < 0x80)
		return 1;
	if (s[0] >= 0xc2 && s[0] <= 0xdf)
		return is_tail(s[1]) ? 2 : 0;
	if (s[0] >= 0xe0 && s[0] <= 0xef) {
		if (!is_tail(s[1]) || !is_tail(s[2]))
			return 0;
		code = (s[0] & 0x0fu) << 12 | (s[1] & 0x3fu) << 6;
		/* Not the shortest form, or half of a surrogate pair */
		return code < 0x800 || (code >= 0xd800 && code <= 0xdfff) ? 0
									  : 3;
	}
	if (s[0] >= 0xf0 && s[0] <= 0xf4) {
		if (!is_tail(s[1]) || !is_tail(s[2]) || !is_tail(s[3]))
			return 0;
		code = (s[0] & 0x07u) << 18 | (s[1] & 0x3fu) << 12;
		return code < 0x10000 || code > 0x10ffff ? 0 : 4;
	}
	return 0;
}

void tool_json_string(FILE *out, const char *text)
{
	const unsigned char *s = (const unsigned char *)text;

	fputc('"', out);
	while (*s) {
		size_t length = utf8_length(s);

		if (!length) {
			fputs("\\ufffd", out);
			length = 1;
		} else if (*s == '"' || *s == '\\') {
			fprintf(out, "\\%c", *s);
		} else if (*s < 0x20 || *s == 0x7f) {
			fprintf(out, "\\u%04x", *s);
		} else {
			fwrite(s, 1, length, out);
		}
		s += length;
	}
	fputc('"', out);
}

char *tool_printable(char *text)
{
	for (char *s = text; *s; s++)
		if (*s < ' ' || *s > '~')
			*s = '?';
	return text;
}
