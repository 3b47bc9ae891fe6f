/// The reason why a recording, or the rest of it, cannot be read. Compare ``code`` and show ``message``.
///
///     do { while try reader.read(into: &samples) { … } } catch {
///       if error.code == .noTimestamps { askForSamplingFrequency() } else { print(error.message) }
///     }
public struct RecordingError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The cause, which ``RecordingError/message`` explains. Later versions may add others.
  public enum Code: Sendable, Hashable {
    /// `open(2)` or `read(2)` failed, see ``RecordingError/errno``, or the path names a directory.
    case cannotOpen, readFailed, isDirectory
    /// There are no bytes, nothing like a sample, or only column names.
    case empty, noSample, headerOnly
    /// A byte that does not occur in text, in no supported binary format or archive; or a byte order mark of UTF-16 or UTF-32.
    case notText, wideCharacters
    /// No line has a number for each of three axes, or the names do not include three axes of one accelerometer.
    case tooFewColumns, noAxes
    /// Three axes, but no time, and no sampling frequency was given.
    case noTimestamps
    /// A requested column does not exist, or several have its name; or their number is not three or four.
    case unknownColumn, ambiguousColumn, wrongNumberOfColumns
    /// No row is of the requested device; see ``RecordingError/names``.
    case unknownDevice
    /// The window is a calendar time, but the recording has no dates.
    case windowNeedsAbsoluteTime
    /// No row is valid, or most are unusable.
    case noGoodRow, mostRowsSkipped
    /// The magnitude of the acceleration, at rest or in motion, matches no known unit.
    case unknownUnit
    /// The sampling frequency is too low to count steps, or higher than that of any sensor.
    case implausibleRate
    /// The times increase by 1 and may be seconds or row numbers, are rounded to several seconds or more, or are not in order.
    case ambiguousTimes, coarseTimes, disordered
    /// Compressed data is damaged before the first byte of text, or no part of an archive or of a binary recording can be read.
    case damagedGzip, damagedArchive, damagedDump
    /// A program has printed some of the rows of a table, and left out the others.
    case abridged
    /// Positions, or activity counts or magnitudes of epochs, instead of acceleration.
    case positions, activityCounts
    /// Most samples are more than a second apart, or all have the same acceleration.
    case scattered, constant
    /// No steps were found, and the unit, the times or the columns are in grave doubt.
    case doubtful
    /// The recording is not in the requested format.
    case otherFormat
    /// Raw scans of an IIO buffer without a description, or with one that is incomplete or does not match.
    case rawScans, unreadableScans
    /// An archive contains several recordings, or no file with the requested name; see ``RecordingError/names``.
    case severalRecordings, unknownEntry

    fileprivate var kind: Kind {
      switch self {
      case .noTimestamps, .unknownColumn, .ambiguousColumn, .wrongNumberOfColumns, .unknownDevice,
        .windowNeedsAbsoluteTime, .severalRecordings, .unknownEntry:
        .usage
      default: .badData
      }
    }
  }

  /// Categories of causes.
  public enum Kind: Sendable, Hashable, CaseIterable {
    /// The input does not exist.
    case noInput
    /// The input is invalid.
    case badData
    /// The system could not read the input.
    case io
    /// The user may not read the input.
    case permission
    /// An option is missing or invalid.
    case usage
  }

  /// The cause.
  public let code: Code
  /// The category of the cause.
  public let kind: Kind
  /// One sentence with the file, the position, the problem and the remedy.
  public let message: String
  /// The system's error number, for ``Code/cannotOpen`` and ``Code/readFailed``.
  public let errno: Int32?
  /// The line with the problem, from 1, if known.
  public let line: Int?
  /// The available columns or recordings, if one has to be selected.
  public let names: [String]

  /// - Parameters:
  ///   - path: the name of the recording, with which the message begins.
  ///   - sentence: the rest of the message, in parts.
  ///   - kind: `nil` for the usual one of the cause.
  init(
    _ code: Code, _ path: String?, _ sentence: String, _ rest: String..., kind: Kind? = nil, errno: Int32? = nil,
    line: Int? = nil, names: [String] = []
  ) {
    (self.code, self.kind) = (code, kind ?? code.kind)
    message = (path.map { "\($0): " } ?? "") + sentence + rest.joined()
    (self.errno, self.line, self.names) = (errno, line, names)
  }

  /// The error with the axes that were found, where it recommends to use axes alone.
  /// - Parameter axes: empty if the rows were rewritten, so that no option can name their columns.
  func naming(_ axes: String?) -> Self {
    guard let axes, axes != "x,y,z", message.contains("\(option: .axes)") else { return self }
    let text =
      axes.isEmpty
      ? message.replacing("\(option: .axes) and ", with: "").replacing("\(option: .axes) ", with: "")
      : message.replacing("\(option: .axes)", with: "\(option: .columns) \(axes)")
    return Self(code, nil, text, kind: kind, errno: errno, line: line, names: names)
  }

  /// The same error of a recording whose container is damaged: then its rows are not to be mended.
  func explained(by damage: String, path: String) -> Self {
    let start = path + ": "
    let sentence = message.hasPrefix(start) ? message.dropFirst(start.count) : message[...]
    // Behind the reason is the remedy.
    let reason = sentence.prefix { $0 != ";" }
    return Self(
      code, path, "\(damage), and \(reason); copy it again from its source", kind: kind, line: line, names: names)
  }

  public var description: String { message }
}
