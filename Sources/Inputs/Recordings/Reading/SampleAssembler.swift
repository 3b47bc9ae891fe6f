import Accelerometry
import CDigitMask

/// A row with its timestamp, as in the recording, and its acceleration in g.
struct RecordedRow {
  var nanoseconds: Int64
  var acceleration: SIMD3<Float>
  var line: Int

  func moved(to time: Int64) -> Self { Self(nanoseconds: time, acceleration: acceleration, line: line) }
}

/// Creates a monotonic timeline from timestamps, and counts losses.
///
/// A timestamp up to a second ahead is the next sample. Repeats and short steps back are skipped. A timestamp further
/// away waits for its successor. If that continues from before, the timestamp was an outlier. If it continues from the
/// new time, there was a pause, or the clock was set and the timeline continues directly after the previous sample.
struct SampleAssembler {
  /// Longer steps are pauses, in nanoseconds.
  static let longestStep: Int64 = 1_000_000_000
  /// A longer step forward, in nanoseconds, means that the clock was set: recordings do not pause for a month.
  static let longestPause: Int64 = 31 * 86_400 * 1_000_000_000

  var summary: RecordingSummary
  /// The last accepted timestamp, as in the recording.
  private(set) var last: Int64 = 0
  /// The difference between the timeline and the recording's timestamps.
  private(set) var offset: Int64 = 0
  private(set) var isPastEnd = false
  private var hasStarted = false
  private var period: Int64
  private var waiting: RecordedRow?
  private var copyWatch = CopyWatch()
  /// Consecutive samples that each follow a pause.
  private var gapsInSuccession = 0
  /// The latest time before the clock went back, and the first pauses: a block of rows that was written late.
  private var latest: Int64?
  private var pauses: [Range<Int64>] = []
  private static let mostPauses = 64
  private let window: TimeWindow
  private let zone: RecordingZone?
  private var windowStart = Int64.min
  private var windowEnd = Int64.max
  /// Whether they are clock times, which are reached later or earlier when local times change.
  private var (startIsClockTime, endIsClockTime) = (false, false)

  /// - Parameters:
  ///   - period: the usual time between two samples, in nanoseconds.
  ///   - zone: the zone of local times, if it is known.
  init(summary: RecordingSummary, window: TimeWindow?, period: Int64, zone: RecordingZone? = nil) {
    (self.summary, self.zone) = (summary, zone)
    self.window = window ?? TimeWindow()
    self.period = period > 0 ? min(period, Self.longestStep) : 10_000_000
  }

  /// Whether a timestamp after ``last``, by at most ``longestStep`` and up to ``plainEnd``, is the next sample without
  /// further checks.
  var acceptsPlain: Bool { hasStarted && waiting == nil && !copyWatch.isActive && last + offset >= windowStart }

  /// The last timestamp of the recording inside the window.
  var plainEnd: Int64 {
    let (end, overflow) = windowEnd.subtractingReportingOverflow(offset)
    if overflow { return offset < 0 ? .max : .min }
    return end == .min ? .min : end - 1
  }

  /// Records samples that were accepted without ``admit(_:into:)``; `step` is the time between the last two.
  mutating func accepted(_ count: Int, last newLast: Int64, step: Int64) {
    summary.samples += count
    gapsInSuccession = 0
    last = newLast
    period = step
    summary.lastTimestamp = newLast + offset
    if summary.firstTimestamp == nil { summary.firstTimestamp = newLast + offset }
  }

  mutating func admit(_ row: RecordedRow, into samples: inout [AccelerationSample]) {
    if !hasStarted { return begin(row, into: &samples) }
    if let waiting, settle(waiting, next: row, into: &samples) { return }
    if copyWatch.isActive {
      switch copyWatch.take(row, last: last) {
      case .keep: return
      case .pass: break
      case .release(let rows): return release(rows, into: &samples)
      }
    }
    let step = row.nanoseconds - last
    if step > 0, step <= Self.longestStep {
      period = step
      gapsInSuccession = 0
      last = row.nanoseconds
      emit(row.acceleration, into: &samples)
    } else if step == 0 {
      summary.skip(.repeatedTimestamp, line: row.line)
    } else if step < 0, step >= -Self.longestStep {
      if !copyWatch.repeats(row, among: samples, offset: offset) { summary.skip(.timeBackwards, line: row.line) }
    } else {
      waiting = row
    }
  }

