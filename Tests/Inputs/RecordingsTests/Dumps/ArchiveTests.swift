import Accelerometry
import Platform
import TestSupport
import Testing

@testable import Recordings

@Suite("Archives", .timeLimit(.minutes(30)))
struct ArchiveTests {
  private static let text = "t,x,y,z\n" + plainRows(500)

  private static func zip(_ files: [(String, String)]) -> [UInt8] {
    var zip = ZipWriter()
    for (name, text) in files { zip.add(name, Array(text.utf8)) }
    return zip.bytes()
  }

  @Test("a zip with one recording reads as that recording, from a file and from a pipe")
  func one() {
    let archive = Self.zip([("read me.md", "a walk"), ("walk.csv", Self.text), ("__MACOSX/._walk.csv", "junk")])
    let plain = ReadRecording(Self.text)
    for read in [ReadRecording(archive), ReadRecording(archive, pieces: 9)] {
      #expect(read.samples == plain.samples)
      #expect(read.warnings == [])
    }
  }

  @Test("one of several recordings must be named")
  func several() {
    let archive = Self.zip([("a.csv", Self.text), ("notes.txt", "nothing"), ("b.csv", "t,x,y,z\n" + plainRows(300))])
    let read = ReadRecording(archive)
    #expect(read.error == .severalRecordings(path: "walk.csv", names: ["a.csv", "b.csv"]))
    var options = RecordingOptions()
    options.entry = "b.csv"
    #expect(ReadRecording(archive, options).samples.count == 300)
  }

  @Test("a name that is not in the archive is refused with those that are, from a file and from a pipe")
  func unknown() {
    var tar = TarWriter()
    tar.add("a.csv", Array(Self.text.utf8))
    var options = RecordingOptions()
    options.entry = "c.csv"
    for archive in [Self.zip([("a.csv", Self.text)]), tar.bytes, gzip(tar.bytes)] {
      for read in [ReadRecording(archive, options), ReadRecording(archive, pieces: 9, options)] {
        #expect(read.error == .unknownEntry(path: "walk.csv", name: "c.csv", names: ["a.csv"]))
        #expect(read.error?.kind == .usage && read.error?.message.contains("its files are a.csv") == true)
      }
    }
  }

  @Test("the name of an entry is not used for a file that is no archive, which is told and no error")
  func noArchive() {
    var options = RecordingOptions()
    options.entry = "a.csv"
    for bytes in [Array(Self.text.utf8), gzip(Array(Self.text.utf8))] {
      for read in [ReadRecording(bytes, options), ReadRecording(bytes, pieces: 9, options)] {
        #expect(read.error == nil && read.samples.count == 500)
        #expect(read.warnings == ["it is no archive, so RecordingOptions.entry was not used"])
      }
    }
    #expect(ReadRecording(Self.zip([("a.csv", Self.text)]), options).warnings == [])
  }

  @Test("an archive with several recordings in an archive is to be unpacked, since none of them can be selected")
  func severalWithin() {
    var outer = ZipWriter()
    outer.add("a.zip", Self.zip([("a.csv", Self.text), ("w.csv", Self.text)]))
    let read = ReadRecording(outer.bytes())
    #expect(read.error?.code == .severalRecordings && read.error?.names.isEmpty == true)
    #expect(read.error?.message.contains("(a.csv, w.csv); unpack it") == true, "\(read.error?.message ?? "")")
  }

  @Test("of a phone's export of many sensors, the recording with gravity is read")
  func phone() {
    let other = "t,x,y,z\n" + plainRows(400)
    let archive = Self.zip([
      ("Accelerometer.csv", other), ("Gyroscope.csv", other), ("TotalAcceleration.csv", Self.text),
      ("Metadata.csv", "a,b\n1,2\n"),
    ])
    #expect(ReadRecording(archive).samples == ReadRecording(Self.text).samples)
  }

