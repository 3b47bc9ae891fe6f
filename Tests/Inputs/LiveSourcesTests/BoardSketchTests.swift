import Platform
import TestSupport
import Testing

@testable import LinuxSensors
@testable import LiveSources

/// The sketches of `pedometer board`, run with stubs for the board: a chip that plays a walk, and a clock that waiting
/// advances.
@Suite("A sketch for a board", .timeLimit(.minutes(30)), .ownThreads)
struct BoardSketchTests {
  private static func hasTool(_ name: String) -> Bool {
    ["/usr/bin", "/usr/local/bin"].contains { unsafe access("\($0)/\(name)", X_OK) == 0 }
  }

  /// The chip's six registers at each sample, one sample per line.
  private static func registers(countsPerG: Float, highFirst: Bool) -> String {
    PrintedWalk.walk.map { sample in
      (0..<3).map { axis -> String in
        let count = Int16(max(-32_768, min(32_767, (sample.acceleration[axis] * countsPerG).rounded())))
        let bits = UInt16(bitPattern: count)
        let (high, low) = (bits >> 8, bits & 0xFF)
        return highFirst ? "\(high) \(low)" : "\(low) \(high)"
      }.joined(separator: " ")
    }.joined(separator: "\n") + "\n"
  }

  /// The program's output as a board sends it: each line at the time it contains.
  private static func steps(of output: String) throws -> (steps: Int, samples: Int) {
    let chunks = output.split(separator: "\n").map { line -> ScriptedBoard.Chunk in
      let time = line.prefix { $0 != "," }
      return ScriptedBoard.Chunk(1_000_000_000 + (Int64(time) ?? 0) * 1_000_000, Array("\(line)\n".utf8))
    }
    let reading = try BoardReaderTests.read(chunks)
    return (reading.steps, reading.samples.count)
  }

  private static func run(_ command: [String]) throws -> String {
    let transcript = try Executable(path: command[0]).run(Array(command.dropFirst()))
    guard transcript.ending == .exit(0) else { throw Broken(text: "\(transcript)") }
    return transcript.output
  }

  private struct Broken: Error { var text: String }

  @Test(
    "for Arduino compiles, and its output has 105 to 109 of 107 steps",
    .enabled(if: hasTool("g++")),
    arguments: [("mpu6050", 4096, true), ("lsm6ds", 4098, false), ("adxl345", 256, false)])
  func arduino(name: String, countsPerG: Int, highFirst: Bool) throws {
    let folder = try TemporaryDirectory()
    let sketch = try Executable.built("pedometer").run(["board", "arduino-\(name)"]).output
    // Short enough to be read before it is uploaded.
    #expect(sketch.split(separator: "\n").count <= 33)
    try folder.write(Array(Self.wire.utf8), to: "Wire.h")
    try folder.write(Array((sketch + Self.main).utf8), to: "sketch.cpp")
    let walk = Self.registers(countsPerG: Float(countsPerG), highFirst: highFirst)
    let data = try folder.write(Array(walk.utf8), to: "walk")
    _ = try Self.run(
      ["/usr/bin/env", "g++", "-Wall", "-I", folder.path, "-o", folder.path + "/sketch", folder.path + "/sketch.cpp"])
    let output = try Self.run([folder.path + "/sketch", data])
    let result = try Self.steps(of: output)
    #expect((105...109).contains(result.steps), "\(name): \(result)")
    #expect(result.samples >= PrintedWalk.walk.count - 3)
  }

  /// Runs a sketch for MicroPython in a folder with its stubs.
  private static func output(of sketch: String, in folder: TemporaryDirectory, by interpreter: String) throws -> String
  {
    for (name, text) in [
      ("clock.py", clock), ("time.py", "from clock import *\n"), ("machine.py", machine), ("network.py", network),
      ("socket.py", socket), ("main.py", sketch), ("walk", registers(countsPerG: 4096, highFirst: true)),
    ] { try folder.write(Array(text.utf8), to: name) }
    // MicroPython looks for modules in the current folder only.
    return try run(
      ["/usr/bin/env", "-C", folder.path, "PYTHONDONTWRITEBYTECODE=1", interpreter, folder.path + "/main.py"])
  }

  private static let interpreters = ["python3", "micropython"].filter(hasTool)

  @Test("for MicroPython runs, and its output has 105 to 109 of 107 steps", arguments: interpreters)
  func micropython(interpreter: String) throws {
    let folder = try TemporaryDirectory()
    let sketch = try Executable.built("pedometer").run(["board", "micropython-mpu6050"]).output
    #expect(sketch.split(separator: "\n").count <= 33)
    let result = try Self.steps(of: try Self.output(of: sketch, in: folder, by: interpreter))
    #expect((105...109).contains(result.steps), "\(result)")
    #expect(result.samples >= PrintedWalk.walk.count - 3)
  }

