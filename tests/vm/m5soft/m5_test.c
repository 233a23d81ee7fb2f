// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * Reads what the device tells by parameters and lists.
 */
#include <infiniband/mlx5dv.h>

#include "command.h"
#include "m5_test.h"

static FILE *open_parameter(const char *name, const char *mode)
{
	char path[128];
	FILE *file;

	snprintf(path, sizeof(path), "/sys/module/m5soft/parameters/%s", name);
	file = fopen(path, mode);
	if (!file)
		FATAL("%s: %s", path, strerror(errno));
	return file;
}

int m5_parameter(const char *name)
{
	FILE *file = open_parameter(name, "r");
	int value;

	NEED(fscanf(file, "%d", &value) == 1);
	fclose(file);
	return value;
}

void m5_set_parameter(const char *name, int value)
{
	FILE *file = open_parameter(name, "w");

	fprintf(file, "%d\n", value);
	NEED(!fclose(file));
}

static FILE *open_list(const char *list)
{
	char path[128];
	FILE *file;

	snprintf(path, sizeof(path), "/sys/kernel/debug/m5soft/%s/%s",
		 test_device(0), list);
	file = fopen(path, "r");
	if (!file)
		FATAL("%s: %s", path, strerror(errno));
	return file;
}

static bool number_behind(const char *line, const char *name, long *number)
{
	char word[32];
	long value;
	int used;

	while (sscanf(line, "%31s %ld%n", word, &value, &used) == 2) {
		if (!strcmp(word, name)) {
			*number = value;
			return true;
		}
		line += used;
	}
	return false;
}

long m5_listed(const char *list, const char *key, uint32_t value,
	       const char *wanted)
{
	FILE *file = open_list(list);
	long found = -1, number;
	char line[128];

	while (fgets(line, sizeof(line), file))
		if (number_behind(line, key, &number) && number == value &&
		    number_behind(line, wanted, &number))
			found = number;
	fclose(file);
	return found;
}

int m5_lines(const char *list)
{
	FILE *file = open_list(list);
	char line[128];
	int n = 0;

	while (fgets(line, sizeof(line), file))
		n++;
	fclose(file);
	return n;
}

int m5_handles(struct ibv_context *context, int type)
{
	int n;

	select_device(test_device(0), RDMA_DRIVER_MLX5);
	n = count_handles(context->cmd_fd, type);
	if (n < 0)
		FATAL("handles of type %d: %s", type, strerror(-n));
	return n;
}

uint32_t m5_pdn(struct ibv_pd *pd)
{
	struct mlx5dv_pd dv = { .comp_mask = 0 };
	struct mlx5dv_obj obj = { .pd = { .in = pd, .out = &dv } };

	NEED(!mlx5dv_init_obj(&obj, MLX5DV_OBJ_PD));
	return dv.pdn;
}
