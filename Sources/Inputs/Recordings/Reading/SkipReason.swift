/// Why a row was skipped.
public enum SkipReason: String, Sendable, Hashable, CaseIterable {
  /// Text where a number should be.
  case notNumbers
  /// Fewer columns than the layout needs, or an empty one among them.
  case missingValues
  /// NaN or an infinity.
  case notFinite
  /// A timestamp that is unreadable or out of range.
  case badTimestamp
  /// The same timestamp as the previous row.
  case repeatedTimestamp
  /// A timestamp up to a second before the last one.
  case timeBackwards
  /// A single timestamp far from its neighbours.
  case timeOutlier
  /// The same value on all axes, which the sensor did not measure.
  case failedRead
  /// A byte of value zero.
  case nulByte
  /// A line of more than 64 KiB.
  case lineTooLong
  /// The recording ends within a line.
  case lastLineCutShort

  /// One sentence about all rows of a kind.
  func sentence(count: Int, firstLine: Int, isText: Bool = true) -> String {
    let row = isText ? "row" : "sample"
    let rows = count == 1 ? "1 \(row) was skipped" : "\(count) \(row)s were skipped"
    return "\(rows): \(first(firstLine, isText: isText))\(count == 1 ? "" : ", the first of them")"
  }

  /// The problem of a line, or of a part of a binary recording.
  func first(_ number: Int, isText: Bool = true) -> String {
    let line = isText ? "line \(number)" : "part \(number)"
    return what(isText ? "row" : "sample") + line
  }

  private func what(_ row: String) -> String {
    switch self {
    case .notNumbers: "text instead of numbers in "
    case .missingValues: "values missing in "
    case .notFinite: "not a finite number in "
    case .badTimestamp: "an unreadable timestamp in "
    case .repeatedTimestamp: "the same timestamp as the \(row) before in "
    case .timeBackwards: "time goes backwards in "
    case .timeOutlier: "a timestamp far from its neighbours in "
    case .failedRead: "the same value on all axes, as of a failed read, in "
    case .nulByte: "a NUL byte in "
    case .lineTooLong: "more than 64 KiB without a line break in "
    case .lastLineCutShort: "the recording ends in the middle of "
    }
  }

  /// The remedy if all rows have this problem.
  var remedy: String {
    switch self {
    case .badTimestamp:
      "write times as seconds, Unix time or ISO 8601, or ignore them with \(option: .axes) and"
        + " \(option: .rate)"
    case .timeBackwards, .timeOutlier:
      "sort its rows by time, or ignore the times with \(option: .axes) and \(option: .rate)"
    case .repeatedTimestamp:
      "select the right time with \(option: .timeAndAxes), or ignore it with \(option: .axes) and \(option: .rate)"
    case .lineTooLong: "a recording has one sample per line"
    default:
      "select the columns with \(option: .timeAndAxes), or, where each row has one axis, join the rows of a sample"
    }
  }
}
