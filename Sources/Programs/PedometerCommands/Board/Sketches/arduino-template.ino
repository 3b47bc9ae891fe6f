// {chip} on I2C: prints time_ms,x_g,y_g,z_g 50 times a second, for 'pedometer live serial:'
#include <Wire.h>
const uint8_t CHIP = {address};  // {note}

void send(uint8_t where, int value = -1) {
  Wire.beginTransmission(CHIP);
  Wire.write(where);
  if (value >= 0) Wire.write((uint8_t)value);
  Wire.endTransmission();
}

void setup() {
  Serial.begin(115200);
  Wire.begin();
{settings}
  Serial.println("time_ms,x_g,y_g,z_g");
}

void loop() {
  static unsigned long due = millis();
  while ((long)(millis() - due) < 0) {}
  due += 20;  // 50 Hz
  send({data});
  if (Wire.requestFrom(CHIP, (uint8_t)6) != 6)
    return (void)Serial.println("# the {name} does not answer: check its wires and its address");
  Serial.print(millis());
  for (int axis = 0; axis < 3; axis++) {
    uint8_t {first} = Wire.read(), {second} = Wire.read();
    Serial.print(',');
    Serial.print((int16_t)(high << 8 | low) / {countsPerG}, 4);
  }
  Serial.println();
}
