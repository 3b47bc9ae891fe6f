/* smbus.c - byte and word transfers through /dev/i2c-N. */
#include "smbus.h"

#include <fcntl.h>
#include <linux/i2c-dev.h>
#include <linux/i2c.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

int smbus_find(void)
{
	char path[64], text[64];
	for (int n = 0; n < 64; n++) {
		snprintf(path, sizeof path, "/sys/bus/i2c/devices/i2c-%d/name", n);
		FILE *file = fopen(path, "r");
		char *line = file ? fgets(text, sizeof text, file) : NULL;
		if (file)
			fclose(file);
		if (line && !strncmp(line, "SMBus stub", 10))
			return n;
	}
	return -1;
}

int smbus_open(int bus, int address)
{
	char path[32];
	snprintf(path, sizeof path, "/dev/i2c-%d", bus);
	int fd = open(path, O_RDWR | O_CLOEXEC);
	if (fd < 0 || ioctl(fd, I2C_SLAVE_FORCE, address)) {
		perror(path);
		exit(1);
	}
	return fd;
}

static void transfer(int fd, int direction, uint8_t reg, int size, union i2c_smbus_data *data)
{
	struct i2c_smbus_ioctl_data call = { direction, reg, size, data };
	if (!ioctl(fd, I2C_SMBUS, &call))
		return;
	perror("I2C_SMBUS");
	exit(1);
}

int smbus_read(int fd, uint8_t reg)
{
	union i2c_smbus_data data = { 0 };
	transfer(fd, I2C_SMBUS_READ, reg, I2C_SMBUS_BYTE_DATA, &data);
	return data.byte;
}

void smbus_write(int fd, uint8_t reg, uint8_t value)
{
	union i2c_smbus_data data = { .byte = value };
	transfer(fd, I2C_SMBUS_WRITE, reg, I2C_SMBUS_BYTE_DATA, &data);
}

void smbus_write_word(int fd, uint8_t reg, uint16_t value)
{
	union i2c_smbus_data data = { .word = value };
	transfer(fd, I2C_SMBUS_WRITE, reg, I2C_SMBUS_WORD_DATA, &data);
}
