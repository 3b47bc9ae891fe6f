/// Why a row gave no sample.
public enum SkipReason: String, Sendable, Hashable, CaseIterable {
  /// Text where a number should be.
  case notNumbers
  /// Fewer columns than the layout needs, or an empty one among them.
  case missingValues
  /// NaN or an infinity.
  case notFinite
  /// A timestamp that cannot be read, or that no clock can show.
  case badTimestamp
  /// The timestamp of the row before, once more.
  case repeatedTimestamp
  /// A timestamp up to a second before the last one.
  case timeBackwards
  /// A single timestamp far away from those around it.
  case timeOutlier
  /// A byte of value zero.
  case nulByte
  /// A line of more than 64 KiB.
  case lineTooLong
  /// The recording ends within a line.
  case lastLineCutShort

  /// One sentence about all rows of a kind.
  func sentence(count: Int, firstLine: Int) -> String {
    let rows = count == 1 ? "1 row was skipped" : "\(count) rows were skipped"
    return "\(rows): \(first(firstLine))\(count == 1 ? "" : ", the first of them")"
  }

  /// What is wrong with a line.
  func first(_ line: Int) -> String {
    switch self {
    case .notNumbers: "text instead of numbers in line \(line)"
    case .missingValues: "values missing in line \(line)"
    case .notFinite: "not a finite number in line \(line)"
    case .badTimestamp: "an unreadable timestamp in line \(line)"
    case .repeatedTimestamp: "the timestamp of the row before in line \(line)"
    case .timeBackwards: "time goes backwards in line \(line)"
    case .timeOutlier: "a timestamp far away from its neighbours in line \(line)"
    case .nulByte: "a NUL byte in line \(line)"
    case .lineTooLong: "more than 64 KiB without a line break in line \(line)"
    case .lastLineCutShort: "the recording ends in the middle of line \(line)"
    }
  }

  /// What to do when it is wrong with all rows.
  var remedy: String {
    switch self {
    case .badTimestamp: "write seconds, Unix time or ISO 8601, or ignore them with --columns x,y,z and --rate"
    case .lineTooLong: "a recording has one sample a line"
    default: "say which columns to read with --columns t,x,y,z"
    }
  }
}
