/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
/*
 * The log file of VERBS_LOG_LEVEL and VERBS_LOG_FILE, and warnings that go to
 * stderr.
 */
#ifndef UTIL_LOG_H
#define UTIL_LOG_H

/* Once, before other threads log: reads the environment. */
void log_init(void);

/* Prints on stderr, with the library's prefix and a newline; keeps errno. */
void warn_stderr(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

#endif
