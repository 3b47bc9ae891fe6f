import IIOScans
import Platform
import SourceNames

// MARK: - System errors

extension RecordingError {
  package static func cannotOpen(path: String, errno code: Int32) -> Self {
    switch code {
    case EACCES, EPERM:
      return Self(.cannotOpen, path, text(code), "; ask its owner for read permission", kind: .permission, errno: code)
    case ENOENT, ENOTDIR, ELOOP, ENAMETOOLONG, ENXIO, ENODEV, EISDIR:
      let name = path.contains("\u{FFFD}") ? "check the name, or rename the file in UTF-8" : "check the name"
      let remedy = SourceURI.remedy(forAbsent: path) ?? name
      return Self(.cannotOpen, path, "\(text(code)); \(remedy)", kind: .noInput, errno: code)
    default: return Self(.cannotOpen, path, "cannot be opened: \(text(code))", kind: .io, errno: code)
    }
  }

  package static func isDirectory(path: String) -> Self {
    Self(
      .isDirectory, path,
      "is a directory; give the files in it, such as \(path)\(path.hasSuffix("/") ? "" : "/")*.csv, or analyse all with",
      " 'pedometer study'", kind: .noInput)
  }

  package static func readFailed(path: String, byte: Int, errno code: Int32) -> Self {
    let failure = byte == 0 ? "cannot be read" : "reading failed at byte \(byte)"
    let rest = byte == 0 ? "give a file or a pipe" : "the data before it was read"
    let kind = code == EISDIR ? Kind.noInput : .io
    return Self(.readFailed, path, "\(failure): \(text(code)); \(rest)", kind: kind, errno: code)
  }
}

// MARK: - Missing or invalid options

extension RecordingError {
  package static func unknownColumn(path: String, name: String, names: [String]) -> Self {
    let columns = names.isEmpty ? "numbered from 1" : "\(list(names)), or numbers from 1"
    return Self(.unknownColumn, path, "has no column '\(name)'; its columns are \(columns)", names: names)
  }

  static func ambiguousColumn(path: String, name: String, count: Int, columns: String) -> Self {
    Self(
      .ambiguousColumn, path, "has \(count) columns '\(name)'; select columns by their numbers, such as",
      " \(option: .columns) \(columns)")
  }

  package static func unknownDevice(path: String, name: String, names: [String]) -> Self {
    let rows =
      names.isEmpty
      ? "only tables and JSON Lines with a column of names have any; read it without \(option: .deviceOfRows)"
      : "its rows name \(list(names))"
    return Self(.unknownDevice, path, "has no rows of '\(name)'; \(rows)", names: names)
  }

  package static func wrongNumberOfColumns(_ count: Int) -> Self {
    Self(.wrongNumberOfColumns, nil, "\(count) columns were given; give four (time, x, y, z) or three (x, y, z)")
  }

  package static func windowNeedsAbsoluteTime(path: String) -> Self {
    Self(.windowNeedsAbsoluteTime, path, "has no dates; give the start or end in seconds from its first sample")
  }

  package static func noTimestamps(path: String, line: Int, mayHaveTime: Bool = true) -> Self {
    Self(
      .noTimestamps, path, "line \(line) has three axes, but no timestamps; state the sampling frequency with",
      " \(option: .rate)" + (mayHaveTime ? ", or the columns with \(option: .timeAndAxes)" : ""), line: line)
  }

  package static func severalRecordings(path: String, names: [String]) -> Self {
    Self(
      .severalRecordings, path, "contains \(names.count) recordings (\(list(names))); select one with",
      " \(option: .entry)", names: names)
  }

  /// The error of a file in an archive. What an archive in it contains cannot be selected.
  func within(_ archive: ArchiveStream) -> Self {
    if code != .severalRecordings || archive.isBare || names.isEmpty { return self }
    let sentence = "contains an archive with \(names.count) recordings (\(Self.list(names))); unpack it"
    return Self(.severalRecordings, archive.path, sentence, kind: .badData)
  }

  package static func unknownEntry(path: String, name: String, names: [String]) -> Self {
    let remedy = names.isEmpty ? "omit \(option: .entry)" : "its files are \(list(names))"
    return Self(.unknownEntry, path, "has no file '\(name)'; \(remedy)", names: names)
  }
}

// MARK: - Content

extension RecordingError {
  package static func empty(path: String) -> Self {
    Self(.empty, path, "is empty; check the program that wrote it, and record again")
  }

  package static func cutJSON(path: String) -> Self {
    Self(
      .noSample, path, "ends in the middle of a JSON value, so nothing of it can be read; copy or export the whole",
      " file again")
  }

  package static func longJSON(path: String) -> Self {
    Self(.noSample, path, "is one JSON value of more than 10 MB; write one object per line, or CSV")
  }

  package static func noSample(path: String) -> Self {
    Self(
      .noSample, path, "contains no sample with three recognisable axes of an accelerometer; export it as CSV with",
      " t,x,y,z in each line")
  }

