/* smbus.h - registers of a chip behind i2c-stub. */
#ifndef SMBUS_H
#define SMBUS_H
#include <stdint.h>

/* The number of the stub's bus, or -1. */
int smbus_find(void);
/* A descriptor for the chip, even if a driver is bound to it; exits with status 1 if there is none. */
int smbus_open(int bus, int address);
int smbus_read(int fd, uint8_t reg);
void smbus_write(int fd, uint8_t reg, uint8_t value);
/* A little-endian word: the stub stores words separately from the bytes of adjacent registers. */
void smbus_write_word(int fd, uint8_t reg, uint16_t value);

#endif
