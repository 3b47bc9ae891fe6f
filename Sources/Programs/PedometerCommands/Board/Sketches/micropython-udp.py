# MPU6050 on I2C: sends time_ms,x_g,y_g,z_g over Wi-Fi 50 times a second, for 'pedometer live udp:5555'
from machine import I2C, Pin
import network
import socket
import struct
import time

NETWORK, PASSWORD = "your network", "its password"
COMPUTER, PORT = "192.168.1.5", 5555  # on which pedometer runs
CHIP = 0x68  # 0x69 where AD0 is high
wifi = network.WLAN(network.STA_IF)
wifi.active(True)
wifi.connect(NETWORK, PASSWORD)
i2c = I2C(0, scl=Pin(22), sda=Pin(21), freq=400000)  # the pins of your board; Pico: scl=Pin(5), sda=Pin(4)
# wake up; range 8 g; low-pass filter, 21 Hz
for where, value in ((0x6B, 0x00), (0x1C, 0x10), (0x1A, 0x04)):
    i2c.writeto_mem(CHIP, where, bytes([value]))
address = socket.getaddrinfo(COMPUTER, PORT)[0][-1]
udp = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
lines = []
due = time.ticks_ms()
while True:
    now = time.ticks_ms()
    if time.ticks_diff(now, due) < 0:
        time.sleep_ms(1)
        continue
    due = time.ticks_add(due, 20)  # 50 Hz
    x, y, z = struct.unpack(">hhh", i2c.readfrom_mem(CHIP, 0x3B, 6))
    lines.append("%d,%.4f,%.4f,%.4f\n" % (now, x / 4096, y / 4096, z / 4096))
    if len(lines) == 10:
        try:
            udp.sendto("".join(lines).encode(), address)
        except OSError:
            pass  # no network: these samples are lost
        lines.clear()