  package static func rawScans(path: String) -> Self {
    Self(
      .rawScans, path, "contains raw scans of an IIO buffer, which have no header; name the device they came from",
      " with \(option: .device)")
  }

  package static func unreadableScans(path: String, reason: String) -> Self { Self(.unreadableScans, path, reason) }

  package static func headerOnly(path: String, line: Int) -> Self {
    Self(
      .headerOnly, path, "ends after its header in line \(line), without a sample; record or export it",
      " again", line: line)
  }

  package static func notText(path: String, byte: Int, value: UInt8, looksLike: String?) -> Self {
    if let looksLike { return Self(.notText, path, "is \(looksLike); unpack or export it as CSV first") }
    return Self(
      .notText, path, "byte \(byte) is 0x\(String(value, radix: 16)), so it is neither text nor a known binary",
      " format or archive; give CSV or JSON Lines, or name the device that raw scans came from with",
      " \(option: .device)")
  }

  static func statements(path: String, kind: String, remedy: String) -> Self {
    Self(.notText, path, "is \(kind); \(remedy)")
  }

  package static func withoutSamples(path: String, kind: String) -> Self {
    Self(.notText, path, "is \(kind) instead of a recording; give the file with the samples of the accelerometer")
  }

  package static func pointer(path: String) -> Self {
    Self(
      .notText, path, "is a pointer of Git LFS instead of the recording; fetch the recording in its repository: git",
      " lfs pull")
  }

  package static func companion(path: String) -> Self {
    let name = path.split(separator: "/").last.map(String.init) ?? path
    let other = name.hasPrefix("._") ? "give that file: \(name.dropFirst(2))" : "give that file"
    return Self(
      .notText, path, "is what macOS stores beside a file of the same name (AppleDouble), and has no samples; \(other)")
  }

  package static func wideCharacters(path: String, encoding: String) -> Self {
    Self(.wideCharacters, path, "is text in \(encoding); convert it: iconv -f \(encoding) -t UTF-8 \(path)")
  }

  package static func tooFewColumns(path: String, line: Int, found: Int) -> Self {
    if found > 0 {
      let numbers = "line \(line) has \(found) number\(found == 1 ? "" : "s"), and no line has more"
      return Self(.tooFewColumns, path, "\(numbers); \(needsFourNumbers)", line: line)
    }
    return Self(
      .tooFewColumns, path, "no column of numbers up to line \(line); a recording has t,x,y,z in each line, all axes",
      " in one row", line: line)
  }

  package static func twoAxes(path: String, line: Int) -> Self {
    Self(
      .tooFewColumns, path, "from line \(line) on there are a time and only two other columns of numbers; ",
      needsFourNumbers, line: line)
  }

  private static let needsFourNumbers =
    "a sample needs a time, x, y and z in one row; where each row has one axis, join the rows of a sample"

  static func packedRows(path: String, line: Int, _ packing: PackedRow) -> Self {
    switch packing {
    case .bytes(let example):
      Self(
        .tooFewColumns, path, "line \(line) has bytes in hexadecimal (\(example)) instead of numbers; decode them",
        " first, and write t,x,y,z in each line", line: line)
    case .cells(let count, let example):
      Self(
        .tooFewColumns, path, "line \(line) has \(count) values in one cell (\(example)), so a row has several",
        " samples; write each in its own row, as t,x,y,z", line: line)
    case .columns(let count, let example):
      Self(
        .tooFewColumns, path, "line \(line) names the axes \(count) times (\(example),…), for several samples or",
        " sensors in a row; write each sample in its own row, as t,x,y,z, or select one sensor with",
        " \(option: .timeAndAxes)", line: line)
    }
  }

  package static func noAxes(path: String, line: Int, names: [String]) -> Self {
    Self(
      .noAxes, path, "line \(line) does not name the three axes of an accelerometer (\(list(names))); select them",
      " with \(option: .timeAndAxes)", line: line, names: names)
  }

  package static func noGoodRow(path: String, reason: SkipReason, line: Int) -> Self {
    Self(.noGoodRow, path, "there is no valid row: \(reason.first(line)); \(reason.remedy)", line: line)
  }

  static func endless(path: String, bytes: Int, latest: String) -> Self {
    Self(
      .noGoodRow, path, "\(bytes < 1 << 20 ? "\(bytes >> 10) kB" : "\(bytes >> 20) MB") arrived without a sample, at",
      " last \(latest); each line of a recording has t,x,y,z; where it has other columns, select them with",
      " \(option: .timeAndAxes)")
  }

  package static func unknownUnit(path: String, size: Double) -> Self {
    Self(
      .unknownUnit, path, "the acceleration has a magnitude of",
      " \(size < 1e15 ? UnitGuess.text(size) : "\(Float(size))"), which matches no known unit; state the unit with",
      " \(option: .rawUnit), or the right columns with \(option: .timeAndAxes)")
  }

  static func changedUnit(path: String, _ change: UnitChange) -> Self { Self(.unknownUnit, path, change.sentence) }

