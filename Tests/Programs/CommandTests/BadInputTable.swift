import Accelerometry
import Glibc
import Recordings
import TestSupport

extension BadInput {
  static var all: [BadInput] { withoutSamples + outOfReach + oddRows + oddTimes + oddBytes + oddEnds }

  private static let withoutSamples: [BadInput] = [
    BadInput(name: "an empty file", exitCode: 65, says: ["is empty", "record again"], counted: .nothing) {
      try $0.write([], to: "walk.csv")
      return Attempt()
    },
    BadInput(name: "nothing on standard input", exitCode: 65, says: ["is empty"], counted: .nothing) {
      _ in Attempt(arguments: [], source: "standard input")
    },
    BadInput(
      name: "a header only", exitCode: 65, says: ["line 1", "record or export it again"], counted: .nothing,
      make: file { WrittenWalk.header }),
    BadInput(
      name: "metadata only", exitCode: 65, says: ["line 1", "record or export it again"], counted: .nothing,
      make: file { "{\"metadata\":{\"rate\":\"50\",\"seed\":\"7\",\"bits\":\"16\"}}\n" }),
    BadInput(
      name: "blank lines only", exitCode: 65, says: ["up to line 3", "t,x,y,z"], counted: .nothing,
      make: file { "\n \n\n" }),
    BadInput(
      name: "no numeric column", exitCode: 65, says: ["up to line 2", "t,x,y,z in each line"], counted: .nothing,
      make: file { "name,what\nAnna,walked\n" }),
    BadInput(
      name: "two columns", exitCode: 65, says: ["line 2 has 2 numbers", "needs a time, x, y and z"], counted: .nothing,
      make: file { "t,steps\n" + (0..<99).map { "\($0),\($0 * 2)\n" }.joined() }),
    BadInput(
      name: "no timestamps and no rate", exitCode: 64, says: ["line 2", "--rate"], counted: .nothing,
      make: file { "x,y,z\n0,0,1\n0,0.1,1\n" }),
    BadInput(
      name: "only NaN", exitCode: 65, says: ["line 2", "--columns"], counted: .nothing,
      make: file { WrittenWalk.header + (0..<99).map { "0.\($0),nan,nan,nan\n" }.joined() }),
    BadInput(name: "binary garbage", exitCode: 65, says: ["byte ", "give CSV or JSON Lines"], counted: .nothing) {
      try $0.write([0x11, 0x03, 0x0A] + garbage(5000), to: "walk.csv")
      return Attempt()
    },
    BadInput(name: "nothing but NUL bytes", exitCode: 65, says: ["line 1"], counted: .nothing) {
      try $0.write([UInt8](repeating: 0, count: 200_000), to: "walk.csv")
      return Attempt()
    },
    BadInput(name: "a ruined zip", exitCode: 65, says: ["the archive", "copy it again"], counted: .nothing) {
      try $0.write([0x50, 0x4B, 3, 4] + garbage(500), to: "walk.csv")
      return Attempt()
    },
    BadInput(name: "a gz cut within its header", exitCode: 65, says: ["byte 7", "copy it again"], counted: .nothing) {
      try $0.write([0x1F, 0x8B, 8, 0, 0, 0, 0], to: "walk.csv.gz")
      return Attempt(arguments: ["walk.csv.gz"], source: "walk.csv.gz")
    },
    BadInput(
      name: "one long line", exitCode: 65, says: ["64 KiB", "line 1", "one sample per line"], counted: .nothing,
      make: file { String(repeating: "7,", count: 500_000) }),
  ]

