import FoundationEssentials
import LinuxSensors
import Pedometry

/// A total of another program: of steps, or of floors. Decoding fails for a number that nobody walks, so that sums do not
/// overflow.
struct ServiceTotal: Decodable {
  let steps: Int

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    steps = try container.decode(Int.self)
    guard (0...1_000_000_000_000).contains(steps) else {
      throw DecodingError.dataCorruptedError(in: container, debugDescription: "not a total")
    }
  }
}

/// Turns the lines of a running service into readings, as of a hardware step counter.
///
/// A pure value that takes lines and their arrival times. Lines contain the service's totals since its start, so a
/// missed line costs nothing, and a restarted service begins at zero again. The consumer computes the distance, with
/// the walker's own step length.
struct ServiceTotals: Sendable {
  /// The used part of a line of `/api/live`.
  private struct Line: Decodable {
    var type: String
    var steps: ServiceTotal?
    var confirmed: Bool?
    var source: String?
    var floorsAscended: ServiceTotal?
    var floorsDescended: ServiceTotal?
  }

  /// A total of the service, and its growth since reading began.
  private struct Growth {
    private var latest: Int?
    private(set) var total = 0

    /// Takes the service's total: the first is the zero point, and a smaller one is that of a restarted service.
    /// - Returns: the growth since the zero point.
    mutating func take(_ value: ServiceTotal) -> Int {
      total += ServiceTotals.growth(from: &latest, to: value.steps)
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
    guard line.type == "data" || (line.type == "step" && line.confirmed == true), let steps = line.steps?.steps,
      isOurs(line)
    else { return nil }
    let new = latest == nil && line.type == "step" ? 1 : Self.growth(from: &latest, to: steps)
    latest = latest ?? steps
    total += new
    var reading = StepCounterReading(
      nanoseconds: nanoseconds, register: UInt64(clamping: steps), steps: total, newSteps: new)
    if let up = line.floorsAscended, let down = line.floorsDescended {
      hasFloors = true
      _ = (ascended.take(up), descended.take(down))
    }
    if hasFloors { (reading.floorsAscended, reading.floorsDescended) = (ascended.total, descended.total) }
    return reading
  }

  /// The growth of a total, which is less after a restart of the service, or a correction.
  private static func growth(from latest: inout Int?, to total: Int) -> Int {
    guard let former = latest else {
      latest = total
      return 0
    }
    if total < former {
      switch CountFall(from: Double(former), to: Double(total)) {
      case .correction: return 0
      case .restart:
        latest = total
        return total
      case .unclear: break
      }
    }
    latest = total
    return max(0, total - former)
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
