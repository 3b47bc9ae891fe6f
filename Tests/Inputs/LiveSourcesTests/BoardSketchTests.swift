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

  @Test(
    "for MicroPython runs, and its output has 105 to 109 of 107 steps", .enabled(if: hasTool("python3")))
  func micropython() throws {
    let folder = try TemporaryDirectory()
    let sketch = try Executable.built("pedometer").run(["board", "micropython-mpu6050"]).output
    #expect(sketch.split(separator: "\n").count <= 33)
    try folder.write(Array(Self.machine.utf8), to: "machine.py")
    try folder.write(Array(sketch.utf8), to: "main.py")
    try folder.write(Array(Self.registers(countsPerG: 4096, highFirst: true).utf8), to: "walk")
    let output = try Self.run(["/usr/bin/env", "PYTHONDONTWRITEBYTECODE=1", "python3", folder.path + "/main.py"])
    let result = try Self.steps(of: output)
    #expect((105...109).contains(result.steps), "\(result)")
    #expect(result.samples >= PrintedWalk.walk.count - 3)
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

  private static let main = """

    int main(int, char **arguments) {
      walk = fopen(arguments[1], "r");
      setup();
      for (;;) loop();
    }

    """

  private static let machine = """
    import os
    import sys
    import time

    now = 0
    walk = open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "walk"))


    def sleep_ms(milliseconds):
        global now
        now += milliseconds


    time.sleep_ms = sleep_ms
    time.ticks_ms = lambda: now
    time.ticks_add = lambda a, b: a + b
    time.ticks_diff = lambda a, b: a - b


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
            return bytes(int(value) for value in values)

    """
}