  /// Datagrams, each followed by a line "--", as udp: receives them: each at the time of its last sample.
  private static func received(_ output: String) throws -> (steps: Int, samples: Int, warnings: [String]) {
    let chunks = output.split(separator: "--\n").map { datagram -> ScriptedBoard.Chunk in
      let time = datagram.split(separator: "\n").last?.prefix { $0 != "," } ?? ""
      return ScriptedBoard.Chunk(1_000_000_000 + (Int64(time) ?? 0) * 1_000_000, Array(datagram.utf8))
    }
    let reading = try DatagramSourceTests.read(chunks)
    return (reading.steps, reading.samples.count, reading.warnings)
  }

  private static func expectWalk(_ output: String, _ name: String) throws {
    let result = try received(output)
    #expect((105...109).contains(result.steps) && result.warnings.isEmpty, "\(name): \(result)")
    // The last samples wait for the rest of their datagram, and one datagram may be lost.
    #expect(result.samples >= PrintedWalk.walk.count - 22, "\(name): \(result)")
  }

  @Test(
    "for MicroPython and Wi-Fi connects to the network, and its datagrams have 105 to 109 of 107 steps",
    arguments: interpreters)
  func micropythonDatagrams(interpreter: String) throws {
    let folder = try TemporaryDirectory()
    let sketch = try Executable.built("pedometer").run(["board", "micropython-udp"]).output
    #expect(sketch.split(separator: "\n").count <= 40)
    let output = try Self.output(of: sketch, in: folder, by: interpreter)
    #expect(output.hasPrefix("network your network, its password\naddress 192.168.1.5 5555\n"))
    try Self.expectWalk(output.split(separator: "\n", maxSplits: 2).last.map(String.init) ?? "", interpreter)
  }

  @Test(
    "for Arduino and Wi-Fi compiles, and its datagrams have 105 to 109 of 107 steps", .enabled(if: hasTool("g++")))
  func arduinoDatagrams() throws {
    let folder = try TemporaryDirectory()
    let sketch = try Executable.built("pedometer").run(["board", "arduino-udp"]).output
    #expect(sketch.split(separator: "\n").count <= 48)
    try folder.write(Array(Self.wire.utf8), to: "Wire.h")
    try folder.write(Array(Self.wifi.utf8), to: "WiFi.h")
    try folder.write([], to: "WiFiUdp.h")
    try folder.write(Array((sketch + Self.main).utf8), to: "sketch.cpp")
    let data = try folder.write(Array(Self.registers(countsPerG: 4096, highFirst: true).utf8), to: "walk")
    _ = try Self.run(
      ["/usr/bin/env", "g++", "-Wall", "-I", folder.path, "-o", folder.path + "/sketch", folder.path + "/sketch.cpp"])
    let output = try Self.run([folder.path + "/sketch", data])
    #expect(output.hasPrefix("network your network, its password\nto 192.168.1.5 5555\n"))
    let text = output.replacing("to 192.168.1.5 5555\n", with: "").split(separator: "\n", maxSplits: 1).last ?? ""
    try Self.expectWalk(String(text), "arduino-udp")
  }

  @Test("for ESPHome is valid", .enabled(if: hasTool("esphome"), "esphome is not installed"))
  func esphomeIsValid() throws {
    let folder = try TemporaryDirectory()
    let sketch = try Executable.built("pedometer").run(["board", "esphome-udp"]).output
    let path = try folder.write(Array(sketch.utf8), to: "walk.yaml")
    #expect(try Self.run(["/usr/bin/env", "esphome", "config", path]).contains("update_interval: 20ms"))
  }

  @Test(
    "for ESPHome has C++ that compiles, and its datagrams have 105 to 109 of 107 steps", .enabled(if: hasTool("g++")))
  func esphomeDatagrams() throws {
    let folder = try TemporaryDirectory()
    let sketch = try Executable.built("pedometer").run(["board", "esphome-udp"]).output
    #expect(sketch.split(separator: "\n").count <= 60)
    let condition = sketch.split(separator: "\n").compactMap { line in
      line.firstRange(of: "lambda: return ").map { "return \(line[$0.upperBound...])" }
    }
    let program = Self.esphome.replacing("SAMPLE", with: Self.block("- lambda: |-", of: sketch))
      .replacing("CONDITION", with: condition.joined()).replacing(
        "DATA", with: Self.block("data: !lambda |-", of: sketch))
    try folder.write(Array(program.utf8), to: "sketch.cpp")
    // In m/s², as ESPHome has them.
    let walk = PrintedWalk.walk.map { sample in
      (0..<3).map { "\(sample.acceleration[$0] * 9.80665)" }.joined(separator: " ")
    }
    let data = try folder.write(Array((walk.joined(separator: "\n") + "\n").utf8), to: "walk")
    _ = try Self.run(
      ["/usr/bin/env", "g++", "-Wall", "-o", folder.path + "/sketch", folder.path + "/sketch.cpp"])
    try Self.expectWalk(try Self.run([folder.path + "/sketch", data]), "esphome-udp")
  }

