import Platform

/// Why a recording, or its rest, cannot be read. Each case carries the evidence; the description says what to do next.
public enum RecordingError: Error, Sendable, Hashable {
  /// `open(2)` failed.
  case cannotOpen(path: String, errno: Int32)
  /// The path names a directory.
  case isDirectory(path: String)
  /// `read(2)` failed after this many bytes.
  case readFailed(path: String, byte: Int, errno: Int32)
  /// Not one byte.
  case empty(path: String)
  /// Column names, and nothing below them.
  case headerOnly(path: String, line: Int)
  /// The byte at this offset is in no text; `looksLike` names the kind of file where its first bytes tell.
  case notText(path: String, byte: Int, value: UInt8, looksLike: String?)
  /// A byte order mark of UTF-16 or UTF-32.
  case wideCharacters(path: String, encoding: String)
  /// No line has a number for each of three axes; `found` is the most numbers a line has, `line` the first such line.
  case tooFewColumns(path: String, line: Int, found: Int)
  /// The column names name no three axes of one accelerometer.
  case noAxes(path: String, line: Int, names: [String])
  /// Three axes, but no time, and no sampling frequency was stated.
  case noTimestamps(path: String, line: Int)
  /// A column that was asked for is not there.
  case unknownColumn(path: String, name: String, names: [String])
  /// Three or four columns have to be asked for.
  case wrongNumberOfColumns(Int)
  /// The window names a moment of the calendar, the recording does not.
  case windowNeedsAbsoluteTime(path: String)
  /// Rows there are, but none is good; the reason is the most frequent one, the line its first.
  case noGoodRow(path: String, reason: SkipReason, line: Int)
  /// The acceleration has a size, at rest or in motion, that no known unit gives it.
  case unknownUnit(path: String, size: Double)
  /// Samples come more seldom than steps can be counted in, or more often than a sensor gives them; `rate` in a second.
  case implausibleRate(path: String, line: Int, rate: String)
  /// The times rise by 1 from 0 or 1, and nothing says whether they are seconds or row numbers.
  case ambiguousTimes(path: String, line: Int)
  /// The compressed data is damaged before the first byte of text.
  case damagedGzip(path: String, byte: Int)
  /// An archive of which nothing can be read.
  case damagedArchive(path: String, reason: String)
  /// A dump of which nothing can be understood; `kind` is what it is.
  case damagedDump(path: String, kind: String, reason: String)
  /// Most rows gave no sample, most of them for this reason; the line is the first of these.
  case mostRowsSkipped(path: String, skipped: Int, rows: Int, reason: SkipReason, line: Int)
  /// Most samples lie more than a second apart.
  case scattered(path: String, gaps: Int, samples: Int)
  /// All samples are the same.
  case constant(path: String, samples: Int)
  /// It is not in the format that was asked for.
  case otherFormat(path: String, asked: String, found: String)
  /// An archive of several recordings, of which one has to be named.
  case severalRecordings(path: String, names: [String])

  /// What kind of trouble it is, for whoever picks an exit code.
  public enum Kind: Sendable, Hashable, CaseIterable {
    /// There is no such input.
    case noInput
    /// The input is not what it should be.
    case badData
    /// The machine failed to deliver it.
    case io
    /// This user may not read it.
    case permission
    /// Something more has to be said about it.
    case usage
  }

  /// What kind of trouble it is.
  public var kind: Kind {
    switch self {
    case .cannotOpen(_, let code):
      switch code {
      case EACCES, EPERM: .permission
      case ENOENT, ENOTDIR, ELOOP, ENAMETOOLONG, ENXIO, ENODEV, EISDIR: .noInput
      default: .io
      }
    case .isDirectory: .noInput
    case .readFailed(_, _, let code): code == EISDIR ? .noInput : .io
    case .noTimestamps, .unknownColumn, .wrongNumberOfColumns, .windowNeedsAbsoluteTime, .severalRecordings:
      .usage
    case .empty, .headerOnly, .notText, .wideCharacters, .tooFewColumns, .noAxes, .noGoodRow, .damagedGzip,
      .unknownUnit, .implausibleRate, .ambiguousTimes, .damagedArchive, .damagedDump, .otherFormat, .mostRowsSkipped,
      .scattered, .constant:
      .badData
    }
  }
}

extension RecordingError {
  /// Whether it says that all samples are the same.
  public var isConstancy: Bool {
    if case .constant = self { return true }
    return false
  }
}

extension RecordingError: CustomStringConvertible {
  /// One sentence: the file, the place, what is wrong and the remedy.
  public var description: String {
    switch self {
    case .cannotOpen, .isDirectory, .readFailed: systemFailure
    case .unknownColumn, .wrongNumberOfColumns, .windowNeedsAbsoluteTime, .noTimestamps, .severalRecordings: missingWord
    case .empty, .headerOnly, .notText, .wideCharacters, .tooFewColumns, .noAxes, .noGoodRow, .damagedGzip,
      .unknownUnit, .implausibleRate, .ambiguousTimes, .damagedArchive, .damagedDump, .otherFormat, .mostRowsSkipped,
      .scattered, .constant:
      badData
    }
  }

