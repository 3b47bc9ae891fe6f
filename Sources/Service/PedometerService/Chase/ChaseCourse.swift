import ChaseEngine
import JSONLines

/// The gap to Nessie over the time of one chase, in no more points than a picture of it needs, however long it takes.
struct ChaseCourse {
  private var points: [(time: Duration, gap: Double)] = []
  private var interval = Duration.milliseconds(500)
  private var isOver = false

  private static let limit = 240

  /// Takes the figures of an instant; the last one before the end always counts.
  mutating func add(_ frame: ChaseFrame) {
    isOver = frame.state == .completed || frame.state == .caught
    if let last = points.last {
      guard frame.elapsed >= last.time + interval || isOver else { return }
      // The end is one point, however often it is told.
      if frame.elapsed == last.time { points.removeLast() }
    }
    points.append((frame.elapsed, max(0, frame.gap)))
    guard points.count > Self.limit else { return }
    points = points.enumerated().filter { $0.offset.isMultiple(of: 2) }.map(\.element)
    interval *= 2
  }

  /// Seconds in progress without pauses, and metres; `nil` before the end.
  var json: JSONLine? {
    guard isOver else { return nil }
    return JSONLine(["t": points.map { $0.time / .seconds(1) }.decimals(2), "gap": points.map(\.gap).decimals(2)])
  }
}
