import Accelerometry
import Pedometry

/// Computes the confidence of steps, and explains all other movement.
///
/// It observes the detector's blocks and steps and changes nothing. A block is decided when no more steps can be found
/// there, so findings come that much later than steps. It keeps only the blocks of that time: 70 blocks of 40 bytes,
/// however long the recording.
struct WalkExplainer: Sendable {
  /// The stored data of a block.
  private struct Seen {
    /// The centre of the window, in nanoseconds on the sensor's clock.
    var time: Int64
    var evidence: Float
    var objection: Objection?
    var cadence: Float
  }

  private struct OpenBout {
    var first: Int64
    var last: Int64
    var steps = 1
    var evidence = BoutEvidence()
  }

  private let table: ConfidenceTable
  /// No later step is earlier than the latest block by more than this, in nanoseconds.
  private let horizon: Int64
  /// By rising time; the first ``judged`` of them are decided.
  private var seen: [Seen] = []
  private var judged = 0
  /// The time of the latest block that is decided.
  private var previous: Int64?
  /// Bouts with undecided blocks; the last may get more steps.
  private var bouts: [OpenBout] = []
  private var stretch = StretchBuilder()
  private var findings: [WalkFinding] = []
  /// The duration of movement in no finding, because each stretch of it is too short, in nanoseconds.
  private(set) var unlisted: Int64 = 0
  private var latest = Int64.min

  /// A block and a half beyond the first step and the last: how far a window is representative beyond its centre.
  private static let edge = Int64(Tuning.edge * 1e9)
  private static let boutGap = WalkTracker.boutGap.wholeNanoseconds
  /// The confidence of a step uses this much of the bout before it, in nanoseconds.
  private static let stepMemory: Int64 = 20_000_000_000

  /// - Parameter latency: how long after the foot strike a step may be reported.
  init(latency: Duration, table: ConfidenceTable = .shipped) {
    self.table = table
    horizon = latency.wholeNanoseconds + Self.boutGap + 2 * Self.edge
  }

  /// Takes the blocks and steps of one call of the detector, and gives each of its steps a confidence.
  /// - Parameters:
  ///   - blocks: the blocks, which are removed.
  ///   - steps: the steps of that call.
  mutating func take(_ blocks: inout [BlockObservation], _ steps: inout [Step]) {
    var taken = 0
    for block in blocks {
      take(&steps, taken..<block.stepsBefore)
      taken = max(taken, block.stepsBefore)
      take(block)
    }
    take(&steps, taken..<steps.count)
    blocks.removeAll(keepingCapacity: true)
    if latest > Int64.min + horizon { judge(before: latest - horizon) }
  }

  /// Decides everything that is still open.
  /// - Parameter end: the timestamp of the latest sample.
  mutating func finish(at end: Int64) {
    judge(before: .max)
    while let bout = bouts.first { close(bout) }
    if let closed = stretch.close() { add(closed, notAfter: end) }
    seen.removeAll(keepingCapacity: true)
    judged = 0
  }

  /// The findings that are final since the last call, by rising time.
  mutating func takeFindings() -> [WalkFinding] {
    defer { findings.removeAll(keepingCapacity: true) }
    return findings
  }

  private mutating func take(_ block: BlockObservation) {
    // A window that begins before the samples contains too little data.
    guard block.centre >= block.earliest else { return }
    let time = max(latest, block.start &+ Int64((block.centre * 1e9).rounded()))
    latest = time
    seen.append(
      Seen(
        time: time, evidence: block.evidence,
        objection: Objection(block.features, shape: block.shape, evidence: block.evidence), cadence: block.cadence))
  }

  /// Takes the steps that one block confirmed.
  private mutating func take(_ steps: inout [Step], _ range: Range<Int>) {
    var begin = range.lowerBound
    for i in range {
      let time = steps[i].timestamp.wholeNanoseconds
      if let last = bouts.last?.last, time - last <= Self.boutGap {
        bouts[bouts.count - 1].last = time
        bouts[bouts.count - 1].steps += 1
      } else {
        rate(&steps, begin..<i)
        begin = i
        bouts.append(OpenBout(first: time, last: time))
      }
    }
    rate(&steps, begin..<range.upperBound)
  }

  /// Gives steps of the latest bout the confidence of its evidence so far.
  private func rate(_ steps: inout [Step], _ range: Range<Int>) {
    guard !range.isEmpty, let bout = bouts.last else { return }
    let begin = max(bout.first, bout.last - Self.stepMemory) - Self.edge
    var evidence = BoutEvidence()
    for block in seen.reversed() where block.time <= bout.last + Self.edge {
      if block.time < begin { break }
      evidence.add(block.evidence)
    }
    let confidence = table(evidence.mean)
    for i in range { steps[i].confidence = confidence }
  }

  /// Decides the blocks before a time: each is part of a bout or not.
  private mutating func judge(before time: Int64) {
    while judged < seen.count, seen[judged].time < time {
      let block = seen[judged]
      // The movement during a gap is unknown.
      if let previous, block.time - previous > Tuning.gapNanoseconds, let closed = stretch.close() {
        add(closed, notAfter: block.time)
      }
      previous = block.time
      judged += 1
      while let bout = bouts.first, bout.last + Self.edge < block.time { close(bout) }
      if let bout = bouts.first, block.time >= bout.first - Self.edge {
        bouts[0].evidence.add(block.evidence)
        if let closed = stretch.close() { add(closed, notAfter: bout.first) }
      } else if let closed = stretch.take(block.objection, block.cadence, at: block.time) {
        add(closed, notAfter: .max)
      }
    }
    // Steps need no blocks beyond their memory, and arrive no later than the horizon.
    let old = seen[..<judged].prefix { latest - $0.time > horizon + Self.stepMemory }.count
    if old > 64 {
      seen.removeFirst(old)
      judged -= old
    }
  }

