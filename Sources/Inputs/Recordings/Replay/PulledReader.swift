import Accelerometry
import Dispatch
import Synchronization

/// A reader on another thread, which reads ahead up to a bound, or only what is asked for.
///
/// Reads run on a serial queue: Dispatch gives it a thread outside the cooperative pool, because a pipe may keep it waiting. Nothing is
/// read while there is no room, so memory does not grow with the recording and back-pressure reaches a pipe. One consumer takes the
/// samples: ``read(into:)`` waits on its thread, ``next()`` in its task, and ``take()`` does not wait. Releasing the reader, or
/// cancelling the task, ends the reading after the current read, whose result is dropped: it cannot be interrupted on a descriptor
/// that other code may be using.
///
///     let reader = PulledReader(ahead: 16) { try RecordingReader(path: "week.cwa") }
///     var samples: [AccelerationSample] = []
///     while try reader.read(into: &samples) { print(samples.count) }
package final class PulledReader: SampleReader, Sendable {
  /// What ``take()`` found.
  package enum Content: Sendable {
    case samples([AccelerationSample])
    /// Nothing yet; `wake` is called when there is something.
    case nothingYet
    case end
    case failure(any Error)
  }

  private struct Source {
    var reader: (any SampleReader)?
    /// How many changes of the clock were reported.
    var turns = 0
    let open: @Sendable () throws -> any SampleReader
  }

  /// What is known of the recording, from the first read and from the last.
  private struct Known {
    var profile = SensorProfile(name: "", clock: .recording)
    var summary: RecordingSummary?
    var verdict = SourceVerdict()
    /// For how many batches the consumer is woken, since waking it takes time; one if a read may wait for more than the disk.
    var batches = 1
  }

  private struct Reading {
    var hasMore = false
    var failure: (any Error)?
    var known: Known?
    /// Only the new ones: all are copied when the reader adds to an array that is kept here, too.
    var turns: ArraySlice<RecordingSummary.ClockTurn> = []
    var fraction: Double?
  }

  private enum Waiter {
    case thread
    case task(CheckedContinuation<[AccelerationSample]?, any Error>)
  }

  private struct State {
    var ready: [[AccelerationSample]] = []
    /// Emptied arrays for reuse.
    var spare: [[AccelerationSample]] = []
    var known = Known()
    var fraction: Double?
    var end: Result<Void, any Error>?
    var isReading = false
    var isCancelled = false
    var waiter: Waiter?

    mutating func note(_ reading: Reading) {
      if let known = reading.known { self.known = known } else { known.summary?.turns += reading.turns }
      fraction = reading.fraction
      if !reading.hasMore { end = reading.failure.map { .failure($0) } ?? .success(()) }
    }
  }

  private let source: Mutex<Source>
  private let state = Mutex(State())
  private let hasSamples = DispatchSemaphore(value: 0)
  /// `nil`: the consumer's thread reads.
  private let queue: DispatchQueue?
  private let ahead: Int
  private let wake: @Sendable () -> Void

  /// - Parameters:
  ///   - ahead: how many batches may wait for the consumer; 0 reads on request, `nil` on the thread that requests it.
  ///   - wake: called on the reading thread after each read.
  ///   - open: opens the recording, when it is read first.
  package init(
    ahead: Int?, wake: @escaping @Sendable () -> Void = {}, open: @escaping @Sendable () throws -> any SampleReader
  ) {
    source = Mutex(Source(open: open))
    queue = ahead == nil ? nil : DispatchQueue(label: "pedometer.reading")
    self.ahead = ahead ?? 0
    self.wake = wake
    readOn()
  }

  /// The properties of the sensor; complete after the first read.
  package var profile: SensorProfile { state.withLock { $0.known.profile } }

  /// The findings of a recording: after the first read, those up to the first samples; at the end, those of all. Clock times are
  /// those of all samples that were returned. `nil` for other readers.
  package var summary: RecordingSummary? {
    if queue == nil { return source.withLock { ($0.reader as? RecordingReader)?.summary } }
    return state.withLock { $0.known.summary }
  }

  /// The part of the file that was read, 0 to 1; `nil` for a pipe, inside an archive and for other readers.
  package var fractionRead: Double? { state.withLock { $0.fraction } }

  /// What the reader says about its samples; empty before the end.
  package var verdict: SourceVerdict { state.withLock { $0.known.verdict } }

  // MARK: Taking

  /// Takes the next samples if they have been read.
  package func take() -> Content {
    let content = take(for: nil)
    readOn()
    return content
  }

  /// Replaces the content of `samples` with the next ones; waits for them.
  /// - Returns: `false` at the end.
  /// - Throws: the errors of opening and reading, once.
  package func read(into samples: inout [AccelerationSample]) throws -> Bool {
    samples.removeAll(keepingCapacity: true)
    if queue == nil {
      if state.withLock({ $0.end != nil }) { return false }
      let reading = fill(&samples)
      state.withLock { $0.note(reading) }
      if let failure = reading.failure { throw failure }
      return reading.hasMore
    }
    state.withLock { if samples.capacity > 0, $0.spare.count < ahead { $0.spare.append(samples) } }
    samples = []
    while true {
      let content = take(for: .thread)
      readOn()
      switch content {
      case .samples(let next):
        samples = next
        return true
      case .end: return false
      case .failure(let error):
        state.withLock { $0.end = .success(()) }
        throw error
      case .nothingYet: hasSamples.wait()
      }
    }
  }

  /// The next samples; `nil` at the end and when the calling task is cancelled.
  package func next() async throws -> [AccelerationSample]? {
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let content = take(for: .task(continuation))
        readOn()
        switch content {
        case .samples(let samples): continuation.resume(returning: samples)
        case .end: continuation.resume(returning: nil)
        case .failure(let error): continuation.resume(throwing: error)
        case .nothingYet: break
        }
      }
    } onCancel: {
      let waiter = state.withLock { state in
        state.isCancelled = true
        return state.waiter.take()
      }
      if case .task(let continuation)? = waiter { continuation.resume(returning: nil) }
    }
  }

  /// - Parameter waiter: waits if there is nothing yet.
  private func take(for waiter: Waiter?) -> Content {
    state.withLock { state in
      if state.isCancelled { return .end }
      if !state.ready.isEmpty { return .samples(state.ready.removeFirst()) }
      switch state.end {
      case nil:
        state.waiter = waiter
        return .nothingYet
      case .success?: return .end
      case .failure(let error)?: return .failure(error)
      }
    }
  }

  // MARK: Reading

  /// Begins to read if somebody waits, or most of the room is free.
  private func readOn() {
    guard let queue else { return }
    let isWanted = state.withLock { state in
      guard !state.isReading, state.end == nil, !state.isCancelled else { return false }
      state.isReading = state.waiter != nil || state.ready.count * 4 < ahead
      return state.isReading
    }
    guard isWanted else { return }
    queue.async { [weak self] in while self?.readBatch() == true {} }
  }

  /// - Returns: whether to read on.
  private func readBatch() -> Bool {
    var samples = state.withLock { $0.spare.popLast() ?? [] }
    let reading = fill(&samples)
    let (readsOn, waiter, batch) = state.withLock { state in
      var batch: [AccelerationSample]?
      if reading.hasMore { state.ready.append(samples) }
      state.note(reading)
      var waiter: Waiter?
      switch state.waiter {
      case .thread where state.end != nil || state.ready.count >= min(state.known.batches, max(ahead, 1)):
        waiter = state.waiter.take()
      case .task where !state.ready.isEmpty:
        batch = state.ready.removeFirst()
        waiter = state.waiter.take()
      case .task where state.end != nil: waiter = state.waiter.take()
      default: break
      }
      state.isReading = state.end == nil && !state.isCancelled && (state.waiter != nil || state.ready.count < ahead)
      return (state.isReading, waiter, batch)
    }
    switch waiter {
    case .thread?: hasSamples.signal()
    case .task(let continuation)?:
      if let failure = reading.failure {
        continuation.resume(throwing: failure)
      } else {
        continuation.resume(returning: batch)
      }
    case nil: break
    }
    wake()
    return readsOn
  }

  private func fill(_ samples: inout [AccelerationSample]) -> Reading {
    source.withLock { source in
      var reading = Reading()
      let isFirst = source.reader == nil
      do {
        if isFirst { source.reader = try source.open() }
        // In place: a copy of the reader would copy its buffer at every read.
        reading.hasMore = try source.reader?.read(into: &samples) ?? false
      } catch { reading.failure = error }
      guard let reader = source.reader else { return reading }
      let recording = reader as? RecordingReader
      reading.fraction = recording?.fractionRead
      let turns = recording?.clockTurns ?? []
      reading.turns = turns[source.turns...]
      source.turns = turns.count
      if isFirst || !reading.hasMore {
        reading.known = Known(
          profile: reader.profile, summary: recording?.summary, verdict: reader.verdict,
          batches: recording?.isOfRegularFile == true ? 4 : 1)
      }
      return reading
    }
  }
}
