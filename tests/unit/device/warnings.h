/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
/* The library's warnings, kept instead of printed (--wrap=warn_stderr) */
#ifndef WARNINGS_H
#define WARNINGS_H

/* All since the last call, each with a newline */
const char *take_warnings(void);

#endif