  /// Takes evenly spaced samples, with the same result as ``admit(_:into:)`` for each; `line` applies to all.
  /// - Parameter unpack: writes `count` samples with their times.
  mutating func admit(
    _ count: Int, _ times: EvenTimes, line: Int, into samples: inout [AccelerationSample],
    unpack: (running_time, UnsafeMutablePointer<dense_sample>) -> Void
  ) {
    guard count > 0 else { return }
    let (first, final) = (times[0], times[count - 1])
    guard acceptsPlain, times.areOrdinary(count), first > last, first - last <= Self.longestStep, final <= plainEnd
    else {
      var unpacked: [AccelerationSample] = []
      unsafe Self.append(count, to: &unpacked) { unsafe unpack(running_time(base: 0, fixed: 0, step: 0), $0) }
      for i in 0..<count {
        admit(RecordedRow(nanoseconds: times[i], acceleration: unpacked[i].acceleration, line: line), into: &samples)
      }
      return
    }
    let running = times.running.shifted(by: offset)
    unsafe Self.append(count, to: &samples) { unsafe unpack(running, $0) }
    accepted(count, last: final, step: count > 1 ? final - times[count - 2] : final - last)
  }

  /// Appends samples written by C.
  private static func append(
    _ count: Int, to samples: inout [AccelerationSample], write: (UnsafeMutablePointer<dense_sample>) -> Void
  ) {
    samples.append(addingCapacity: count) { room in
      unsafe room.withUnsafeMutableBufferPointer { all, initialized in
        guard let base = all.baseAddress else { return }
        unsafe write(UnsafeMutableRawPointer(base + initialized).assumingMemoryBound(to: dense_sample.self))
        initialized += count
      }
    }
  }

  /// Ends the recording: a waiting sample is accepted.
  mutating func finish(into samples: inout [AccelerationSample]) {
    if let waiting { confirm(waiting, into: &samples) }
    release(copyWatch.finish(), into: &samples)
    summary.copies = copyWatch.copies
  }

  /// Remembers what was accepted, to recognise a copy of it.
  /// - Parameter from: the index of the first sample that was not remembered yet.
  mutating func remember(_ samples: [AccelerationSample], from: Int) {
    if !copyWatch.isActive { copyWatch.remember(samples[from...], offset: offset) }
  }

  /// Accepts rows that were held and are no copy.
  private mutating func release(_ rows: [RecordedRow], into samples: inout [AccelerationSample]) {
    guard let first = rows.first else { return }
    confirm(first, into: &samples, mayBeCopy: false)
    for row in rows.dropFirst() { admit(row, into: &samples) }
  }

  private mutating func begin(_ row: RecordedRow, into samples: inout [AccelerationSample]) {
    hasStarted = true
    last = row.nanoseconds
    summary.recordingStart = last
    if let start = window.start {
      (windowStart, startIsClockTime) = bound(start, offset: window.startOffset, first: last)
    }
    if let end = window.end { (windowEnd, endIsClockTime) = bound(end, offset: window.endOffset, first: last) }
    emit(row.acceleration, into: &samples)
  }

  /// Converts a moment to the recording's timestamps. Local times are ahead of UTC by the offset that the recording
  /// states, by that of the zone or, with a warning, by that of the moment.
  private mutating func bound(
    _ moment: TimeWindow.Moment, offset: Int?, first: Int64
  ) -> (time: Int64, isClockTime: Bool) {
    switch moment {
    case .unix(let nanoseconds):
      guard summary.isWallClock else { return (nanoseconds, false) }
      guard let offset else { return (nanoseconds, true) }
      if let stated = summary.utcOffset { return (nanoseconds &+ Int64(stated) &* 1_000_000_000, false) }
      if let zone {
        let ahead = zone.offset(nanoseconds)
        let shown = nanoseconds &+ Int64(ahead) &* 1_000_000_000
        // The second time that clocks show it, timestamps go on from the first one.
        let former = ClockTime.offset(showing: shown, in: zone.offset)
        return (nanoseconds &+ Int64(former) &* 1_000_000_000, former == ahead)
      }
      let doubt = "the recording states no time zone; using that of \(option: .window)"
      if !summary.doubts.contains(doubt) { summary.doubts.append(doubt) }
      return (nanoseconds &+ Int64(offset) &* 1_000_000_000, false)
    case .sinceFirstSample(let nanoseconds):
      let (sum, overflow) = first.addingReportingOverflow(nanoseconds)
      return (overflow ? (nanoseconds < 0 ? .min : .max) : sum, false)
    }
  }

