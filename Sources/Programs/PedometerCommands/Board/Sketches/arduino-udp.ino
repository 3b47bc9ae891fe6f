// MPU6050 on I2C: sends time_ms,x_g,y_g,z_g over Wi-Fi 50 times a second, for 'pedometer live udp:5555'
#include <WiFi.h>
#include <WiFiUdp.h>
#include <Wire.h>
const char *NETWORK = "your network", *PASSWORD = "its password";
const char *COMPUTER = "192.168.1.5";  // on which pedometer runs
const uint16_t PORT = 5555;
const uint8_t CHIP = 0x68;  // 0x69 where AD0 is high
WiFiUDP udp;

void send(uint8_t where, int value = -1) {
  Wire.beginTransmission(CHIP);
  Wire.write(where);
  if (value >= 0) Wire.write((uint8_t)value);
  Wire.endTransmission();
}

void setup() {
  WiFi.begin(NETWORK, PASSWORD);
  Wire.begin();
  send(0x6B, 0x00);  // wake up
  send(0x1C, 0x10);  // range 8 g
  send(0x1A, 0x04);  // low-pass filter, 21 Hz
}

void loop() {
  static unsigned long due = millis();
  static char text[512];
  static int length = 0, samples = 0;
  while ((long)(millis() - due) < 0) delay(1);
  due += 20;  // 50 Hz
  send(0x3B);
  if (Wire.requestFrom(CHIP, (uint8_t)6) != 6) return;  // check its wires and its address
  double g[3];
  for (double &axis : g) {
    uint8_t high = Wire.read(), low = Wire.read();
    axis = (int16_t)(high << 8 | low) / 4096.0;
  }
  length += snprintf(text + length, sizeof text - length, "%lu,%.4f,%.4f,%.4f\n", millis(), g[0], g[1], g[2]);
  if (++samples < 10) return;
  if (udp.beginPacket(COMPUTER, PORT)) {
    udp.write((const uint8_t *)text, length);
    udp.endPacket();
  }
  length = samples = 0;
}
