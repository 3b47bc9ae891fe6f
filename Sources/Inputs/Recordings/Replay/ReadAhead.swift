import Accelerometry
import Dispatch
import Synchronization

/// A recording that is read ahead on a second thread: reading and counting then take as long as the slower of the two.
///
/// Of a regular file up to 16 batches are held, about a megabyte. The samples of a pipe are delivered as soon as they
/// arrive, as by the reader alone. It belongs to one thread at a time.
///
///     let reader = ReadAhead(try RecordingReader(path: "week.cwa"))
///     var samples: [AccelerationSample] = []
///     while try reader.read(into: &samples) { print(samples.count) }
package final class ReadAhead: SampleReader {
  private let worker: Worker
  private let isConcurrent: Bool

  /// Takes over a reader that has not read anything yet.
  /// - Parameters:
  ///   - isConcurrent: whether to use a second thread; otherwise it reads on request.
  ///   - pressures: gets the pressures on that thread, ahead of the samples.
  package init(_ reader: sending RecordingReader, isConcurrent: Bool = true, pressures: PressureSink? = nil) {
    reader.pressureSink = pressures
    worker = Worker(reader)
    self.isConcurrent = isConcurrent
    if isConcurrent { worker.start() }
  }

  deinit { worker.cancel() }

  /// The properties of the sensor; complete after the first read.
  package var profile: SensorProfile { isConcurrent ? worker.known.profile : worker.reader.profile }

  /// The findings: after the first read, those up to the first samples; at the end, those of all. Clock times are those of
  /// all samples that were returned.
  package var summary: RecordingSummary { isConcurrent ? worker.known.summary : worker.reader.summary }

  /// The part of the file that was read, 0 to 1; `nil` for a pipe and inside an archive.
  package var fractionRead: Double? { isConcurrent ? worker.fractionRead : worker.reader.fractionRead }

  /// Replaces the content of `samples` with the next ones, as soon as there are any.
  /// - Returns: `false` at the end.
  /// - Throws: the errors of the reader.
  package func read(into samples: inout [AccelerationSample]) throws(RecordingError) -> Bool {
    isConcurrent ? try worker.next(&samples) : try worker.reader.read(into: &samples)
  }

  /// The thread's part. Only the thread uses the reader, once there is one; that makes the class safe to send.
  private final class Worker: @unchecked Sendable {
    struct Known {
      var profile: SensorProfile
      var summary: RecordingSummary
    }

    private struct State {
      var ready: [[AccelerationSample]] = []
      /// Emptied arrays for reuse.
      var spare: [[AccelerationSample]] = []
      var known: Known?
      var fraction: Double?
      var failure: RecordingError?
      var hasEnded = false
      var isCancelled = false
      var takerWaits = false
      var readerWaits = false
    }

    let reader: RecordingReader
    private let state = Mutex(State())
    private let hasSamples = DispatchSemaphore(value: 0)
    private let hasRoom = DispatchSemaphore(value: 0)
    /// The maximum number of batches; the thread continues when a quarter of them is left, since waking it takes time.
    private static let most = 16
    /// The number of batches for which the consumer is woken.
    private let enough: Int

    init(_ reader: RecordingReader) {
      self.reader = reader
      enough = reader.isOfRegularFile ? 4 : 1
    }

    var known: Known {
      state.withLock { $0.known } ?? Known(profile: SensorProfile(name: "", clock: .recording), summary: .init())
    }

    var fractionRead: Double? { state.withLock { $0.fraction } }

    func start() {
      DispatchQueue(label: "pedometer.read-ahead").async { self.run() }
    }

    func cancel() {
      state.withLock { $0.isCancelled = true }
      hasRoom.signal()
    }

    private func run() {
      var isFirst = true
      var samples: [AccelerationSample] = []
      while true {
        var failure: RecordingError?
        var hasMore = false
        do throws(RecordingError) { hasMore = try reader.read(into: &samples) } catch { failure = error }
        let isNews = isFirst || !hasMore
        isFirst = false
        let known = isNews ? Known(profile: reader.profile, summary: reader.summary) : nil
        let turns = reader.clockTurns
        let fraction = reader.fractionRead
        let batch = samples
        samples = []
        let (wakes, waits, spare) = state.withLock { state in
          if let known { state.known = known }
          // Only the new ones: all are copied when the reader adds to an array that is kept here, too.
          let count = state.known?.summary.turns.count ?? 0
          state.known?.summary.turns.append(contentsOf: turns.dropFirst(count))
          state.fraction = fraction
          if hasMore { state.ready.append(batch) }
          (state.failure, state.hasEnded) = (failure, !hasMore)
          let wakes = state.takerWaits && (!hasMore || state.ready.count >= enough)
          if wakes { state.takerWaits = false }
          state.readerWaits = state.ready.count >= Self.most && !state.isCancelled
          return (wakes, state.readerWaits, state.spare.popLast() ?? [])
        }
        samples = spare
        if wakes { hasSamples.signal() }
        if waits { hasRoom.wait() }
        if !hasMore || state.withLock({ $0.isCancelled }) { return }
      }
    }

    private enum Next {
      case batch([AccelerationSample], wakes: Bool)
      case end(RecordingError?)
      case wait
    }

    func next(_ samples: inout [AccelerationSample]) throws(RecordingError) -> Bool {
      samples.removeAll(keepingCapacity: true)
      var old = samples
      samples = []
      while true {
        let spare = old
        old = []
        let next: Next = state.withLock { state in
          if spare.capacity > 0 { state.spare.append(spare) }
          if !state.ready.isEmpty {
            let batch = state.ready.removeFirst()
            let wakes = state.readerWaits && state.ready.count <= Self.most / 4
            if wakes { state.readerWaits = false }
            return .batch(batch, wakes: wakes)
          }
          if state.hasEnded {
            let failure = state.failure
            state.failure = nil
            return .end(failure)
          }
          state.takerWaits = true
          return .wait
        }
        switch next {
        case .batch(let batch, let wakes):
          samples = batch
          if wakes { hasRoom.signal() }
          return true
        case .end(let failure):
          if let failure { throw failure }
          return false
        case .wait: hasSamples.wait()
        }
      }
    }
  }
}
