import Accelerometry
import Platform

/// The samples that gait is measured on: those of open bouts, and of the time in which steps may still be confirmed.
struct SignalWindow: Sendable {
  private var samples: [AccelerationSample] = []

  mutating func add(_ new: Span<AccelerationSample>) {
    samples.reserveCapacity(samples.count + new.count)
    for index in new.indices { samples.append(new[index]) }
  }

  /// Forgets what is older, in large pieces.
  mutating func forget(before time: Int64) {
    let old = firstIndex(at: time)
    if old > 4096, old > samples.count / 2 { samples.removeFirst(old) }
  }

  private func firstIndex(at time: Int64) -> Int { samples.firstPlace { $0.nanoseconds >= time } }

  /// The three axes at equal distances, by linear interpolation; what lies before the first or after the last sample is like that one.
  /// - Parameters:
  ///   - start: the time of the first cell, in nanoseconds.
  ///   - cell: the distance in nanoseconds.
  /// - Returns: nothing without samples.
  func cells(from start: Int64, count: Int, cell: Int64) -> [SIMD4<Float>]? {
    guard let first = samples.first, let last = samples.last, samples.count > 1 else { return nil }
    var index = max(1, firstIndex(at: start))
    var cells: [SIMD4<Float>] = []
    cells.reserveCapacity(count)
    var time = start
    for _ in 0..<count {
      defer { time += cell }
      if time <= first.nanoseconds || time >= last.nanoseconds {
        cells.append(time <= first.nanoseconds ? first.lanes : last.lanes)
        continue
      }
      while samples[index].nanoseconds < time { index += 1 }
      let (a, b) = (samples[index - 1], samples[index])
      let length = b.nanoseconds - a.nanoseconds
      let part = length > 0 ? Float(time - a.nanoseconds) / Float(length) : 1
      cells.append(a.lanes + (b.lanes - a.lanes) * part)
    }
    return cells
  }
}