  /// Decides about the waiting timestamp.
  /// - Returns: whether the next one was also handled.
  private mutating func settle(
    _ far: RecordedRow, next: RecordedRow, into samples: inout [AccelerationSample]
  ) -> Bool {
    let fromFar = next.nanoseconds - far.nanoseconds
    let fromLast = next.nanoseconds - last
    if fromFar == 0 {
      summary.skip(.repeatedTimestamp, line: next.line)
      return true
    }
    let continuesFar = fromFar > 0 && fromFar <= Self.longestStep
    // If a pause ends here, a waiting timestamp later than the next one was also an outlier.
    let isBeyond = fromLast > Self.longestStep && fromLast < far.nanoseconds - last
    if !continuesFar, (fromLast > 0 && fromLast <= Self.longestStep) || isBeyond {
      summary.skip(.timeOutlier, line: far.line)
      waiting = nil
    } else {
      confirm(far, into: &samples)
    }
    return false
  }

  /// Accepts a distant timestamp as the end of a pause or as a restart of the clock.
  private mutating func confirm(_ far: RecordedRow, into samples: inout [AccelerationSample], mayBeCopy: Bool = true) {
    waiting = nil
    var step = far.nanoseconds - last
    if step < 0, mayBeCopy {
      copyWatch.remember(samples[...], offset: offset)
      if copyWatch.suspects(far, last: last) { return }
    }
    if let turn = turn(step, to: far.nanoseconds) {
      if let start = turn.start { noteTurn(at: start, length: turn.length) }
      offset += turn.length
      step += turn.length
      if isNext(step) {
        period = step
        last = far.nanoseconds
        return emit(far.acceleration, into: &samples)
      }
      if turn.length < 0 { noteShortenedPause() }
    }
    noteOrder(far, step: step)
    if step > 0, step <= Self.longestPause, far.nanoseconds + offset < DecimalNumber.timestampLimit {
      summary.longestGap = max(summary.longestGap, .nanoseconds(step))
      summary.gapDuration += .nanoseconds(step)
    } else {
      offset = last + offset + period - far.nanoseconds
      summary.clockRestarts += 1
      if summary.firstClockRestartLine == nil { summary.firstClockRestartLine = far.line }
    }
    summary.gaps += 1
    gapsInSuccession += 1
    summary.longestRunOfGaps = max(summary.longestRunOfGaps, gapsInSuccession)
    last = far.nanoseconds
    emit(far.acceleration, into: &samples)
  }

  /// The hour that local times repeat at the end of daylight saving time or, negative, skip at its beginning, and the first
  /// timestamp after that; or the day behind midnight of times of day.
  private func turn(_ step: Int64, to far: Int64) -> (length: Int64, start: Int64?)? {
    if summary.timestampFormat == .timeOfDay, isNext(step + 24 * Self.hour) { return (24 * Self.hour, nil) }
    guard summary.isWallClock, summary.utcOffset == nil else { return nil }
    guard isNext(step + Self.hour) else { return skip(to: far) }
    let time = far + offset + Self.hour
    // Clocks are set at whole seconds: the first of them after the last sample, if there is one.
    let whole = time / Self.second * Self.second
    return (Self.hour, whole > last + offset ? whole : time)
  }

  private func isNext(_ step: Int64) -> Bool { step > 0 && step <= Self.longestStep }

  /// The hour that the zone's clocks skip between the last time and a later one. They show no time within it, so a pause
  /// over the change is an hour shorter than its times say. The clock of a recording with times within it is not set.
  ///
  /// Rows that continue to the second show that the clock was set, whatever the zone's clocks do: also by more, and later.
  private func skip(to far: Int64) -> (length: Int64, start: Int64?)? {
    guard let zone, summary.format.isText, far > last, far - last <= Self.longestPause else { return nil }
    let before = ClockTime.offset(showing: last, in: zone.offset)
    let length = Int64(before - ClockTime.offset(showing: far, in: zone.offset)) * Self.second
    guard length < 0, far + length > last else { return nil }
    let continues = isNext(far + length - last)
    // A traveller's zone changes by more, and most recorders run on.
    if length < -Self.hour, !continues { return nil }
    /// Whether the zone's clocks have been set when they would show a time otherwise.
    func areSet(_ time: Int64) -> Bool { zone.offset(time - Int64(before) * Self.second) != before }
    var (early, late) = (last, far + length)
    if areSet(last) {
      guard continues else { return nil }
      let whole = late / Self.second * Self.second
      return (length, (whole > last ? whole : late) + offset)
    }
    while late - early > Self.second {
      let middle = early + (late - early) / 2
      if areSet(middle) { late = middle } else { early = middle }
    }
    return (length, late / Self.second * Self.second + offset)
  }