  private var systemFailure: String {
    switch self {
    case .cannotOpen(let path, let code):
      switch kind {
      case .permission: "\(path): \(Self.text(code)); ask its owner for read permission"
      case .noInput: "\(path): \(Self.text(code)); check the name"
      default: "\(path): cannot be opened: \(Self.text(code))"
      }
    case .isDirectory(let path): "\(path): is a directory; give the files in it, such as \(path)/*.csv"
    case .readFailed(let path, 0, let code): "\(path): cannot be read: \(Self.text(code)); give a file or a pipe"
    case .readFailed(let path, let byte, let code):
      "\(path): reading failed at byte \(byte): \(Self.text(code)); the data before it was read"
    default: ""
    }
  }

  private var missingWord: String {
    switch self {
    case .unknownColumn(let path, let name, let names):
      "\(path): has no column '\(name)'; its columns are "
        + (names.isEmpty ? "numbered from 1" : "\(Self.list(names)), or numbers from 1")
    case .wrongNumberOfColumns(let count):
      "\(count) columns were given; give four (time, x, y, z) or three (x, y, z)"
    case .windowNeedsAbsoluteTime(let path):
      "\(path): has no dates; give the start or end in seconds from its first sample"
    case .noTimestamps(let path, let line):
      "\(path): line \(line) has three axes, but no timestamps; state the sampling frequency with --rate, or the columns"
        + " with --columns t,x,y,z"
    case .severalRecordings(let path, let names):
      "\(path): contains \(names.count) recordings (\(Self.list(names))); select one with --entry NAME"
    default: ""
    }
  }

  private var badData: String {
    switch self {
    case .empty(let path): "\(path): is empty; check the program that wrote it, and record again"
    case .headerOnly(let path, let line):
      "\(path): ends after its header in line \(line), without a sample; record or export it again"
    case .notText(let path, let byte, let value, nil):
      "\(path): byte \(byte) is 0x\(String(value, radix: 16)), so it is neither text nor a known binary format or archive;"
        + " give CSV or JSON Lines"
    case .notText(let path, _, _, let kind?): "\(path): is \(kind); unpack or export it as CSV first"
    case .wideCharacters(let path, let encoding):
      "\(path): is text in \(encoding); convert it: iconv -f \(encoding) -t UTF-8 \(path)"
    case .tooFewColumns(let path, let line, 0):
      "\(path): no column of numbers up to line \(line); a recording has t,x,y,z in each line"
    case .tooFewColumns(let path, let line, let found):
      "\(path): line \(line) has \(found) number\(found == 1 ? "" : "s"), and no line has more; a sample needs a time,"
        + " x, y and z"
    case .noAxes(let path, let line, let names):
      "\(path): line \(line) does not name the three axes of an accelerometer (\(Self.list(names))); select them"
        + " with --columns t,x,y,z"
    case .noGoodRow(let path, let reason, let line):
      "\(path): there is no valid row: \(reason.first(line)); \(reason.remedy)"
    case .unknownUnit(let path, let size):
      "\(path): the acceleration has a magnitude of \(Self.text(size)), which matches no known unit; state the unit with"
        + " --units raw=COUNTS, or the right columns with --columns t,x,y,z"
    case .implausibleRate(let path, let line, let rate):
      "\(path): from line \(line) on there are \(rate) samples a second, but counting needs 5 to 100000; select the right"
        + " columns with --columns t,x,y,z, or ignore the times with --columns x,y,z --rate HZ"
    case .ambiguousTimes(let path, let line):
      "\(path): from line \(line) on the times rise by 1, so they are seconds (too slow to count) or row numbers; state"
        + " the sampling frequency with --rate HZ"
    case .damagedGzip(let path, let byte):
      "\(path): the compressed data is damaged at byte \(byte), before any text; copy it again from its source"
    case .damagedArchive(let path, let reason):
      "\(path): the archive cannot be read: \(reason); copy it again from its source"
    case .mostRowsSkipped(let path, let skipped, let rows, let reason, let line):
      "\(path): \(skipped) of \(rows) rows are unusable: \(reason.first(line)); \(reason.remedy)"
    case .scattered(let path, let gaps, let samples):
      "\(path): \(gaps) of \(samples) samples are more than a second apart: the time column is wrong, its unit changes, or the"
        + " samples are too sparse; select the right time with --columns t,x,y,z, or ignore it with --columns x,y,z --rate HZ"
    case .constant(let path, let samples):
      "\(path): all \(samples) samples are the same: the sensor was stuck, or the columns are wrong; check the sensor and"
        + " record again, or select the columns with --columns t,x,y,z"
    case .otherFormat(let path, let asked, let found):
      "\(path): is not in the format \(asked) but \(found == "no dump" ? "looks like text" : "in \(found)"); omit"
        + " --input-format"
    case .damagedDump(let path, let kind, let reason):
      "\(path): is \(kind), but \(reason); copy it again from the device"
    default: ""
    }
  }

  /// A size of any order.
  private static func text(_ size: Double) -> String {
    size < 1e15 ? UnitGuess.text(size) : "\(Float(size))"
  }

  /// The first dozen names.
  private static func list(_ names: [String]) -> String {
    names.isEmpty ? "no names" : names.prefix(12).joined(separator: ", ") + (names.count > 12 ? ", …" : "")
  }

  /// The C library's words for an error number.
  package static func text(_ code: Int32) -> String {
    let words = systemText(code)
    return words.prefix(1).lowercased() + words.dropFirst()
  }
}