  @Test("hourly files of one recording are joined, whatever their compression")
  func hourly() {
    func part(_ hour: Int) -> [UInt8] {
      let rows = (0..<100).map { (row: Int) -> String in
        let (second, part) = row.quotientAndRemainder(dividingBy: 50)
        return "2000-01-08 1\(hour):00:\(10 + second).\(100 + 2 * part),0.1,0.\(row),0.9\n"
      }
      return gzip(Array(("HEADER_TIMESTAMP,X,Y,Z\n" + rows.joined()).utf8))
    }
    var tar = TarWriter()
    for hour in 0..<4 { tar.add("NEO1C.2000-01-08-1\(hour)-00-00-000-P0000.sensor.csv.gz", part(hour)) }
    for read in [ReadRecording(tar.bytes), ReadRecording(gzip(tar.bytes)), ReadRecording(tar.bytes, pieces: 5)] {
      #expect(read.samples.count == 400, "\(read.error?.description ?? "")")
      #expect(read.summary.gaps == 3)
      #expect(read.warnings == [])
    }
  }

  @Test("a dump in a nested archive is read")
  func nested() {
    var writer = CWAWriter()
    writer.add(blocks: 5)
    var inner = ZipWriter()
    inner.add("week.cwa", writer.bytes)
    var tar = TarWriter()
    tar.add("participant/week.zip", inner.bytes())
    #expect(ReadRecording(tar.bytes).samples == ReadRecording(writer.bytes).samples)
  }

  @Test("an office document and an archive without a recording are rejected with the reason")
  func refused() {
    let sheet = ReadRecording(Self.zip([("[Content_Types].xml", "<xml/>"), ("xl/workbook.xml", "<xml/>")]))
    #expect(sheet.error?.description.contains("spreadsheet") == true)
    let notes = ReadRecording(Self.zip([("notes.txt", "nothing to count\n")]))
    #expect(notes.error?.kind == .badData)
    let garbage = ReadRecording([0x50, 0x4B, 3, 4] + [UInt8](repeating: 7, count: 300))
    #expect(garbage.error?.description.contains("archive") == true)
  }

  /// A zip of compressed files.
  private static func deflated(_ files: [(String, String)]) -> [UInt8] {
    var zip = ZipWriter()
    for (name, text) in files {
      let bytes = Array(text.utf8)
      zip.add(name, bytes, deflated: gzip(bytes).dropFirst(10).dropLast(8))
    }
    return zip.bytes()
  }

  @Test("a compressed file of a zip reads as that file, from a zip with and without a directory")
  func compressed() {
    let archive = Self.deflated([("read me.md", "a walk"), ("wälk.csv", Self.text), ("other.png", Self.text)])
    let plain = ReadRecording(Self.text)
    let end = archive.firstPlace(of: [0x50, 0x4B, 1, 2])
    for read in [
      ReadRecording(archive), ReadRecording(archive, pieces: 9), ReadRecording(Array(archive[..<end])),
      ReadRecording(archive + Array("an unannounced comment".utf8)),
    ] {
      #expect(read.samples == plain.samples)
    }
    #expect(ReadRecording(archive).warnings == [])
  }

  @Test("a zip that contains a name twice reads as libarchive reads it")
  func twice() {
    let archive = Self.deflated([("walk.csv", Self.text), ("walk.csv", "t,x,y,z\n" + plainRows(300))])
    let read = ReadRecording(archive)
    #expect(read.error?.names == ["walk.csv", "walk.csv"] || read.samples.count >= 300)
  }

  @Test("damage to a compressed file ends it with a warning; what was read before is kept")
  func damagedFile() {
    let archive = Self.deflated([("walk.csv", "t,x,y,z\n" + plainRows(9000))])
    let plain = ReadRecording("t,x,y,z\n" + plainRows(9000))
    let directory = archive.firstPlace(of: [0x50, 0x4B, 1, 2])
    var random = SplitMix64(seed: 11)
    for _ in 0..<40 {
      var bytes = archive
      // In the second half of the data.
      bytes[Int.random(in: directory / 2..<directory, using: &random)] ^= 1 << UInt8.random(in: 0..<8, using: &random)
      let read = ReadRecording(bytes)
      #expect(read.samples.count >= 3000 && read.samples.starts(with: plain.samples[..<3000]))
      #expect(read.warnings.contains { $0.contains("damaged or truncated") }, "\(read.warnings)")
    }
  }

