import Platform

/// Why a recording, or its rest, cannot be read: compare ``code``, and show ``message``.
///
///     do { while try reader.read(into: &samples) { … } } catch {
///       if error.code == .noTimestamps { askForSamplingFrequency() } else { print(error.message) }
///     }
public struct RecordingError: Error, Sendable, Hashable {
  /// The cause. Later versions may add others.
  public struct Code: Sendable, Hashable {
    let name: String
    /// `open(2)` failed; see ``RecordingError/errno``.
    public static let cannotOpen = Code(name: "cannotOpen")
    /// The path names a directory.
    public static let isDirectory = Code(name: "isDirectory")
    /// `read(2)` failed; see ``RecordingError/errno``.
    public static let readFailed = Code(name: "readFailed")
    /// Not one byte.
    public static let empty = Code(name: "empty")
    /// Column names, and nothing below them.
    public static let headerOnly = Code(name: "headerOnly")
    /// A byte that is in no text, and no dump or archive that is known.
    public static let notText = Code(name: "notText")
    /// A byte order mark of UTF-16 or UTF-32.
    public static let wideCharacters = Code(name: "wideCharacters")
    /// No line has a number for each of three axes.
    public static let tooFewColumns = Code(name: "tooFewColumns")
    /// The column names name no three axes of one accelerometer.
    public static let noAxes = Code(name: "noAxes")
    /// Three axes, but no time, and no sampling frequency was stated.
    public static let noTimestamps = Code(name: "noTimestamps")
    /// A column that was asked for is not there.
    public static let unknownColumn = Code(name: "unknownColumn")
    /// Three or four columns have to be asked for.
    public static let wrongNumberOfColumns = Code(name: "wrongNumberOfColumns")
    /// The window names a moment of the calendar, the recording does not.
    public static let windowNeedsAbsoluteTime = Code(name: "windowNeedsAbsoluteTime")
    /// Rows there are, but none is good.
    public static let noGoodRow = Code(name: "noGoodRow")
    /// The acceleration has a size, at rest or in motion, that no known unit gives it.
    public static let unknownUnit = Code(name: "unknownUnit")
    /// Samples come more seldom than steps can be counted in, or more often than a sensor gives them.
    public static let implausibleRate = Code(name: "implausibleRate")
    /// The times rise by 1 from 0 or 1, and nothing says whether they are seconds or row numbers.
    public static let ambiguousTimes = Code(name: "ambiguousTimes")
    /// The compressed data is damaged before the first byte of text.
    public static let damagedGzip = Code(name: "damagedGzip")
    /// An archive of which nothing can be read.
    public static let damagedArchive = Code(name: "damagedArchive")
    /// A dump of which nothing can be understood.
    public static let damagedDump = Code(name: "damagedDump")
    /// Most rows gave no sample.
    public static let mostRowsSkipped = Code(name: "mostRowsSkipped")
    /// Most samples lie more than a second apart.
    public static let scattered = Code(name: "scattered")
    /// All samples are the same.
    public static let constant = Code(name: "constant")
    /// It is not in the format that was asked for.
    public static let otherFormat = Code(name: "otherFormat")
    /// An archive of several recordings, of which one has to be named; see ``RecordingError/names``.
    public static let severalRecordings = Code(name: "severalRecordings")
  }

  /// What kind of trouble it is.
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

  /// The cause.
  public let code: Code
  /// What kind of trouble it is.
  public let kind: Kind
  /// One sentence: the file, the place, what is wrong and the remedy.
  public let message: String
  /// The system's error number, for ``Code/cannotOpen`` and ``Code/readFailed``.
  public let errno: Int32?
  /// The line that shows it, from 1, where one does.
  public let line: Int?
  /// The columns or recordings that there are, where one of them has to be named.
  public let names: [String]

