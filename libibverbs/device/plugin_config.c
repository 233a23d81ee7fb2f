// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * The names of plug-ins in the files of a configuration directory: lines
 * "driver NAME", comments from '#'.
 */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "device/driver_list.h"
#include "util/log.h"

#define BLANKS " \t\n"

static void add_name(struct plugin_name **names, const char *name, size_t len)
{
	struct plugin_name *new = malloc(sizeof(*new) + len + 1);

	if (!new) {
		warn_stderr("Warning: couldn't allocate driver name '%.*s'.",
			    (int)len, name);
		return;
	}
	memcpy(new->name, name, len);
	new->name[len] = '\0';
	new->next = *names;
	*names = new;
}

/* Released libraries complain of just these lines, too. */
static void read_line(struct plugin_name **names, const char *path,
		      const char *line)
{
	const char *word = line + strspn(line, " \t");
	size_t len = strcspn(word, BLANKS);
	const char *name = word + len;

	if (*word == '\n' || *word == '#')
		return;
	if (len != strlen("driver") || strncmp(word, "driver", len) || !*name) {
		warn_stderr("Warning: ignoring bad config directive '%.*s' in "
			    "file '%s'.",
			    (int)len, word, path);
		return;
	}
	name += strspn(name, BLANKS);
	add_name(names, name, strcspn(name, BLANKS));
}

static void read_file(struct plugin_name **names, const char *path)
{
	char *line = NULL;
	size_t room = 0;
	FILE *file;

	file = fopen(path, "re");
	if (!file) {
		warn_stderr("Warning: couldn't read config file %s.", path);
		return;
	}
	while (getline(&line, &room, file) > 0)
		read_line(names, path, line);
	free(line);
	fclose(file);
}

struct plugin_name *read_plugin_config(const char *dir_path)
{
	struct plugin_name *names = NULL;
	struct dirent *dent;
	struct stat st;
	char *path;
	DIR *dir;

	dir = opendir(dir_path);
	if (!dir) {
		warn_stderr("Warning: couldn't open config directory '%s'.",
			    dir_path);
		return NULL;
	}
	while ((dent = readdir(dir))) {
		if (asprintf(&path, "%s/%s", dir_path, dent->d_name) < 0) {
			warn_stderr("Warning: couldn't read config file "
				    "%s/%s.",
				    dir_path, dent->d_name);
			break;
		}
		if (stat(path, &st))
			warn_stderr("Warning: couldn't stat config file '%s'.",
				    path);
		else if (S_ISREG(st.st_mode))
			read_file(&names, path);
		free(path);
	}
	closedir(dir);
	return names;
}

void free_plugin_names(struct plugin_name *names)
{
	struct plugin_name *next;

	for (; names; names = next) {
		next = names->next;
		free(names);
	}
}
