// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* Messages: the log file that the user asks for, and warnings on stderr. */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "driver.h"
#include "util/log.h"

static uint32_t log_level;
static FILE *log_file;

void log_init(void)
{
	const char *level = getenv("VERBS_LOG_LEVEL");
	const char *path;

	if (!level)
		return;
	log_level = strtol(level, NULL, 0);
	if (log_level == VERBS_LOG_LEVEL_NONE)
		return;

	/* A program with privileges must not write where its caller says. */
	path = secure_getenv("VERBS_LOG_FILE");
	if (path)
		log_file = fopen(path, "ae");
	if (!log_file) {
		log_level = VERBS_LOG_LEVEL_NONE;
		return;
	}
	/* A process that dies has its last line in the file. */
	setvbuf(log_file, NULL, _IOLBF, 0);
}

/**
 * __verbs_log - Print to the log file if the process's log level admits it
 * @ctx: not used; providers put the device's name into the message
 * @level: VERBS_LOG_ERR and so on
 *
 * Keeps errno.  Thread-safe.
 */
void __verbs_log(struct verbs_context *ctx __attribute__((unused)),
		 uint32_t level, const char *fmt, ...)
{
	int err = errno;
	va_list args;

	if (level <= log_level && log_file) {
		va_start(args, fmt);
		vfprintf(log_file, fmt, args);
		va_end(args);
	}
	errno = err;
}

void warn_stderr(const char *fmt, ...)
{
	int err = errno;
	va_list args;

	va_start(args, fmt);
	flockfile(stderr);
	fputs("libibverbs: ", stderr);
	vfprintf(stderr, fmt, args);
	fputc('\n', stderr);
	funlockfile(stderr);
	va_end(args);
	errno = err;
}