  private init(
    _ code: Code, _ message: String, kind: Kind = .badData, errno: Int32? = nil, line: Int? = nil,
    names: [String] = []
  ) {
    (self.code, self.kind, self.message) = (code, kind, message)
    (self.errno, self.line, self.names) = (errno, line, names)
  }
}

extension RecordingError: CustomStringConvertible {
  public var description: String { message }
}

// MARK: - the system

extension RecordingError {
  package static func cannotOpen(path: String, errno code: Int32) -> Self {
    switch code {
    case EACCES, EPERM:
      Self(.cannotOpen, "\(path): \(text(code)); ask its owner for read permission", kind: .permission, errno: code)
    case ENOENT, ENOTDIR, ELOOP, ENAMETOOLONG, ENXIO, ENODEV, EISDIR:
      Self(.cannotOpen, "\(path): \(text(code)); check the name", kind: .noInput, errno: code)
    default: Self(.cannotOpen, "\(path): cannot be opened: \(text(code))", kind: .io, errno: code)
    }
  }

  package static func isDirectory(path: String) -> Self {
    Self(.isDirectory, "\(path): is a directory; name the files in it, as \(path)/*.csv", kind: .noInput)
  }

  /// - Parameter byte: how many bytes were read before.
  package static func readFailed(path: String, byte: Int, errno code: Int32) -> Self {
    Self(
      .readFailed,
      byte == 0
        ? "\(path): cannot be read: \(text(code)); give a file or a pipe"
        : "\(path): reading failed at byte \(byte): \(text(code)); what came before was read",
      kind: code == EISDIR ? .noInput : .io, errno: code)
  }
}

// MARK: - what the caller has to say

extension RecordingError {
  package static func unknownColumn(path: String, name: String, names: [String]) -> Self {
    Self(
      .unknownColumn, "\(path): has no column '\(name)'; it has \(list(names)); by number they count from 1",
      kind: .usage, names: names)
  }

  package static func wrongNumberOfColumns(_ count: Int) -> Self {
    Self(
      .wrongNumberOfColumns, "\(count) columns were named; name four (time, x, y, z) or three (x, y, z)", kind: .usage)
  }

  package static func windowNeedsAbsoluteTime(path: String) -> Self {
    Self(
      .windowNeedsAbsoluteTime,
      "\(path): has no dates to compare the start or end with; give seconds from its first sample", kind: .usage)
  }

  package static func noTimestamps(path: String, line: Int) -> Self {
    Self(
      .noTimestamps,
      "\(path): line \(line): three axes, but no timestamps; state the sampling frequency with --rate, or the columns"
        + " with --columns t,x,y,z", kind: .usage, line: line)
  }

  package static func severalRecordings(path: String, names: [String]) -> Self {
    Self(
      .severalRecordings, "\(path): holds \(names.count) recordings (\(list(names))); say which with --entry NAME",
      kind: .usage, names: names)
  }
}

// MARK: - what the recording is

extension RecordingError {
  package static func empty(path: String) -> Self {
    Self(.empty, "\(path): is empty; look at what was to write it, and record again")
  }

  package static func headerOnly(path: String, line: Int) -> Self {
    Self(
      .headerOnly, "\(path): ends after its header in line \(line), without a sample; record or export it again",
      line: line)
  }

  /// - Parameters:
  ///   - byte: where the byte of this value stands.
  ///   - looksLike: the kind of file, where its first bytes tell.
  package static func notText(path: String, byte: Int, value: UInt8, looksLike: String?) -> Self {
    Self(
      .notText,
      looksLike.map { "\(path): is \($0); unpack or export it as CSV first" }
        ?? "\(path): byte \(byte) is 0x\(String(value, radix: 16)), so it is neither text nor a dump or archive that is known; give CSV or JSON Lines"
    )
  }

  package static func wideCharacters(path: String, encoding: String) -> Self {
    Self(
      .wideCharacters, "\(path): is text in \(encoding); convert it: iconv -f \(encoding) -t UTF-8 \(path)")
  }

