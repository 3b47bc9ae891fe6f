/// A program for a board that prints or sends samples in the best-supported format.
struct BoardSketch {
  /// The name on the command line.
  var name: String
  /// Its board and chip.
  var summary: String
  /// The source code.
  var text: String

  /// All sketches.
  static let all = [
    arduino(
      "mpu6050", chip: "MPU6050 (also MPU6500, MPU9250)", address: "0x68", addressNote: "0x69 where AD0 is high",
      registers: [
        ("0x6B", "0x00", "wake up"), ("0x1C", "0x10", "range 8 g"), ("0x1A", "0x04", "low-pass filter, 21 Hz"),
      ],
      data: "0x3B", highFirst: true, countsPerG: "4096.0"),
    arduino(
      "lsm6ds", chip: "LSM6DS3, LSM6DSO, LSM6DSL", address: "0x6A", addressNote: "0x6B where SA0 is high",
      registers: [("0x10", "0x4C", "104 Hz, range 8 g"), ("0x12", "0x44", "whole samples, addresses count up")],
      data: "0x28", highFirst: false, countsPerG: "4098.36"),
    arduino(
      "adxl345", chip: "ADXL345", address: "0x53", addressNote: "0x1D where SDO is high",
      registers: [
        ("0x2C", "0x0A", "100 Hz"), ("0x31", "0x0A", "range 8 g, full resolution"), ("0x2D", "0x08", "measure"),
      ],
      data: "0x32", highFirst: false, countsPerG: "256.0"),
    micropython, arduinoOverWiFi, micropythonOverWiFi, esphome,
  ]

  /// The sketch with this name, or the first for this chip: `MPU6500`.
  static func named(_ name: String) -> BoardSketch? {
    let name = name.lowercased()
    return all.first { $0.name == name }
      ?? all.first { $0.name.hasSuffix("-" + name) || $0.name.hasPrefix(name + "-") }
      ?? all.first { sketch in
        let words = sketch.summary.lowercased().split { !$0.isLetter && !$0.isNumber }
        return name.contains(where: \.isNumber) && words.contains(name[...])
      }
  }

  /// Writes a register of the chip, or its number before it is read.
  private static let send = """
    void send(uint8_t where, int value = -1) {
      Wire.beginTransmission(CHIP);
      Wire.write(where);
      if (value >= 0) Wire.write((uint8_t)value);
      Wire.endTransmission();
    }
    """

  private static func arduino(
    _ name: String, chip: String, address: String, addressNote: String,
    registers: [(register: String, value: String, meaning: String)], data: String, highFirst: Bool, countsPerG: String
  ) -> BoardSketch {
    let settings = registers.map { "  send(\($0.register), \($0.value));  // \($0.meaning)" }.joined(separator: "\n")
    let (first, second) = highFirst ? ("high", "low") : ("low", "high")
    return BoardSketch(
      name: "arduino-\(name)", summary: "Arduino, ESP32 and others with the Arduino core; \(chip) on I2C",
      text: """
        // \(chip) on I2C: prints time_ms,x_g,y_g,z_g 50 times a second, for 'pedometer live serial:'
        #include <Wire.h>
        const uint8_t CHIP = \(address);  // \(addressNote)

        \(send)

        void setup() {
          Serial.begin(115200);
          Wire.begin();
        \(settings)
          Serial.println("time_ms,x_g,y_g,z_g");
        }

        void loop() {
          static unsigned long due = millis();
          while ((long)(millis() - due) < 0) {}
          due += 20;  // 50 Hz
          send(\(data));
          if (Wire.requestFrom(CHIP, (uint8_t)6) != 6)
            return (void)Serial.println("# the \(name) does not answer: check its wires and its address");
          Serial.print(millis());
          for (int axis = 0; axis < 3; axis++) {
            uint8_t \(first) = Wire.read(), \(second) = Wire.read();
            Serial.print(',');
            Serial.print((int16_t)(high << 8 | low) / \(countsPerG), 4);
          }
          Serial.println();
        }

        """)
  }

  private static let micropython = BoardSketch(
    name: "micropython-mpu6050",
    summary: "MicroPython on an ESP32, Pico and others; MPU6050 (also MPU6500, MPU9250) on I2C",
    text: """
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

      """)

  private static let arduinoOverWiFi = BoardSketch(
    name: "arduino-udp", summary: "ESP32 or Pico W with the Arduino core, over Wi-Fi; MPU6050 (also MPU6500, MPU9250)",
    text: #"""
      // MPU6050 on I2C: sends time_ms,x_g,y_g,z_g over Wi-Fi 50 times a second, for 'pedometer live udp:5555'
      #include <WiFi.h>
      #include <WiFiUdp.h>
      #include <Wire.h>
      const char *NETWORK = "your network", *PASSWORD = "its password";
      const char *COMPUTER = "192.168.1.5";  // on which pedometer runs
      const uint16_t PORT = 5555;
      const uint8_t CHIP = 0x68;  // 0x69 where AD0 is high
      WiFiUDP udp;

      \#(send)

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

      """#)

  private static let micropythonOverWiFi = BoardSketch(
    name: "micropython-udp",
    summary: "MicroPython on an ESP32 or Pico W, over Wi-Fi; MPU6050 (also MPU6500, MPU9250) on I2C",
    text: #"""
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

      """#)

  private static let esphome = BoardSketch(
    name: "esphome-udp", summary: "ESPHome on an ESP32, over Wi-Fi; MPU6050 on I2C, up to 2 g: not for a foot",
    text: #"""
      # MPU6050 on I2C: sends time_ms,x_g,y_g,z_g over Wi-Fi 50 times a second, for 'pedometer live udp:5555'
      esphome:
        name: pedometer
      esp32:
        board: esp32dev
        framework:
          type: esp-idf
      wifi:
        ssid: "your network"
        password: "its password"
      udp:
        id: computer
        addresses: [192.168.1.5]  # on which pedometer runs
        port: 5555
      logger:
        level: WARN  # samples are too many for the log
      i2c:
        sda: 21
        scl: 22
        frequency: 400kHz
      globals:
        - id: lines
          type: std::string
        - id: samples
          type: int
          initial_value: "0"
      sensor:
        - platform: mpu6050
          address: 0x68  # 0x69 where AD0 is high
          update_interval: 20ms  # 50 Hz
          accel_x: {id: x, internal: true}
          accel_y: {id: y, internal: true}
          accel_z:  # the last of the three
            id: z
            internal: true
            on_value:
              - lambda: |-
                  char line[64];
                  const float g = 9.80665;
                  snprintf(line, sizeof line, "%u,%.4f,%.4f,%.4f\n", (unsigned) millis(),
                           id(x).state / g, id(y).state / g, id(z).state / g);
                  id(lines) += line;
              - if:
                  condition:
                    lambda: return ++id(samples) >= 10;
                  then:
                    - udp.write:
                        id: computer
                        data: !lambda |-
                          std::vector<uint8_t> bytes(id(lines).begin(), id(lines).end());
                          id(lines).clear();
                          id(samples) = 0;
                          return bytes;

      """#)
}