  @Test("damage that only the checksum at the very end shows is told of a compressed tar, and of an archive in one")
  func damagedChecksum() {
    var tar = TarWriter()
    tar.add("walk.csv", Array(Self.text.utf8))
    var outer = TarWriter()
    outer.add("walk.zip", Self.zip([("walk.csv", Self.text)]))
    let plain = ReadRecording(Self.text)
    for archive in [gzip(tar.bytes), gzip(outer.bytes)] {
      #expect(ReadRecording(archive).warnings == [])
      for place in archive.count - 8..<archive.count {
        var bytes = archive
        bytes[place] ^= 0x40
        for read in [ReadRecording(bytes), ReadRecording(bytes, pieces: 9)] {
          #expect(read.samples == plain.samples)
          #expect(read.warnings.contains { $0.contains("the compressed data is damaged") }, "\(read.warnings)")
        }
      }
    }
  }

  @Test("rows that a damaged container has spoiled are not to be mended, but to be copied again")
  func spoiledRows() {
    let text = "t,x,y,z\n" + (0..<2000).map { "\(Double($0 * 2) / 100),0.1,0.2,0.97\n" }.joined()
    let intact = ReadRecording(text).summary.refusal(path: "walk.csv")
    #expect(intact?.code == .constant && intact?.message.contains("copy it again") == false)
    var tar = TarWriter()
    tar.add("walk.csv", Array(text.utf8))
    for packed in [gzip(Array(text.utf8)), gzip(tar.bytes)] {
      var bytes = packed
      bytes[bytes.count - 6] ^= 1
      let refusal = ReadRecording(bytes).summary.refusal(path: "walk.csv")
      #expect(refusal?.code == .constant && refusal?.kind == .badData)
      #expect(refusal?.message.hasPrefix("walk.csv: the compressed data is damaged near byte ") == true)
      #expect(refusal?.message.hasSuffix("; copy it again from its source") == true, "\(refusal?.message ?? "")")
    }
  }

  @Test("an error in a single compressed file names that file, which has no other name")
  func bare() {
    // "nothing to count", by bzip2.
    let packed: [UInt8] = [
      0x42, 0x5A, 0x68, 0x39, 0x31, 0x41, 0x59, 0x26, 0x53, 0x59, 0xCB, 0xA2, 0x74, 0x41, 0x00, 0x00, 0x04, 0x51,
      0x80, 0x00, 0x10, 0x40, 0x00, 0x08, 0xE1, 0x86, 0x00, 0x20, 0x00, 0x22, 0x08, 0xF2, 0x9B, 0xD2, 0x84, 0x00,
      0xC0, 0x1A, 0x16, 0x9B, 0x13, 0x99, 0x0C, 0xF8, 0xBB, 0x92, 0x29, 0xC2, 0x84, 0x86, 0x5D, 0x13, 0xA2, 0x08,
    ]
    for read in [ReadRecording(packed), ReadRecording(packed, pieces: 3)] {
      #expect(read.error?.message.hasPrefix("walk.csv: ") == true, "\(read.error?.message ?? "")")
    }
  }

  @Test("a directory that lies leads to an error or a warning, never further")
  func lies() {
    let archive = Self.deflated([("walk.csv", Self.text), ("b.csv", Self.text)])
    let directory = archive.firstPlace(of: [0x50, 0x4B, 1, 2])
    for place in directory..<archive.count {
      for value: UInt8 in [0, 1, 0x7F, 0xFF] where archive[place] != value {
        var bytes = archive
        bytes[place] = value
        var options = RecordingOptions()
        options.entry = "walk.csv"
        let read = ReadRecording(bytes, options)
        #expect(read.error != nil || read.samples.count <= 500, "byte \(place - directory)")
      }
    }
  }

  @Test(
    "names that contain dates are distinguished from others",
    arguments: [
      ("X.2000-01-08-13-00-00-000.csv", true), ("log_20240131.csv", true), ("walk1.csv", false), ("2024.csv", false),
      ("12345678.csv", false),
    ])
  func dates(_ name: String, _ holds: Bool) { #expect(ArchiveContents.holdsDate(name) == holds) }
}

extension [UInt8] {
  /// The index of the first occurrence of bytes.
  fileprivate func firstPlace(of bytes: [UInt8]) -> Int { span.firstPlace(of: bytes.span, from: 0) ?? count }
}