  /// - Parameters:
  ///   - line: the first line that has as many numbers as any.
  ///   - found: how many these are.
  package static func tooFewColumns(path: String, line: Int, found: Int) -> Self {
    Self(
      .tooFewColumns,
      found == 0
        ? "\(path): no column of numbers in any line up to \(line); a recording has t,x,y,z in each line"
        : "\(path): line \(line) has \(found) number\(found == 1 ? "" : "s"), none has more; a sample takes x, y and z,"
          + " and a time", line: line)
  }

  package static func noAxes(path: String, line: Int, names: [String]) -> Self {
    Self(
      .noAxes,
      "\(path): line \(line) names no three axes of an accelerometer (\(list(names))); say which with --columns t,x,y,z",
      line: line, names: names)
  }

  /// - Parameters:
  ///   - reason: the most frequent one.
  ///   - line: its first line.
  package static func noGoodRow(path: String, reason: SkipReason, line: Int) -> Self {
    Self(.noGoodRow, "\(path): no row is good: \(reason.first(line)); \(reason.remedy)", line: line)
  }

  package static func unknownUnit(path: String, size: Double) -> Self {
    Self(
      .unknownUnit,
      "\(path): the acceleration is \(size < 1e15 ? UnitGuess.text(size) : "\(Float(size))") in size, which is no known"
        + " unit's; state the unit with --units raw=COUNTS, or the right columns with --columns t,x,y,z")
  }

  /// - Parameter rate: samples in a second.
  package static func implausibleRate(path: String, line: Int, rate: String) -> Self {
    Self(
      .implausibleRate,
      "\(path): from line \(line) on there are \(rate) samples a second, and steps can be counted from 5 to 100000; name"
        + " the right columns with --columns t,x,y,z, or leave out the times with --columns x,y,z --rate HZ", line: line
    )
  }

  package static func ambiguousTimes(path: String, line: Int) -> Self {
    Self(
      .ambiguousTimes,
      "\(path): from line \(line) on the times rise by 1: seconds (1 sample a second, too slow to count) or row numbers:"
        + " give --rate HZ", line: line)
  }

  package static func damagedGzip(path: String, byte: Int) -> Self {
    Self(
      .damagedGzip,
      "\(path): the compressed data is damaged at byte \(byte), before any text; copy it again from where it came")
  }

  package static func damagedArchive(path: String, reason: String) -> Self {
    Self(
      .damagedArchive, "\(path): nothing in the archive can be read: \(reason); copy it again from where it came")
  }

  /// - Parameter kind: what it is.
  package static func damagedDump(path: String, kind: String, reason: String) -> Self {
    Self(.damagedDump, "\(path): is \(kind), but \(reason); copy it again from the device")
  }

  /// - Parameters:
  ///   - reason: that of most of them.
  ///   - line: the first of these.
  package static func mostRowsSkipped(path: String, skipped: Int, rows: Int, reason: SkipReason, line: Int) -> Self {
    Self(
      .mostRowsSkipped,
      "\(path): \(skipped) of \(rows) rows gave no sample: \(reason.first(line)); \(reason.remedy)", line: line)
  }

  package static func scattered(path: String, gaps: Int, samples: Int) -> Self {
    Self(
      .scattered,
      "\(path): \(gaps) of \(samples) samples lie more than a second apart: the times are another column, change what they count, or hold no walk; name the right time with --columns t,x,y,z, or"
        + " leave it out with --columns x,y,z --rate HZ")
  }

  package static func constant(path: String, samples: Int) -> Self {
    Self(
      .constant,
      "\(path): all \(samples) samples are the same: the sensor was stuck, or other columns are meant; look at it and record"
        + " again, or name the columns with --columns t,x,y,z")
  }

  package static func otherFormat(path: String, asked: String, found: String) -> Self {
    Self(
      .otherFormat,
      "\(path): is not in the format \(asked) but \(found == "no dump" ? "seems to be text" : "in \(found)"); leave out"
        + " --input-format")
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
