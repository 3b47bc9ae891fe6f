import Foundation
import TestSupport
import Testing

/// `pedometer convert` and `pedometer info` as run by a user, and `count` with dumps and archives.
@Suite("Converting and describing recordings", .timeLimit(.minutes(30)), .ownThreads)
struct RecordingFileTests {
  private let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  private func run(_ arguments: String...) throws -> Transcript {
    try Executable.built("pedometer").run(arguments)
  }

  private static func dump() -> [UInt8] {
    var writer = CWAWriter()
    writer.add(blocks: 12)
    return writer.bytes
  }

  @Test("a binary recording converts to our format, which gives the same samples")
  func roundTrip() throws {
    let dump = try directory.write(Self.dump(), to: "week.cwa")
    let (csv, again) = (directory.path + "/week.csv.gz", directory.path + "/again.csv.gz")
    let first = try run("convert", dump, "-o", csv)
    #expect(first.exitCode == 0 && first.errors.isEmpty)
    #expect(try run("convert", csv, "-o", again).exitCode == 0)
    #expect(try TemporaryDirectory.bytes(of: csv) == TemporaryDirectory.bytes(of: again))
    let text = try run("convert", dump, "-o", "-").output.split(separator: "\n")
    #expect(text[..<3] == ["# unit: g", "# start: 2020-01-01T00:00:00", "t,x,y,z"])
    #expect(text[3].hasPrefix("0,0,0,-7.996094"))
    #expect(text.count == 3 + 12 * 80)
  }

  @Test("times of day are written if there are any, and refused otherwise")
  func clock() throws {
    var writer = GT3XWriter()
    for second in 0..<3 { writer.add(.packed, second: second) }
    let dump = try directory.write(writer.bytes(), to: "a.gt3x")
    let lines = try run("convert", dump, "-o", "-", "--clock").output.split(separator: "\n")
    #expect(lines[2].hasPrefix("2024-01-01T00:00:00.000000000-05:00,"))
    let plain = try directory.write(Array("t,x,y,z\n0,0,0,1\n0.02,0,0.1,1\n0.04,0,0,1\n".utf8), to: "a.csv")
    let refused = try run("convert", plain, "-o", "-", "--clock")
    #expect(refused.exitCode == 64 && refused.errors.contains("no time of day"))
  }

  @Test("a recording is not overwritten by its own conversion, and an unreadable one leaves no file")
  func nothingLost() throws {
    let dump = try directory.write(Self.dump(), to: "week.cwa")
    #expect(try run("convert", dump, "-o", dump).exitCode == 64)
    #expect(try TemporaryDirectory.bytes(of: dump) == Self.dump())
    let bad = try directory.write(Array("nothing here\n".utf8), to: "bad.csv")
    #expect(try run("convert", bad, "-o", directory.path + "/out.csv").exitCode == 65)
    #expect(directory.contents == ["bad.csv", "week.cwa"])
  }

  @Test("recordings are described as a table, and what was assumed is no damage")
  func table() throws {
    let dump = try directory.write(Self.dump(), to: "week.cwa")
    let rows = (0..<100).map { "\($0 / 50).\($0 % 50 < 5 ? "0" : "")\($0 % 50 * 2),0.\($0 % 7),0,1,0.\($0 % 5),0,1\n" }
    let two = try directory.write(
      Array("t,left_ax,left_ay,left_az,right_ax,right_ay,right_az\n\(rows.joined())".utf8), to: "two.csv")
    let lines = try run("info", "--format", "csv", dump, two).output.split(separator: "\n")
    #expect(lines.count == 3 && lines[0].hasPrefix("source,format,maker,model,serial,"))
    #expect(lines[1].contains(",cwa,Axivity,") && lines[2].contains("there are 2 accelerometers"))
    let told = try run("info", two).output
    #expect(told.contains("\n  notes   there are 2 accelerometers") && !told.contains("damage"), "\(told)")
  }

  @Test("damage is reported in text and JSON, and the exit code stays 0")
  func damage() throws {
    var bytes = Self.dump()
    bytes[CWAWriter.headerSize + 3 * CWAWriter.blockSize + 60] ^= 4
    let dump = try directory.write(bytes, to: "week.cwa")
    let converted = try run("convert", dump, "-o", directory.path + "/week.csv")
    #expect(converted.exitCode == 0 && converted.errors.contains("wrong checksum in block 4"))
    let counted = try run("count", "--format", "json", dump)
    #expect(counted.exitCode == 0 && counted.output.contains("wrong checksum in block 4"))
    let told = try run("info", "--format", "json", dump)
    #expect(told.output.contains("\"damagedParts\":1"))
  }

  @Test("five lines describe a recording, with the serial number or without it")
  func info() throws {
    let dump = try directory.write(Self.dump(), to: "week.cwa")
    let told = try run("info", dump)
    #expect(told.output.split(separator: "\n").count == 5)
    for word in ["Axivity AX3", "serial 69778", "100 Hz stated", "100 Hz measured", "2020-01-01T00:00:00", "no gaps"] {
      #expect(told.output.contains(word), "\(word)")
    }
    let hidden = try run("info", "--anonymise", "--format", "json", dump)
    #expect(!hidden.output.contains("69778"))
    #expect(hidden.output.contains("\"serial\":\""))
    #expect(try run("info", dump + ".none").exitCode == 66)
  }