  /// The lines of a literal block of YAML after the line that ends with this text.
  private static func block(_ head: String, of text: String) -> String {
    let lines = text.split(separator: "\n").drop { !$0.hasSuffix(head) }.dropFirst()
    let indent = lines.first?.prefix { $0 == " " } ?? ""
    return lines.prefix { $0.hasPrefix(indent) }.joined(separator: "\n")
  }

  private static let wire = """
    #pragma once
    #include <cstdint>
    #include <cstdio>
    #include <cstdlib>
    #include <string>
    static FILE *walk;
    static unsigned long now;
    // Reading the time takes a millisecond.
    static unsigned long millis() { return now++; }
    struct Chip {
      int bytes[6], next = 0;
      void begin() {}
      void beginTransmission(uint8_t) {}
      void write(uint8_t) {}
      uint8_t endTransmission(bool = true) { return 0; }
      uint8_t requestFrom(uint8_t, uint8_t wanted) {
        for (int i = 0; i < 6; i++) if (fscanf(walk, "%d", &bytes[i]) != 1) exit(0);
        next = 0;
        return wanted;
      }
      int read() { return bytes[next++]; }
    };
    static Chip Wire;
    struct Printer {
      void begin(long) {}
      void print(char c) { putchar(c); }
      void print(unsigned long n) { printf("%lu", n); }
      void print(double n, int digits) { printf("%.*f", digits, n); }
      void println(const char *text) { puts(text); }
      void println() { putchar('\\n'); }
    };
    static Printer Serial;

    """

  private static let wifi = """
    #include <Wire.h>
    static void delay(unsigned long milliseconds) { now += milliseconds; }
    struct Radio {
      void begin(const char *network, const char *password) { printf("network %s, %s\\n", network, password); }
    };
    static Radio WiFi;
    struct WiFiUDP {
      int beginPacket(const char *host, uint16_t port) { return printf("to %s %d\\n", host, port); }
      void write(const uint8_t *text, size_t length) { fwrite(text, 1, length, stdout); }
      int endPacket() { return puts("--"); }
    };

    """

  /// What ESPHome makes of the file, in short: id() is the variable of this name.
  private static let esphome = """
    #include <cstdint>
    #include <cstdio>
    #include <string>
    #include <vector>
    #define id(name) name
    struct { float state; } x, y, z;
    std::string lines;
    int samples = 0;
    uint32_t now = 0;
    uint32_t millis() { return now; }
    void sample() {
    SAMPLE
    }
    bool condition() { CONDITION }
    std::vector<uint8_t> data() {
    DATA
    }
    int main(int, char **arguments) {
      FILE *walk = fopen(arguments[1], "r");
      for (; fscanf(walk, "%f %f %f", &x.state, &y.state, &z.state) == 3; now += 20) {
        sample();
        if (!condition()) continue;
        std::vector<uint8_t> bytes = data();
        fwrite(bytes.data(), 1, bytes.size(), stdout);
        puts("--");
      }
    }

    """

  private static let main = """

    int main(int, char **arguments) {
      walk = fopen(arguments[1], "r");
      setup();
      for (;;) loop();
    }

    """

  /// A clock that only waiting advances.
  private static let clock = """
    now = 0


    def sleep_ms(milliseconds):
        global now
        now += milliseconds


    def ticks_ms():
        return now


    def ticks_add(a, b):
        return a + b


    def ticks_diff(a, b):
        return a - b

    """

  private static let network = """
    STA_IF = 0


    class WLAN:
        def __init__(self, interface):
            assert interface == STA_IF

        def active(self, is_active):
            assert is_active

        def connect(self, name, password):
            print("network %s, %s" % (name, password))

    """

  private static let socket = """
    AF_INET, SOCK_DGRAM = 2, 2


    def getaddrinfo(host, port):
        print("address %s %d" % (host, port))
        return [(AF_INET, SOCK_DGRAM, 0, "", (host, port))]


    class socket:
        def __init__(self, family, kind):
            self.count = 0

        def sendto(self, datagram, address):
            self.count += 1
            # Once, there is no network.
            if self.count == 3:
                raise OSError("no network")
            print(datagram.decode() + "--")

    """

  private static let machine = """
    import sys
    import time

    import clock

    # The module of Python is built in; MicroPython takes the one in the folder.
    if not hasattr(time, "ticks_ms"):
        for name in ("sleep_ms", "ticks_ms", "ticks_add", "ticks_diff"):
            setattr(time, name, getattr(clock, name))
    walk = open("walk")


    def Pin(number):
        return number


    class I2C:
        def __init__(self, bus, scl, sda, freq):
            pass

        def writeto_mem(self, chip, where, values):
            assert len(values) == 1

        def readfrom_mem(self, chip, where, count):
            values = walk.readline().split()
            if len(values) != count:
                sys.exit(0)
            return bytes([int(value) for value in values])

    """
}
