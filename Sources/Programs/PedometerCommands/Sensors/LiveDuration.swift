import Accelerometry
import Counting
import LinuxSensors
import LiveSources
import SourceNames

/// The duration of a live command.
///
/// It is measured in the time of the samples, so that a recording is cut at the same sample each time. A silent source
/// is stopped by the wall clock.
struct LiveDuration: Sendable {
  let duration: Duration?

  /// The reason for the end of a command.
  static let reason = "the time is up"

  /// The reason for the end of a command that has waited as long for a sensor.
  static let noSensor = "no sensor appeared in the time of --duration; plug one in, or give a longer time"

  /// How late a sensor's last batch may arrive.
  private static let patience = Duration.seconds(3)

  /// Limits the wait for a sensor, from now on; cancelling the task ends the limit.
  func limitWait(_ stop: LiveTask.Stop) -> Task<Void, Never>? {
    duration.map { duration in
      Task.detached { if (try? await Task.sleep(for: duration)) != nil { stop(because: Self.noSensor) } }
    }
  }

  /// Opens a source, and waits for it no longer than the duration.
  /// - Returns: `nil` if the user stopped the command.
  /// - Throws: an error without a sensor if the time was over.
  func open(_ uri: SourceURI?, with opener: LiveOpener, _ stop: LiveTask.Stop) async throws -> LiveFeed? {
    let limit = opener.finder.waits ? limitWait(stop) : nil
    let feed = try await opener.open(uri)
    limit?.cancel()
    if feed == nil, stop.reason == Self.noSensor { throw SourceFailure(message: Self.noSensor, status: .noSensor) }
    return feed
  }

  /// Starts the wall clock, for a source of samples, or for a hardware step counter, which has no other time.
  func limit(_ stop: LiveTask.Stop, isChip: Bool = false) {
    guard let duration else { return }
    Task.detached {
      try? await Task.sleep(for: isChip ? duration : duration + Self.patience)
      stop(because: Self.reason)
    }
  }

  /// The samples up to a time after the first of them.
  /// - Parameter ended: called if the time is up before the source ends.
  func limited(
    _ samples: any AsyncSequence<SourceEvent<SampleBatch>, any Error>, ended: @escaping @Sendable () -> Void
  ) -> LimitedSamples {
    LimitedSamples(samples, duration?.wholeNanoseconds, ended)
  }
}

/// Samples up to some time after the first of them.
struct LimitedSamples: AsyncSequence {
  typealias Element = SourceEvent<SampleBatch>
  typealias Failure = any Error

  private let samples: any AsyncSequence<Element, any Error>
  private let length: Int64?
  private let ended: @Sendable () -> Void

  fileprivate init(
    _ samples: any AsyncSequence<Element, any Error>, _ length: Int64?, _ ended: @escaping @Sendable () -> Void
  ) {
    self.samples = samples
    self.length = length
    self.ended = ended
  }

  func makeAsyncIterator() -> Iterator {
    Iterator(samples: samples.makeAsyncIterator(), length: length, ended: ended)
  }

  struct Iterator: AsyncIteratorProtocol {
    fileprivate var samples: any AsyncIteratorProtocol<Element, any Error>
    fileprivate let length: Int64?
    fileprivate let ended: @Sendable () -> Void
    /// The last nanosecond of the duration, once a sample has arrived.
    private var end: Int64?
    private var isOver = false

    fileprivate init(
      samples: any AsyncIteratorProtocol<Element, any Error>, length: Int64?, ended: @escaping @Sendable () -> Void
    ) {
      self.samples = samples
      self.length = length
      self.ended = ended
    }

    mutating func next(isolation actor: isolated (any Actor)? = #isolation) async throws -> Element? {
      if isOver { return nil }
      guard let event = try await samples.next(isolation: actor) else { return nil }
      guard let length, case .element(var batch) = event, let first = batch.samples.first, let last = batch.samples.last
      else { return event }
      let (sum, overflow) = first.nanoseconds.addingReportingOverflow(length)
      let end = end ?? (overflow ? .max : sum)
      self.end = end
      guard last.nanoseconds > end else { return event }
      batch.samples.removeAll { $0.nanoseconds > end }
      isOver = true
      ended()
      return .element(batch)
    }
  }
}
