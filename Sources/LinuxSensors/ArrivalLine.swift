/// The line under a cloud of arrivals: when what a device sent at its time `x` could have come at the earliest.
///
/// Samples come late by what they wait for: the end of a USB packet, a latency timer, the reader. They never come early. So not
/// the mean of the arrivals is looked for, but their lower edge: the edge of the lower convex hull over the middle of the times,
/// which is the line under all arrivals that lies closest to them (Moon, Skelly and Towsley, "Estimation and removal of clock
/// skew from network delay measurements", INFOCOM 1999; by the hull, Zhang, Liu and Xia, "Clock synchronization algorithms for
/// network measurements", INFOCOM 2002).
///
/// Arrivals are added in their order, so the hull is a stack and an arrival costs constant time (amortised); the last
/// ``window`` is kept, in which few are on the hull.
package struct ArrivalLine: Sendable {
  /// Seconds of arrivals that are looked at.
  static let window = 60.0
  /// As many corners of the hull are kept at most.
  private static let mostCorners = 128

  /// A time of the device, and when what it sent then arrived, both in seconds.
  private struct Arrival {
    var x: Double
    var y: Double
  }

  private var hull: [Arrival] = []

  package init() {}

  /// Seconds of the device's time between the first arrival and the last.
  package var span: Double { hull.count < 2 ? 0 : hull[hull.count - 1].x - hull[0].x }

  /// Adds an arrival; one that is not later than the former on the device's clock is left out.
  package mutating func add(x: Double, y: Double) {
    let new = Arrival(x: x, y: y)
    if let last = hull.last, last.x >= x { return }
    while hull.count >= 2, Self.isAbove(hull[hull.count - 1], from: hull[hull.count - 2], to: new) { hull.removeLast() }
    hull.append(new)
    while hull.count > 2, hull.count > Self.mostCorners || x - hull[1].x > Self.window { hull.removeFirst() }
  }

  /// The edge over the middle of the times: a point on it, and seconds of arrival for each second of the device; `nil` of fewer
  /// than two arrivals.
  package var edge: (x: Double, y: Double, slope: Double)? {
    guard hull.count >= 2 else { return nil }
    let middle = (hull[0].x + hull[hull.count - 1].x) / 2
    let end = hull.firstIndex { $0.x > middle } ?? hull.count - 1
    let (a, b) = (hull[end - 1], hull[end])
    return (a.x, a.y, (b.y - a.y) / (b.x - a.x))
  }

  /// The height of the lowest arrival over a line through the origin of this slope.
  package func offset(ofSlope slope: Double) -> Double? { hull.lazy.map { $0.y - slope * $0.x }.min() }

  private static func isAbove(_ b: Arrival, from a: Arrival, to c: Arrival) -> Bool {
    (b.x - a.x) * (c.y - a.y) <= (b.y - a.y) * (c.x - a.x)
  }
}