  private static let outOfReach: [BadInput] = [
    BadInput(name: "a directory", exitCode: 66, says: ["directory", "*.csv"], counted: .nothing) { _ in
      Attempt(arguments: ["."], source: ".")
    },
    BadInput(
      name: "a directory on standard input", exitCode: 66, says: ["directory", "give a file"], counted: .nothing
    ) { Attempt(arguments: ["-"], input: .file($0.path), source: "standard input") },
    BadInput(name: "a missing file", exitCode: 66, says: ["no such file", "check the name"], counted: .nothing) { _ in
      Attempt()
    },
    BadInput(name: "no permission", exitCode: 77, says: ["permission denied", "ask its owner"], counted: .nothing) {
      let path = try $0.write(Array(try WrittenWalk.minute().text.utf8), to: "walk.csv")
      unsafe chmod(path, 0)
      return Attempt(isBoundByPermissions: true)
    },
    BadInput(name: "standard output closed early", counted: .nothing) { directory in
      try directory.write(Array(try WrittenWalk.minute().text.utf8), to: "walk.csv")
      return Attempt(output: .closedAfter(bytes: 0))
    },
    BadInput(name: "standard output closed early, and input without an end", counted: .whatCame) { _ in
      let walk = try WrittenWalk.minute()
      var pieces = [walk.text][...]
      return Attempt(
        arguments: ["--steps", "-"],
        input: .pieces {
          // Rows whose times repeat from the start of the minute: a clock that is set again and again.
          defer { pieces = [walk.rows.joined()] }
          return pieces.first.map { Array($0.utf8) }
        }, output: .closedAfter(bytes: 1))
    },
    BadInput(name: "a full disk", exitCode: 74, says: ["no space", "free some"], counted: .nothing) {
      try $0.write(Array(try WrittenWalk.minute().text.utf8), to: "walk.csv")
      return Attempt(output: .file("/dev/full"), source: "cannot write to standard output")
    },
  ]

  private static let oddRows: [BadInput] = [
    BadInput(
      name: "text in the middle", says: ["1 row was skipped", "text", "line 1502"],
      make: inserting("charger plugged in\n")),
    BadInput(
      name: "NaN and infinities", says: ["3 rows were skipped", "line 1502", "finite"],
      make: inserting("29.991,nan,0,1\n29.992,0,inf,1\n29.993,0,0,-Infinity\n")),
    BadInput(
      name: "rows too short", says: ["2 rows were skipped", "missing", "line 1502"],
      make: inserting("29.991,0\n29.992,\n")),
    BadInput(
      name: "a header once more", says: ["1 row was skipped", "text", "line 1502"], make: inserting(WrittenWalk.header)),
    BadInput(
      name: "a long line in the middle", says: ["64 KiB", "line 1502"],
      make: inserting(String(repeating: "7", count: 2_000_000) + "\n")),
    BadInput(name: "a last line cut short", says: ["in the middle of line 3002"]) {
      let text = try WrittenWalk.minute().text + "60.0,0.11,-0."
      try $0.write(Array(text.utf8), to: "walk.csv")
      return Attempt()
    },
    BadInput(
      name: "constant samples", exitCode: 65, says: ["all 3000 samples are the same", "record"], counted: .nothing
    ) {
      let samples = try WrittenWalk.minute().samples.map {
        AccelerationSample(nanoseconds: $0.nanoseconds, acceleration: [0, 0.25, 0.96875])
      }
      try WrittenWalk.write(samples, to: $0, "walk.csv")
      return Attempt()
    },
    BadInput(
      name: "the wrong unit forced", says: ["with mg as the unit", "instead of 1 g", "--units"],
      counted: .samples(3000, steps: 0)
    ) {
      try $0.write(Array(try WrittenWalk.minute().text.utf8), to: "walk.csv")
      return Attempt(arguments: ["--units", "mg", "walk.csv"])
    },
  ]

  private static let oddTimes: [BadInput] = [
    BadInput(
      name: "time going backwards", says: ["2 rows were skipped", "backwards", "line 1502"],
      make: inserting("29.5,0,0,1\n29.52,0,0,1\n")),
    BadInput(
      name: "a clock that was set back", says: ["the clock was set", "line 1502"],
      make: retimed { $0 < 1500 ? $1 : $1 - 100_000_000_000 }),
    BadInput(name: "repeated timestamps", says: ["3000 rows were skipped", "row before", "line 3"]) {
      let rows = try WrittenWalk.minute().rows
      try $0.write(Array((WrittenWalk.header + rows.map { $0 + $0 }.joined()).utf8), to: "walk.csv")
      return Attempt()
    },
    BadInput(
      name: "a single wrong timestamp", says: ["1 row was skipped", "line 1502"], make: inserting("2999999,0,0,1\n")),
    BadInput(
      name: "a gap of an hour",
      counted: .samples(
        3000, steps: (try? WrittenWalk.steps(in: retimed { $0 < 1500 ? $1 : $1 + 3_600_000_000_000 })) ?? -1),
      make: retimed { $0 < 1500 ? $1 : $1 + 3_600_000_000_000 }),
  ]

