import FoundationEssentials
import LinuxSensors

/// Turns the lines of a running service into readings, as of a hardware step counter.
///
/// A pure value that takes lines and their arrival times. Lines contain the service's totals since its start, so a
/// missed line costs nothing, and a restarted service begins at zero again. The consumer computes the distance, with
/// the walker's own step length.
struct ServiceTotals: Sendable {
  /// The used part of a line of `/api/live`.
  private struct Line: Decodable {
    var type: String
    var steps: Int?
    var confirmed: Bool?
    var source: String?
    var floorsAscended: Int?
    var floorsDescended: Int?
  }

  /// A total of the service, and its growth since reading began.
  private struct Growth {
    private var latest: Int?
    private(set) var total = 0

    /// Takes the service's total: the first is the zero point, and a smaller one is that of a restarted service.
    /// - Returns: the growth since the zero point.
    mutating func take(_ value: Int) -> Int {
      if let latest { total += value >= latest ? value - latest : value }
      latest = value
      return total
    }
  }

  private var ascended = Growth()
  private var descended = Growth()
  private var hasFloors = false

  /// The source whose lines count; `nil` for the first that sends one.
  private var source: String?
  private var isSourceChosen = false
  private let wanted: String?
  /// The service's total at the latest line.
  private var latest: Int?
  /// The steps since reading began.
  private var total = 0

  /// Starts at zero.
  /// - Parameter source: the name of the wanted source; `nil` for any.
  init(source: String? = nil) { wanted = source }

  /// Whether a total of the service is known.
  var hasBegun: Bool { latest != nil }

  /// Takes the service's total before its first line: the zero point.
  mutating func begin(at steps: Int, _ nanoseconds: Int64) -> StepCounterReading {
    latest = steps
    return StepCounterReading(nanoseconds: nanoseconds, register: UInt64(clamping: steps), steps: total, newSteps: 0)
  }

  /// Takes a line.
  /// - Parameter nanoseconds: its arrival time.
  /// - Returns: `nil` for a line without steps of this source.
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
    var reading = StepCounterReading(
      nanoseconds: nanoseconds, register: UInt64(clamping: steps), steps: total, newSteps: new)
    if let up = line.floorsAscended, let down = line.floorsDescended {
      hasFloors = true
      _ = (ascended.take(up), descended.take(down))
    }
    if hasFloors { (reading.floorsAscended, reading.floorsDescended) = (ascended.total, descended.total) }
    return reading
  }

  /// With several sources, lines name their source.
  private mutating func isOurs(_ line: Line) -> Bool {
    if let wanted, let source = line.source { return source == wanted }
    // Lines of clients always name them, so this one is of the service's only sensor.
    if wanted?.hasPrefix("client:") == true { return false }
    if !isSourceChosen { (source, isSourceChosen) = (line.source, true) }
    return line.source == source
  }
}