  package static func implausibleRate(path: String, line: Int, rate: String) -> Self {
    Self(
      .implausibleRate, path, "from line \(line) on there are \(rate) samples a second, but counting needs 5 to",
      " 100000; select the right columns with \(option: .timeAndAxes), or ignore the times with \(option: .axes)",
      " \(option: .rate)", line: line)
  }

  static func unknownTimeUnit(path: String, line: Int, unit: String) -> Self {
    Self(
      .ambiguousTimes, path, "line \(line) states the unit '\(unit)' of the times, which is unknown; write the times",
      " in seconds, or state the sampling frequency with \(option: .rate)", line: line)
  }

  package static func ambiguousTimes(path: String, line: Int) -> Self {
    Self(
      .ambiguousTimes, path, "from line \(line) on the times rise by 1, so they are seconds (too slow to count) or",
      " row numbers; state the sampling frequency with \(option: .rate)", line: line)
  }

  package static func damagedGzip(path: String, byte: Int) -> Self {
    Self(
      .damagedGzip, path, "the compressed data is damaged at byte \(byte), before any text; copy it again from its",
      " source")
  }

  package static func damagedArchive(path: String, reason: String) -> Self {
    Self(.damagedArchive, path, "the archive cannot be read: \(reason); copy it again from its source")
  }

  package static func lockedArchive(path: String) -> Self {
    Self(.damagedArchive, path, "the archive has a password; unpack it with the password, and give the files in it")
  }

  package static func excessiveArchive(path: String) -> Self {
    Self(
      .damagedArchive, path, "it has more files, or many times more bytes when unpacked, than recordings and exports",
      " have; unpack it if you trust it, and give the file in it")
  }

  package static func damagedDump(path: String, kind: String, reason: String) -> Self {
    Self(.damagedDump, path, "is \(kind), but \(reason); copy it again from the device")
  }

  package static func mostRowsSkipped(path: String, skipped: Int, rows: Int, reason: SkipReason, line: Int) -> Self {
    Self(
      .mostRowsSkipped, path, "\(skipped) of \(rows) rows are unusable: \(reason.first(line));",
      " \(reason.remedy)", line: line)
  }

  package static func abridged(path: String, line: Int) -> Self {
    Self(
      .abridged, path, "line \(line) stands for rows that were left out when the table was printed; write all rows to",
      " a file as CSV, as pandas does with to_csv", line: line)
  }

  static func positions(path: String, line: Int, what: String) -> Self {
    Self(
      .positions, path, "line \(line) states \(what), so the values are positions instead of acceleration; give the",
      " recording of an accelerometer, or state the unit of the acceleration with \(option: .unit)", line: line)
  }

  package static func scattered(path: String, gaps: Int, samples: Int) -> Self {
    Self(
      .scattered, path, "\(gaps) of \(samples) samples are more than a second apart: the time column is wrong, its",
      " unit changes, or the samples are too sparse; select the right time with \(option: .timeAndAxes), or ignore it",
      " with \(option: .axes) \(option: .rate)")
  }

  package static func coarseTimes(path: String, resolution: Int64?) -> Self {
    let what =
      resolution.map { "the times have a resolution of \(UnitGuess.text(Double($0) / 1e9)) s" }
      ?? "hundreds of rows have the same timestamp"
    return Self(
      .coarseTimes, path, "\(what), as of a file that a spreadsheet has saved; state the sampling frequency with",
      " \(option: .rate)")
  }

  package static func disordered(path: String, rows: Int, line: Int) -> Self {
    Self(
      .disordered, path, "\(rows) rows are not in the order of their times, the first in line \(line); sort its rows",
      " by time", line: line)
  }

  package static func constant(path: String, samples: Int) -> Self {
    Self(
      .constant, path, "all \(samples) samples are the same: the sensor was stuck, or the columns are wrong; check",
      " the sensor and record again, or select the columns with \(option: .timeAndAxes)")
  }

  package static func activityCounts(path: String) -> Self {
    Self(
      .activityCounts, path, "no value is below zero, so these are activity counts or magnitudes instead of",
      " acceleration, or signed values written as unsigned numbers; export the raw samples of the sensor, or select",
      " other columns with \(option: .timeAndAxes)")
  }

  package static func epochs(path: String, line: Int, seconds: Int) -> Self {
    Self(
      .activityCounts, path, "line \(line) states an epoch of \(seconds) s, so these are activity counts instead of",
      " acceleration; export the raw samples of the sensor", line: line)
  }

  package static func doubtful(path: String, doubt: String) -> Self {
    Self(.doubtful, path, "no steps were found, but \(doubt)")
  }

  package static func otherFormat(path: String, asked: String, found: String) -> Self {
    let other = found == "no dump" ? "looks like text" : "in \(found)"
    return Self(.otherFormat, path, "is not in the format \(asked) but \(other); omit \(option: .format)")
  }

  /// The first dozen names.
  private static func list(_ names: [String]) -> String { names.isEmpty ? "no names" : names.listed(most: 12) }

  package static func text(_ code: Int32) -> String {
    let words = systemText(code)
    return words.prefix(1).lowercased() + words.dropFirst()
  }
}
