// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * What a process becomes by exec: it says so on the descriptor that is its
 * argument and stays until the other end is closed.
 */
#include <stdlib.h>
#include <unistd.h>

int main(int argc, char *argv[])
{
	int fd = argc > 1 ? atoi(argv[1]) : -1;
	char byte = 0;

	if (write(fd, &byte, 1) != 1)
		return 1;
	return read(fd, &byte, 1) != 0;
}