  private mutating func noteTurn(at start: Int64, length: Int64) {
    summary.addTurn(at: start, length: length)
    if length > 0 { summary.clockRestarts += 1 }
    // Clock times that are still to come are reached as much later.
    if startIsClockTime, windowStart > last + offset { windowStart &+= length }
    if endIsClockTime, windowEnd > last + offset { windowEnd &+= length }
  }

  /// Warns of a guess: the times around a pause do not show whether the clock was set.
  private mutating func noteShortenedPause() {
    let doubt =
      "a pause over the hour that clocks skip in spring is taken to be an hour shorter than its times say; if the"
      + " recorder's clock was not set, give its UTC offset instead of a time zone"
    if !summary.doubts.contains(doubt) { summary.doubts.append(doubt) }
  }

  private static let second: Int64 = 1_000_000_000
  private static let hour = 3600 * second

  /// Notes rows of an earlier block: they begin in a pause, or end where the clock had been before.
  private mutating func noteOrder(_ far: RecordedRow, step: Int64) {
    let isInPause = pauses.contains { $0.contains(far.nanoseconds) }
    let returns = latest.map { step > 0 && far.nanoseconds > $0 && far.nanoseconds - $0 <= Self.longestStep }
    if step < 0 ? isInPause : returns == true {
      summary.lateBlocks += 1
      if summary.firstLateLine == nil { summary.firstLateLine = far.line }
    }
    if step < 0 { latest = max(latest ?? last, last) }
    if step > 0, pauses.count < Self.mostPauses { pauses.append(last + 1..<far.nanoseconds) }
  }

  /// Outputs a sample at ``last`` if it is inside the window.
  private mutating func emit(_ acceleration: SIMD3<Float>, into samples: inout [AccelerationSample]) {
    let time = last + offset
    guard time >= windowStart, time < windowEnd else {
      summary.samplesOutsideWindow += 1
      if time >= windowEnd {
        isPastEnd = true
        // Its end is not read.
        summary.lastBeforeWindow = nil
      } else {
        summary.lastBeforeWindow = time
      }
      return
    }
    summary.samples += 1
    if summary.firstTimestamp == nil { summary.firstTimestamp = time }
    summary.lastTimestamp = time
    samples.append(AccelerationSample(nanoseconds: time, acceleration: acceleration))
  }
}

/// Evenly spaced times: sample `i` is `first + i` periods after the anchor, to the nanosecond, over less than nine minutes.
struct EvenTimes {
  /// In nanoseconds.
  var anchor: Int64
  /// Periods from the anchor to the first sample; may be negative or fractional.
  var first = 0.0
  /// In nanoseconds.
  var period: Double

  subscript(index: Int) -> Int64 {
    var running = running
    running.fixed &+= Int64(index) &* running.step
    return running.next
  }

  /// Whether this many times increase strictly, by at most a second each.
  func areOrdinary(_ count: Int) -> Bool {
    period >= 1 && period < Double(SampleAssembler.longestStep) && Double(count) * period < 0x1p38
  }

  /// Computes the times incrementally with integers: converting each from floating point costs several times as much.
  var running: Running {
    let start = first * period
    let whole = Int64(start)
    return Running(
      base: anchor &+ whole, fixed: Int64((start - Double(whole)) * Running.one) &+ Int64(Running.one / 2),
      step: Int64(period * Running.one + 0.5))
  }

  /// Times in units of 2^-24 ns.
  struct Running {
    fileprivate static let one = 0x1p24
    fileprivate let base: Int64
    /// Includes half a nanosecond, so that ``next`` is rounded.
    var fixed: Int64
    let step: Int64

    /// In whole nanoseconds.
    @inline(__always)
    var next: Int64 { base &+ fixed >> 24 }

    /// The same for C, shifted by some nanoseconds.
    func shifted(by offset: Int64) -> running_time { running_time(base: base &+ offset, fixed: fixed, step: step) }
  }
}
