/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
/*
 * Text from elsewhere (the kernel, other processes) on its way to a terminal or
 * into JSON: it may hold anything.
 */
#ifndef TOOL_TEXT_H
#define TOOL_TEXT_H

#include <stdio.h>

/* As a JSON string, quotes included; what is not UTF-8 becomes U+FFFD. */
void tool_json_string(FILE *out, const char *text);

/*
 * Every byte of text that is no printable ASCII, in place, to '?': terminals
 * obey some characters, and others spoil columns.
 */
char *tool_printable(char *text);

#endif
