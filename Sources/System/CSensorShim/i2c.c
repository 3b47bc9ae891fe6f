#include "CSensorShim.h"

#include <errno.h>
#include <linux/i2c-dev.h>
#include <linux/i2c.h>
#include <sys/ioctl.h>

int sensor_i2c_reads_bytes(int fd) {
  unsigned long functions = 0;
  if (ioctl(fd, I2C_FUNCS, &functions) < 0) return -errno;
  return (functions & I2C_FUNC_SMBUS_READ_BYTE_DATA) != 0;
}

int sensor_i2c_read(int fd, int address, uint8_t register_number) {
  // Not I2C_SLAVE_FORCE: an address that a driver holds is not touched.
  if (ioctl(fd, I2C_SLAVE, (long)address) < 0) return -errno;
  union i2c_smbus_data data = {.byte = 0};
  struct i2c_smbus_ioctl_data call = {I2C_SMBUS_READ, register_number, I2C_SMBUS_BYTE_DATA, &data};
  if (ioctl(fd, I2C_SMBUS, &call) < 0) return -errno;
  return data.byte;
}
