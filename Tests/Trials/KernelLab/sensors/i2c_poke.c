/* i2c_poke - reads and writes registers of an i2c-stub chip.
 *   i2c_poke find                          prints the number of the stub's bus
 *   i2c_poke BUS ADDRESS REG=VALUE REG ...  writes bytes, or prints them */
#include "smbus.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv)
{
	if (argc == 2 && !strcmp(argv[1], "find")) {
		int bus = smbus_find();
		if (bus >= 0)
			printf("%d\n", bus);
		return bus < 0;
	}
	if (argc < 4)
		return 2;
	int fd = smbus_open(atoi(argv[1]), (int)strtol(argv[2], NULL, 0));
	for (int i = 3; i < argc; i++) {
		char *rest;
		long reg = strtol(argv[i], &rest, 0);
		if (*rest == '=')
			smbus_write(fd, (uint8_t)reg, (uint8_t)strtol(rest + 1, NULL, 0));
		else
			printf("%#lx=%#x\n", reg, smbus_read(fd, (uint8_t)reg));
	}
	return 0;
}