  private static let oddBytes: [BadInput] = [
    BadInput(name: "garbage in the middle", says: ["skipped"]) {
      let walk = try WrittenWalk.minute()
      let text = Array((WrittenWalk.header + walk.rows[..<1500].joined()).utf8)
      try $0.write(text + garbage(9000) + [0x0A] + walk.rows[1500...].joined().utf8, to: "walk.csv")
      return Attempt()
    },
    BadInput(
      name: "NUL bytes", says: ["1 row was skipped", "NUL", "line 1502"],
      make: inserting(String(repeating: "\0", count: 4096) + "\n")),
    BadInput(name: "UTF-32", exitCode: 65, says: ["UTF-32LE", "iconv"], counted: .nothing) {
      try $0.write([0xFF, 0xFE, 0, 0] + WrittenWalk.header.utf8.flatMap { [$0, 0, 0, 0] }, to: "walk.csv")
      return Attempt()
    },
    BadInput(name: "UTF-16") {
      try $0.write([0xFF, 0xFE] + WrittenWalk.minute().text.utf8.flatMap { [$0, 0] }, to: "walk.csv")
      return Attempt()
    },
    BadInput(name: "mostly text", exitCode: 65, says: ["rows are unusable", "line 3002"], counted: .nothing) {
      let text = try WrittenWalk.minute().text + String(repeating: "charger,plugged,in,again\n", count: 4000)
      try $0.write(Array(text.utf8), to: "walk.csv")
      return Attempt()
    },
    BadInput(name: "rows in reverse", says: ["not in the order of their times", "sorted"]) {
      let rows = try WrittenWalk.minute().rows.reversed().joined()
      try $0.write(Array((WrittenWalk.header + rows).utf8), to: "walk.csv")
      return Attempt()
    },
    BadInput(name: "a control character in front") {
      try $0.write([7] + Array(try WrittenWalk.minute().text.utf8), to: "walk.csv")
      return Attempt()
    },
    BadInput(name: "a boot loader's lines in front") {
      let boot = "rst:0x1 (POWERON_RESET),boot:0x13\nets Jul 29 2019 12:21:46\nload:0x3fff0030,len:1184\n\u{1}\u{2}\n"
      try $0.write(Array((boot + WrittenWalk.minute().text).utf8), to: "walk.csv")
      return Attempt()
    },
  ]

  private static let oddEnds: [BadInput] = [
    BadInput(name: "a truncated gz", says: ["ends too early", "at byte"], counted: .beginning(atLeast: 1500)) {
      let path = try WrittenWalk.write(try WrittenWalk.minute().samples, to: $0, "walk.csv.gz")
      let bytes = try TemporaryDirectory.bytes(of: path)
      try $0.write(Array(bytes[..<(bytes.count * 3 / 4)]), to: "walk.csv.gz")
      return Attempt(arguments: ["walk.csv.gz"], source: "walk.csv.gz")
    },
    BadInput(name: "a gz damaged at its second part", says: ["damaged near byte"]) {
      let path = try WrittenWalk.write(try WrittenWalk.minute().samples, to: $0, "walk.csv.gz")
      // Deflate has no third block type.
      let part: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3] + [UInt8](repeating: 0xFF, count: 99)
      try $0.write(TemporaryDirectory.bytes(of: path) + part, to: "walk.csv.gz")
      return Attempt(arguments: ["walk.csv.gz"], source: "walk.csv.gz")
    },
    BadInput(name: "garbage behind a gz", says: ["not gzip", "at byte"]) {
      let path = try WrittenWalk.write(try WrittenWalk.minute().samples, to: $0, "walk.csv.gz")
      try $0.write(TemporaryDirectory.bytes(of: path) + garbage(99), to: "walk.csv.gz")
      return Attempt(arguments: ["walk.csv.gz"], source: "walk.csv.gz")
    },
  ]

  /// Bytes of all kinds, always the same, without line feeds at the ends.
  private static func garbage(_ count: Int) -> [UInt8] {
    var state: UInt32 = 2_463_534_242
    return [0x80]
      + (1..<count - 1).map { _ in
        // Marsaglia, "Xorshift RNGs", 2003.
        state ^= state << 13
        state ^= state >> 17
        state ^= state << 5
        return UInt8(truncatingIfNeeded: state)
      } + [0x81]
  }
}
