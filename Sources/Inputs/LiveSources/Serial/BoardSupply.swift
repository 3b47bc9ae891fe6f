import Accelerometry
import LinuxSensors
import Recordings

final class KeptBytes: ByteSupply {
  private var bytes: ArraySlice<UInt8>
  init(_ bytes: ArraySlice<UInt8>) { self.bytes = bytes }
  func read(into target: UnsafeMutableRawBufferPointer) -> Int { unsafe bytes.move(to: target) }
}

/// The bytes received so far, followed by new ones, with their arrival times.
final class BoardSupply: ByteSupply {
  private let line: any TextChannel
  private let settings: BoardReader.Settings
  private var first: ArraySlice<UInt8>
  var stop: StopSignal?
  private(set) var wasStopped = false
  private(set) var failure: (any Error)?
  /// The number of lines at each arrival; only for lines without samples yet.
  private var marks: [(lines: Int, nanoseconds: Int64)] = []
  private var lines = 0
  private var heard: Int64
  private var unread: (bytes: Int, since: Int64)
  /// Whether data is arriving, so that a read need not wait.
  private var isFlowing = false
  private var hasRested = false
  /// The time with data but without samples that is an error, and how much data that is at least.
  private static let longestUnread: Int64 = 10_000_000_000
  private static let mostUnread = 16_384

  /// - Parameter arrivals: when the last complete lines of `first` arrived.
  init(_ line: any TextChannel, first: ArraySlice<UInt8>, _ settings: BoardReader.Settings, arrivals: [Int64]) {
    (self.line, self.first, self.settings) = (line, first, settings)
    heard = line.now
    unread = (first.count, heard)
    lines = first.count { $0 == 0x0A }
    for (index, arrival) in arrivals.enumerated() { marks.append((lines - (arrivals.count - 1 - index), arrival)) }
    if marks.isEmpty { marks = [(lines, heard)] }
  }

  func read(into target: UnsafeMutableRawBufferPointer) -> Int {
    if !first.isEmpty { return unsafe first.move(to: target) }
    guard failure == nil, !wasStopped, let stop else { return 0 }
    while true {
      // While data arrives, sleep and read instead of waking for each packet.
      if rest(until: stop) == .raised { return end() }
      if !isFlowing {
        switch line.wait(until: stop, atMost: remaining) {
        case .raised: return end()
        case .timedOut where line.now &- heard >= settings.silence.wholeNanoseconds:
          return fail(
            SensorError.silent(path: settings.name, after: settings.silence, remedy: settings.medium.awakening))
        case .timedOut: continue
        case .readable: break
        }
      }
      do throws(SensorError) {
        let wasFlowing = isFlowing
        let count = try unsafe line.read(into: target)
        // What fills the buffer is not waited for.
        (isFlowing, hasRested) = (count > 0, count == target.count)
        if count == 0 {
          // What made it readable was no data, and may go on.
          if !wasFlowing, line.rest(until: stop, for: settings.gathering) == .raised { return end() }
          continue
        }
        unsafe note(UnsafeRawBufferPointer(rebasing: target[..<count]))
        return failure == nil ? count : 0
      } catch {
        return fail(error)
      }
    }
  }

  /// Lets bytes accumulate, once between two reads.
  func rest(until stop: StopSignal) -> StopSignal.Outcome {
    guard isFlowing else { return .timedOut }
    if hasRested { return stop.wait(atMost: .zero) }
    hasRested = true
    return line.rest(until: stop, for: settings.gathering)
  }

  private var remaining: Duration {
    .nanoseconds(max(1_000_000, settings.silence.wholeNanoseconds - (line.now &- heard)))
  }

  private func end() -> Int {
    wasStopped = true
    return 0
  }

  private func fail(_ error: any Error) -> Int {
    failure = error
    return 0
  }

  private func note(_ bytes: UnsafeRawBufferPointer) {
    heard = line.now
    let more = unsafe bytes.count { $0 == 0x0A }
    lines += more
    if more > 0 { marks.append((lines, heard)) }
    unread.bytes += bytes.count
    if unread.bytes > Self.mostUnread, heard &- unread.since > Self.longestUnread {
      let text = unsafe BoardText.printable(Array(bytes.suffix(100))[...])
      failure = SensorError.nonsense(path: settings.name, text: text, expected: "a sample")
    }
  }

  func noteSamples() { unread = (0, heard) }

  /// The arrival of a line.
  /// - Parameter withMarks: whether to return the arrivals of earlier lines.
  func arrival(ofLine number: Int?, withMarks: Bool) -> (Int64, [BoardClock.Mark]) {
    guard let number else {
      marks.removeAll()
      return (heard, [])
    }
    let place = marks.firstIndex { $0.lines >= number } ?? marks.count
    let arrival = place < marks.count ? marks[place].nanoseconds : heard
    defer { marks.removeFirst(place) }
    guard withMarks else { return (arrival, []) }
    return (
      arrival, marks[..<place].map { BoardClock.Mark(rowsBefore: number - $0.lines, nanoseconds: $0.nanoseconds) }
    )
  }
}

extension ArraySlice<UInt8> {
  /// Moves as many bytes as fit.
  fileprivate mutating func move(to target: UnsafeMutableRawBufferPointer) -> Int {
    let count = Swift.min(self.count, target.count)
    unsafe target.copyBytes(from: prefix(count))
    removeFirst(count)
    return count
  }
}
