/// Recognises kinds of files by their first bytes.
struct FileStart {
  /// UTF-8's.
  static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

  let path: String
  let head: [UInt8]

  /// How SQL dumps begin, and the tables of messages that FitCSVTool writes.
  private static let dumps = [
    "-- MySQL dump", "-- MariaDB dump", "--\n-- PostgreSQL", "PRAGMA foreign_keys", "CREATE TABLE", "INSERT INTO",
    "Type,Local Number,Message,Field 1,",
  ]

  /// The kind of a text whose lines look like rows with labels, and are none.
  static func dump(_ head: [UInt8]) -> (kind: String, remedy: String)? {
    guard let found = dumps.first(where: { head.starts(with: $0.utf8) }) else { return nil }
    return found.hasPrefix("Type")
      ? ("a table of FIT messages (FitCSVTool)", "write each sample in its own row, as t,x,y,z")
      : ("an SQL dump", "export the table as CSV first")
  }

  /// Kinds of files that may be mistaken for text, by their first bytes.
  private static let magics: [(bytes: [UInt8], kind: String)] = [
    ([0x25, 0x50, 0x44, 0x46, 0x2D], "a PDF document"),
    ([0x53, 0x51, 0x4C, 0x69, 0x74, 0x65, 0x20, 0x66], "an SQLite database"),
    ([0x89, 0x48, 0x44, 0x46], "an HDF5 file"), ([0x50, 0x41, 0x52, 0x31], "a Parquet file"),
    ([0xD0, 0xCF, 0x11, 0xE0, 0xA1, 0xB1, 0x1A, 0xE1], "an Excel spreadsheet (.xls) or another old Office document"),
    ([0x1F, 0x8B], "gzip inside gzip"), (Array("MATLAB 5.0 MAT-file".utf8), "a MATLAB file (.mat)"),
    ([0x93, 0x4E, 0x55, 0x4D, 0x50, 0x59], "a NumPy array (.npy)"), (Array("TDSm".utf8), "a TDMS file of LabVIEW"),
    (Array("#ROSBAG V".utf8), "a bag of ROS"), ([0x89, 0x4D, 0x43, 0x41, 0x50], "an MCAP file"),
    (Array("ARROW1".utf8), "a Feather file"), (Array("MDF     ".utf8), "a measurement data file (MDF)"),
    (Array("$FL2".utf8), "an SPSS file (.sav)"), (Array("{\\rtf".utf8), "a document (RTF)"),
    ([0xFF] + Array("BIOSEMI".utf8), "a BDF file"), ([0x80, 0x03, 0x63], "a pickle of Python"),
    ([0x80, 0x04, 0x95], "a pickle of Python"), ([0x80, 0x05, 0x95], "a pickle of Python"),
    ([0x58, 0x0A, 0, 0, 0], "an R data file (.rds)"), (Array("RDX3\n".utf8), "an R data file (.RData)"),
    (Array("RDX2\n".utf8), "an R data file (.RData)"), ([0x0A, 0x0D, 0x0D, 0x0A], "a capture of a network (pcapng)"),
    ([0xD4, 0xC3, 0xB2, 0xA1], "a capture of a network (pcap)"), (Array("bplist0".utf8), "a property list (binary)"),
    ([0x4F, 0x62, 0x6A, 0x01], "an Avro file"), ([0x7F, 0x45, 0x4C, 0x46], "a program"),
    ([0x89, 0x50, 0x4E, 0x47], "a picture"), ([0xFF, 0xD8, 0xFF], "a picture"),
    (Array("OggS".utf8), "a sound recording (Ogg)"),
  ]
  private static let withoutSamples: Set = ["a program", "a picture", "a sound recording (Ogg)"]

  /// Kinds of files whose name stands behind the first bytes.
  private static let innerMagics: [(offset: Int, bytes: [UInt8], kind: String)] = [
    (4, Array("ftyp".utf8), "a video (MP4)"), (8, Array("WAVE".utf8), "a WAV file"),
    (8, Array(".FIT".utf8), "a FIT file"),
  ]

  /// What Git LFS stores in place of a large file.
  private static let pointer = Array("version https://git-lfs".utf8)

  /// AppleDouble, which macOS writes beside a file on volumes of other systems.
  private static let companion: [UInt8] = [0x00, 0x05, 0x16, 0x07]