  private mutating func close(_ bout: OpenBout) {
    bouts.removeFirst()
    if let closed = stretch.close() { add(closed, notAfter: bout.first) }
    findings.append(
      .bout(
        WalkBout(
          start: .nanoseconds(bout.first), end: .nanoseconds(bout.last), steps: bout.steps,
          confidence: table(bout.evidence.mean))))
  }

  private mutating func add(_ closed: StretchBuilder.Closed, notAfter limit: Int64) {
    let end = min(closed.end, limit)
    guard closed.start < end else { return }
    guard closed.isListed else {
      unlisted += end - closed.start
      return
    }
    findings.append(
      .stretch(
        UncountedStretch(
          start: .nanoseconds(closed.start), end: .nanoseconds(end), objection: closed.objection,
          cadence: Double(closed.cadence))))
  }
}

/// Combines uncounted blocks into stretches of one kind of movement, short pauses included.
///
/// Single blocks vary, so ten of them vote, and a new kind must win twice in a row to begin another stretch.
private struct StretchBuilder: Sendable {
  struct Closed {
    var start: Int64
    var end: Int64
    var objection: Objection
    /// The mean of its blocks.
    var cadence: Float
    /// Whether it is long enough to be reported.
    var isListed: Bool
  }

  /// The votes of consecutive blocks.
  private struct Ballot {
    var votes = InlineArray<8, Int32>(repeating: 0)
    var start: Int64 = 0
    var end: Int64 = 0
    var blocks = 0
    /// The sum of the blocks'.
    var cadence: Float = 0

    mutating func add(_ objection: Objection, _ cadence: Float, at time: Int64) {
      if blocks == 0 { start = time - StretchBuilder.halfBlock }
      end = time + StretchBuilder.halfBlock
      blocks += 1
      votes[objection.place] += 1
      self.cadence += cadence
    }

    mutating func add(_ other: Ballot) {
      if blocks == 0 { start = other.start }
      if other.blocks > 0 { end = other.end }
      blocks += other.blocks
      cadence += other.cadence
      for i in votes.indices { votes[i] += other.votes[i] }
    }

    /// The kind with most votes; if equal, the first in the order of the cases.
    var winner: Objection {
      Objection.allCases.reduce(.cycling) { votes[$1.place] > votes[$0.place] ? $1 : $0 }
    }

    /// The reason to print. What looks like walking for longer than any proof takes was not too short: then the strongest
    /// of the other kinds.
    var objection: Objection {
      if winner != .brief || end - start <= Self.longestProof { return winner }
      var others = self
      others.votes[Objection.brief.place] = 0
      others.votes[Objection.irregular.place] += 1
      return others.winner
    }

    /// Evidence of 1 proves a walk within 27 blocks.
    private static let longestProof = 27 * 2 * StretchBuilder.halfBlock
  }

  private static let halfBlock = Int64(Tuning.blockCells) * Tuning.cellNanoseconds / 2
  /// Blocks that vote together: 4.8 s.
  private static let chunk = 10
  /// Blocks of rest that do not end a stretch: 2.4 s.
  private static let longestPause = 5
  /// The minimum number of blocks of a stretch that clearly repeats, 4.8 s; other stretches need twice as many.
  private static let fewestBlocks = 10

  private var stretch = Ballot()
  /// The votes of a chunk that another kind than the stretch's has won once.
  private var doubt = Ballot()
  private var open = Ballot()
  private var pause = 0

  /// Takes an uncounted block.
  /// - Returns: a stretch that it ends.
  mutating func take(_ objection: Objection?, _ cadence: Float, at time: Int64) -> Closed? {
    guard let objection else {
      pause += 1
      return pause > Self.longestPause ? close() : nil
    }
    pause = 0
    open.add(objection, cadence, at: time)
    return open.blocks >= Self.chunk ? count() : nil
  }

  /// Ends the stretch.
  mutating func close() -> Closed? {
    doubt.add(open)
    stretch.add(doubt)
    defer { self = StretchBuilder() }
    return Self.closed(stretch)
  }

  private mutating func count() -> Closed? {
    defer { open = Ballot() }
    let kind = stretch.blocks > 0 ? stretch.winner : open.winner
    if open.winner == kind {
      stretch.add(doubt)
      stretch.add(open)
      doubt = Ballot()
      return nil
    }
    if doubt.blocks == 0 {
      doubt = open
      return nil
    }
    guard doubt.winner == open.winner else {
      stretch.add(doubt)
      doubt = open
      return nil
    }
    defer {
      doubt.add(open)
      (stretch, doubt) = (doubt, Ballot())
    }
    return Self.closed(stretch)
  }

  private static func closed(_ ballot: Ballot) -> Closed? {
    guard ballot.blocks > 0 else { return nil }
    let objection = ballot.objection
    let blocks = Int((ballot.end - ballot.start) / (2 * halfBlock))
    // One slow gesture, such as sitting down, is not yet exercise.
    let isClear = objection.isRepetition && objection != .exercise
    let isListed = blocks >= (isClear ? fewestBlocks : 2 * fewestBlocks)
    return Closed(
      start: ballot.start, end: ballot.end, objection: objection, cadence: ballot.cadence / Float(ballot.blocks),
      isListed: isListed)
  }
}

extension Objection {
  /// Its index among the cases.
  fileprivate var place: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}
