/// The lower edge of a set of arrivals: the earliest time at which data that a device sent at its time `x` could arrive.
///
/// Arrivals are delayed by the end of a USB packet, a latency timer or the reader, and are never early. The estimate is
/// therefore not their mean but their lower edge: the edge of the lower convex hull over the middle of the times, which
/// is the line below all arrivals that lies closest to them (Moon, Skelly and Towsley, "Estimation and removal of clock
/// skew from network delay measurements", INFOCOM 1999; by the hull, Zhang, Liu and Xia, "Clock synchronization
/// algorithms for network measurements", INFOCOM 2002).
///
/// Arrivals are added in order, so the hull is a stack and an arrival costs amortised constant time. Only the last
/// ``window`` is kept, of which few arrivals are on the hull.
package struct ArrivalLine: Sendable {
  /// Seconds of arrivals that are kept.
  static let window = 60.0
  /// The maximum number of vertices of the hull.
  private static let mostCorners = 128

  /// A device time and the arrival time, both in seconds.
  private struct Arrival {
    var x: Double
    var y: Double
  }

  private var hull: [Arrival] = []

  package init() {}

  /// Seconds of device time between the first arrival and the last.
  package var span: Double { hull.count < 2 ? 0 : hull[hull.count - 1].x - hull[0].x }

  /// Seconds between the first arrival and the last.
  package var arrivalSpan: Double { hull.count < 2 ? 0 : hull[hull.count - 1].y - hull[0].y }

  /// Adds an arrival. An arrival that is not later than the previous one on the device's clock is ignored.
  package mutating func add(x: Double, y: Double) {
    let new = Arrival(x: x, y: y)
    if let last = hull.last, last.x >= x { return }
    while hull.count >= 2, Self.isAbove(hull[hull.count - 1], from: hull[hull.count - 2], to: new) { hull.removeLast() }
    hull.append(new)
    while hull.count > 2, hull.count > Self.mostCorners || x - hull[1].x > Self.window { hull.removeFirst() }
  }

  /// The edge over the middle of the times: a point on it, and seconds of arrival per second of the device; `nil` with
  /// fewer than two arrivals.
  package var edge: (x: Double, y: Double, slope: Double)? {
    guard hull.count >= 2 else { return nil }
    let middle = (hull[0].x + hull[hull.count - 1].x) / 2
    let end = hull.firstIndex { $0.x > middle } ?? hull.count - 1
    let (a, b) = (hull[end - 1], hull[end])
    return (a.x, a.y, (b.y - a.y) / (b.x - a.x))
  }

  /// The smallest distance of an arrival above the line through the origin with this slope.
  package func offset(ofSlope slope: Double) -> Double? { hull.lazy.map { $0.y - slope * $0.x }.min() }

  private static func isAbove(_ b: Arrival, from a: Arrival, to c: Arrival) -> Bool {
    (b.x - a.x) * (c.y - a.y) <= (b.y - a.y) * (c.x - a.x)
  }
}
