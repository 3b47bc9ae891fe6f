import Accelerometry
import Platform

/// Finds rows that are in a recording twice: a file that was appended to itself, or a transfer that was resumed too early.
///
/// It remembers one row a second. Where the clock goes back to a time that was recorded, the rows from there on are a copy as
/// long as those rows return exactly, and three of them have. A walk that begins at zero again has other values. Of the latest rows it
/// remembers all: a packet that was sent twice is shorter than a second.
struct CopyWatch {
  enum Answer {
    case pass
    /// It is a copy, or not yet known.
    case keep
    /// The rows that were held are no copy.
    case release([RecordedRow])
  }

  private static let spacing: Int64 = 1_000_000_000
  /// A day and a half.
  private static let mostMarks = 1 << 17
  private static let mostHeld = 1 << 14
  private static let matchesNeeded = 3

  private static let longestTail = 1024

  private var marks: [(time: Int64, acceleration: SIMD3<Float>)] = []
  /// The samples that were accepted last.
  private var tail: [AccelerationSample] = []
  private var held: [RecordedRow] = []
  private var matches = 0
  private var latest: Int64 = 0
  private var isCopying = false
  private(set) var copies: RecordingSummary.Skipped?

  /// Whether rows are being compared or left out, so that each has to be shown.
  var isActive: Bool { isCopying || !held.isEmpty }

  /// Remembers samples that were accepted, a few a second.
  /// - Parameter offset: how far they are ahead of the recording's timestamps.
  mutating func remember(_ samples: ArraySlice<AccelerationSample>, offset: Int64) {
    tail += samples.suffix(Self.longestTail)
    if tail.count > 2 * Self.longestTail { tail.removeFirst(tail.count - Self.longestTail) }
    guard marks.count < Self.mostMarks, !samples.isEmpty else { return }
    var (place, stride) = (samples.startIndex, 1)
    while place < samples.endIndex {
      let time = samples[place].nanoseconds &- offset
      if let last = marks.last, time &- last.time < Self.spacing, time > last.time {
        // Far ahead while it is too early, and back to the first that is not.
        let ahead = place + stride
        let isEarly = ahead < samples.endIndex && samples[ahead].nanoseconds &- offset &- last.time < Self.spacing
        if isEarly { (place, stride) = (ahead, stride * 2) } else if stride > 1 { stride = 1 } else { place += 1 }
      } else {
        if marks.last.map({ time > $0.time }) ?? true { marks.append((time, samples[place].acceleration)) }
        (place, stride) = (place + 1, 1)
      }
    }
  }

  /// The clock goes back by less than a second: whether one of the latest rows returns, which is then left out as a copy.
  /// - Parameter samples: those that were accepted last.
  mutating func repeats(_ row: RecordedRow, among samples: [AccelerationSample], offset: Int64) -> Bool {
    let time = row.nanoseconds &+ offset
    let isAmong = { (rows: [AccelerationSample]) in
      rows.last { $0.nanoseconds <= time }.map { $0.nanoseconds == time && $0.acceleration == row.acceleration }
    }
    guard isAmong(samples) ?? isAmong(tail) ?? false else { return false }
    copies = RecordingSummary.Skipped(count: (copies?.count ?? 0) + 1, firstLine: copies?.firstLine ?? row.line)
    return true
  }

  /// The clock goes back: whether the rows from here on may be a copy. They are then shown to ``take(_:last:)``.
  mutating func suspects(_ row: RecordedRow, last: Int64) -> Bool {
    guard let first = marks.first, row.nanoseconds >= first.time, row.nanoseconds <= last else { return false }
    (held, matches, latest) = ([row], 0, row.nanoseconds)
    compare(row)
    return matches > 0 || next(after: row.nanoseconds) != nil
  }

  /// Takes the next row.
  /// - Parameter last: the latest time before the clock went back.
  mutating func take(_ row: RecordedRow, last: Int64) -> Answer {
    defer { latest = row.nanoseconds }
    if row.nanoseconds > last, matches > 0 {
      confirm()
      (isCopying, matches) = (false, 0)
      return .pass
    }
    if row.nanoseconds <= latest, isCopying {
      // Another copy, whose first row is one of those that are remembered.
      confirm()
      isCopying = false
      return suspects(row, last: last) ? .keep : .release([row])
    }
    let missed = next(after: latest).map { $0 < row.nanoseconds } ?? false
    held.append(row)
    let known = matches
    guard row.nanoseconds > latest, row.nanoseconds <= last, !missed, held.count <= Self.mostHeld, compare(row) else {
      (isCopying, matches) = (false, 0)
      return .release(release())
    }
    // The rows between two that are remembered are as these.
    if matches > known, matches >= Self.matchesNeeded { confirm() }
    return .keep
  }

  /// The recording ends.
  /// - Returns: held rows that are no copy.
  mutating func finish() -> [RecordedRow] {
    if matches > 0, !held.isEmpty { confirm() }
    return release()
  }

  private mutating func confirm() {
    isCopying = true
    guard let first = held.first else { return }
    copies = RecordingSummary.Skipped(
      count: (copies?.count ?? 0) + held.count, firstLine: copies?.firstLine ?? first.line)
    held = []
  }

  private mutating func release() -> [RecordedRow] {
    defer { held = [] }
    return held
  }

  /// Compares a row with the one that was remembered at its time, if there is one.
  /// - Returns: whether it does not differ.
  @discardableResult
  private mutating func compare(_ row: RecordedRow) -> Bool {
    let place = self.place(of: row.nanoseconds)
    guard place < marks.count, marks[place].time == row.nanoseconds else { return true }
    guard marks[place].acceleration == row.acceleration else { return false }
    matches += 1
    return true
  }

  private func next(after time: Int64) -> Int64? {
    let place = self.place(of: time &+ 1)
    return place < marks.count ? marks[place].time : nil
  }

  /// The first mark that is not before a time.
  private func place(of time: Int64) -> Int { marks.firstPlace { $0.time >= time } }
}