  @Test("totals state when a recording began, in the given zone if it states none")
  func start() throws {
    let dump = try directory.write(Self.dump(), to: "week.cwa")
    #expect(try run("count", "--format", "json", dump).output.contains("\"start\":\"2020-01-01T00:00:00\""))
    let zoned = try run("count", "--format", "json", "--time-zone", "+05:30", dump)
    #expect(zoned.output.contains("\"start\":\"2020-01-01T00:00:00+05:30\""))
    #expect(try run("count", "--time-zone", "Nowhere/Atlantis", dump).exitCode == 64)
    let bare = try Executable.built("pedometer").run(
      ["count", "--time-zone", "Europe/Berlin", dump], environment: ["TZDIR": directory.path])
    #expect(bare.exitCode == 64 && bare.errors.contains("has no time zones; install tzdata, or give an offset"))
  }

  /// Ten seconds before a change of local times and ten seconds after it, at 50 Hz.
  private static func change(_ date: String, from before: String, to after: String) -> String {
    "time,x,y,z\n"
      + (0..<1000).map { number in
        let second = number < 500 ? "\(before):5" : "\(after):0"
        let time = "\(date) \(second)\(number / 50 % 10).\(100 + number % 50 * 10)"
        return "\(time),0.0\(number % 7),0.0\(number % 5),1.0\(number % 3)\n"
      }.joined()
  }

  @Test("clock times follow the rows of local times over both changes of the clocks", arguments: [true, false])
  func clockChange(isAutumn: Bool) throws {
    let (text, times) =
      isAutumn
      ? (
        Self.change("2026-10-25", from: "01:59", to: "01:00"),
        ["T01:59:50.100+01:00", "T01:59:55.100+01:00", "T01:00:00.100+00:00", "T01:00:05.100+00:00"]
      )
      : (
        Self.change("2026-03-29", from: "00:59", to: "02:00"),
        ["T00:59:50.100+00:00", "T00:59:55.100+00:00", "T02:00:00.100+01:00", "T02:00:05.100+01:00"]
      )
    let path = try directory.write(Array(text.utf8), to: "night.csv")
    let zone = ["--time-zone", "Europe/London"]
    let epochs = try run("count", "--epochs", "5", "--clock", "--format", "csv", zone[0], zone[1], path)
    let shown = epochs.output.split(separator: "\n").dropFirst().map { String($0.suffix(19)) }
    #expect(shown == times, "\(epochs.output)\(epochs.errors)")
    let totals = try run("count", "--format", "json", zone[0], zone[1], path).output
    #expect(totals.contains("T0\(isAutumn ? 1 : 2):00:09.590+0\(isAutumn ? 0 : 1):00\""), "\(totals)")
    #expect(totals.contains("\"gaps\":0"), "\(totals)")
    let rows = try run("convert", "--clock", path, "-o", "-").output
    #expect(rows.contains("T01:59:59.590") == isAutumn, "\(rows.suffix(200))")
    #expect(rows.contains("T0\(isAutumn ? 1 : 2):00:09.59"), "\(rows.suffix(200))")
  }

  @Test("every recording of an archive is a separate source")
  func archive() throws {
    var zip = ZipWriter()
    let walk = Array(try WrittenWalk.minute().text.utf8)
    zip.add("a.csv", walk)
    zip.add("b.csv", walk)
    let path = try directory.write(zip.bytes(), to: "walks.zip")
    let counted = try run("count", "--format", "json", path)
    let lines = counted.output.split(separator: "\n")
    #expect(lines.count == 2 && lines[0].contains("walks.zip:a.csv") && lines[1].contains("walks.zip:b.csv"))
    let converted = try run("convert", path, "-o", "-")
    #expect(converted.exitCode == 64 && converted.errors.contains("--entry"))
    #expect(try run("convert", path, "--entry", "b.csv", "-o", "-").exitCode == 0)
    for command in ["count", "info"] {
      let unknown = try run(command, path, "--entry", "c.csv")
      #expect(unknown.exitCode == 64 && unknown.errors.contains("has no file 'c.csv'; its files are a.csv, b.csv"))
    }
  }

  @Test("recordings that count refuses are not converted, and info ends with the same exit code")
  func refused() throws {
    let rows = (0..<400).map { "\($0 < 150 ? Double($0) / 50 : Double($0) * 14),0.\($0 % 7),0,1\n" }.joined()
    let path = try directory.write(Array(("t,x,y,z\n" + rows).utf8), to: "mixed.csv")
    for result in [
      try run("count", path), try run("convert", path, "-o", directory.path + "/out.csv"), try run("info", path),
    ] {
      #expect(result.exitCode == 65)
      #expect(result.errors.contains("--columns"))
    }
    #expect(directory.contents == ["mixed.csv"])
  }
}
