import FoundationEssentials
import LinuxSensors

/// Makes readings, as of a chip that counts, out of the lines that a running service sends.
///
/// Pure: lines and the times at which they came go in. Lines carry the service's own totals since it began, so a line that
/// was missed costs nothing, and a service that was started anew begins at zero again. Distance is left to the consumer:
/// it is made of steps by the walker's own step length.
struct ServiceTotals: Sendable {
  /// What is read of a line of `/api/live`.
  private struct Line: Decodable {
    var type: String
    var steps: Int?
    var confirmed: Bool?
    var source: String?
  }

  /// The source whose lines count; `nil`: the first that speaks.
  private var source: String?
  private var isSourceChosen = false
  private let wanted: String?
  /// The service's own number at the latest line.
  private var latest: Int?
  /// The steps since reading began.
  private var total = 0

  /// Begins at zero.
  /// - Parameter source: the name of the source that is wanted; `nil` for any.
  init(source: String? = nil) { wanted = source }

  /// Whether any number of the service's is known.
  var hasBegun: Bool { latest != nil }

  /// Takes the service's number as it stands before its first line: the zero point.
  mutating func begin(at steps: Int, _ nanoseconds: Int64) -> StepCounterReading {
    latest = steps
    return StepCounterReading(nanoseconds: nanoseconds, register: UInt64(clamping: steps), steps: total, newSteps: 0)
  }

  /// Takes a line.
  /// - Parameter nanoseconds: when it came.
  /// - Returns: `nil` for a line that says nothing of this source's steps.
  mutating func take(_ text: String, at nanoseconds: Int64) -> StepCounterReading? {
    guard let line = try? JSONDecoder().decode(Line.self, from: Data(text.utf8)) else { return nil }
    guard line.type == "data" || (line.type == "step" && line.confirmed == true), let steps = line.steps, isOurs(line)
    else { return nil }
    var new = 0
    if let latest {
      new = steps >= latest ? steps - latest : steps
    } else if line.type == "step" {
      new = 1
    }
    total += new
    latest = steps
    return StepCounterReading(
      nanoseconds: nanoseconds, register: UInt64(clamping: steps), steps: total, newSteps: new)
  }

  /// Where several sources count, their lines say whose they are.
  private mutating func isOurs(_ line: Line) -> Bool {
    if let wanted, let source = line.source { return source == wanted }
    if !isSourceChosen { (source, isSourceChosen) = (line.source, true) }
    return line.source == source
  }
}