  /// Refuses files that are known not to be readable text.
  /// - Parameter wasDropped: whether the first line was too long to be examined.
  func check(wasDropped: Bool) throws(RecordingError) {
    if head.starts(with: [0xFF, 0xFE, 0x00, 0x00]) { throw .wideCharacters(path: path, encoding: "UTF-32LE") }
    if head.starts(with: [0xFF, 0xFE]) { throw .wideCharacters(path: path, encoding: "UTF-16LE") }
    if head.starts(with: [0xFE, 0xFF]) { throw .wideCharacters(path: path, encoding: "UTF-16BE") }
    let kind =
      Self.magics.first { head.starts(with: $0.bytes) }?.kind
      ?? Self.innerMagics.first { head.dropFirst($0.offset).starts(with: $0.bytes) }?.kind
      ?? (Self.isEDF(head) ? "an EDF file" : nil)
    if let kind {
      if Self.withoutSamples.contains(kind) { throw .withoutSamples(path: path, kind: kind) }
      throw .notText(path: path, byte: 0, value: head[0], looksLike: kind)
    }
    if let dump = Self.dump(head) { throw .statements(path: path, kind: dump.kind, remedy: dump.remedy) }
    if head.starts(with: Self.pointer) { throw .pointer(path: path) }
    if head.starts(with: Self.companion) { throw .companion(path: path) }
    if let encoding = Self.wideEncoding(of: head) { throw .wideCharacters(path: path, encoding: encoding) }
    guard wasDropped, let place = head.firstIndex(where: { Self.isControl($0) }) else { return }
    throw .notText(path: path, byte: place, value: head[place], looksLike: nil)
  }

  /// The header of EDF is text as well: its version, and a date and a time at fixed places of its only line. A table may begin with
  /// the same blanks.
  private static func isEDF(_ head: [UInt8]) -> Bool {
    head.count >= 184 && head.starts(with: Array("0       ".utf8)) && !head.prefix(184).contains(0x0A)
      && [170, 173, 178, 181].allSatisfy { head[$0] == UInt8(ascii: ".") }
  }

  static let webPage = "a web page (HTML)"

  /// What a text is in which no sample was found, if its beginning shows it.
  static func document(_ head: [UInt8]) -> String? {
    let text = String(decoding: head.drop { $0 <= 0x20 || byteOrderMark.contains($0) }.prefix(256), as: UTF8.self)
      .lowercased()
    let isMarkup = text.hasPrefix("<?xml") || text.hasPrefix("<!--")
    if ["<!doctype html", "<html"].contains(where: { text.hasPrefix($0) || isMarkup && text.contains($0) }) {
      return webPage
    }
    if text.hasPrefix("<gpx") || (text.hasPrefix("<?xml") && text.contains("<gpx")) { return "a GPX file" }
    return text.hasPrefix("<?xml") ? "an XML document" : nil
  }

  /// UTF-16 without a byte order mark: every second byte of the first line is NUL.
  private static func wideEncoding(of head: [UInt8]) -> String? {
    let head = head.prefix(64)
    guard head.count >= 16 else { return nil }
    for (parity, name) in [(1, "UTF-16LE"), (0, "UTF-16BE")]
    where head.indices.allSatisfy({ (head[$0] == 0) == ($0 % 2 == parity) }) {
      return name
    }
    return nil
  }

  /// Whether a byte does not occur in text. NUL is excepted: a logger that lost power leaves blocks of them. Form feed,
  /// the end mark of DOS and escape are rare, but text.
  static func isControl(_ byte: UInt8) -> Bool {
    switch byte {
    case 0, 0x09, 0x0A, 0x0C, 0x0D, 0x1A, 0x1B, 0x20...0x7E, 0x80...0xFF: false
    default: true
    }
  }

  /// The numbers of bytes of a line that are NULs, that do not occur in text, and that are neither of these nor blanks.
  static func kinds(_ bytes: Span<UInt8>, _ line: Range<Int>) -> (nuls: Int, controls: Int, others: Int) {
    var kinds = (nuls: 0, controls: 0, others: 0)
    for i in line {
      switch bytes[i] {
      case 0: kinds.nuls += 1
      case 0x20, 0x09, 0x0D: break
      case let byte: if isControl(byte) { kinds.controls += 1 } else { kinds.others += 1 }
      }
    }
    return kinds
  }
}
