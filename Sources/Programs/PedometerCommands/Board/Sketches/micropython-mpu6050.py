# MPU6050 on I2C: prints time_ms,x_g,y_g,z_g 50 times a second, for 'pedometer live serial:'
from machine import I2C, Pin
import struct
import time

CHIP = 0x68  # 0x69 where AD0 is high
i2c = I2C(0, scl=Pin(22), sda=Pin(21), freq=400000)  # the pins of your board; Pico: scl=Pin(5), sda=Pin(4)
# wake up; range 8 g; low-pass filter, 21 Hz
for where, value in ((0x6B, 0x00), (0x1C, 0x10), (0x1A, 0x04)):
    i2c.writeto_mem(CHIP, where, bytes([value]))
print("time_ms,x_g,y_g,z_g")
due = time.ticks_ms()
while True:
    now = time.ticks_ms()
    if time.ticks_diff(now, due) < 0:
        time.sleep_ms(1)
        continue
    due = time.ticks_add(due, 20)  # 50 Hz
    x, y, z = struct.unpack(">hhh", i2c.readfrom_mem(CHIP, 0x3B, 6))
    print("%d,%.4f,%.4f,%.4f" % (now, x / 4096, y / 4096, z / 4096))
