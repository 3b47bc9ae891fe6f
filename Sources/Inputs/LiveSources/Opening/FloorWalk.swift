import Counting
import LinuxSensors
import Pedometry
import Synchronization

/// A walk with a barometer: the same events, with floors in the totals.
///
/// The barometer is read by its own task. If it fails or is silent, the walk continues without floors.
package struct FloorWalk: WalkSource {
  /// Opens the barometer; `nil` if there is none. After the walk's source was lost and is back, it is opened again, because
  /// both may have moved.
  package typealias Pressures = @Sendable () -> (any AsyncSequence<PressureSample, any Error>)?

  private let walk: any WalkSource
  private let pressures: Pressures

  /// - Parameters:
  ///   - walk: its events have the time since boot.
  ///   - pressures: opens the barometer.
  package init(_ walk: any WalkSource, pressures: @escaping Pressures) {
    (self.walk, self.pressures) = (walk, pressures)
  }

  package func events(_ options: CountingOptions) -> Events {
    Events(walk: walk, pressures: pressures, options: options)
  }

  package struct Events: AsyncSequence {
    package typealias Element = WalkEvent
    package typealias Failure = any Error

    fileprivate let walk: any WalkSource
    fileprivate let pressures: Pressures
    fileprivate let options: CountingOptions

    package func makeAsyncIterator() -> Iterator {
      Iterator(events: Self.iterator(of: walk, options), pressures: pressures)
    }

    private static func iterator(
      of walk: some WalkSource, _ options: CountingOptions
    ) -> any AsyncIteratorProtocol<WalkEvent, any Error> { walk.events(options).makeAsyncIterator() }
  }

  package struct Iterator: AsyncIteratorProtocol {
    fileprivate var events: any AsyncIteratorProtocol<WalkEvent, any Error>
    private let pressures: Pressures
    private var log: PressureLog?
    private var floors = FloorCounter()
    private var latest: WalkProgress?
    private var end: WalkSummary?

    fileprivate init(events: any AsyncIteratorProtocol<WalkEvent, any Error>, pressures: @escaping Pressures) {
      (self.events, self.pressures) = (events, pressures)
      log = PressureLog(pressures)
    }

    package mutating func next(isolation actor: isolated (any Actor)? = #isolation) async throws -> WalkEvent? {
      if let summary = end.take() { return .ended(summary) }
      if let failure = log?.takeFailure() { return .warning("floors are not counted: \(failure)") }
      switch try await events.next(isolation: actor) {
      case .began(let time)?:
        log = log ?? PressureLog(pressures)
        return .began(at: time)
      case .progress(var progress)?:
        for step in progress.steps { floors.record(step: step.timestamp) }
        take()
        tell(&progress)
        return .progress(progress)
      case .ended(var summary)?:
        take()
        floors.finish()
        (summary.totals.floorsAscended, summary.totals.floorsDescended) = (ascended, descended)
        guard var last = latest, ascended != last.totals.floorsAscended || descended != last.totals.floorsDescended
        else { return .ended(summary) }
        (last.steps, last.news, end) = ([], nil, summary)
        tell(&last)
        return .progress(last)
      case .back(let name)?:
        take()
        log = PressureLog(pressures)
        return .back(name)
      case let event: return event
      }
    }

    private mutating func take() {
      for sample in log?.take() ?? [] { floors.record(kilopascals: sample.kilopascals, at: sample.timestamp) }
    }

    private mutating func tell(_ progress: inout WalkProgress) {
      if floors.hasPressure {
        progress.add(ascended: floors.ascended, descended: floors.descended, after: latest?.totals)
      }
      latest = progress
    }

    private var ascended: Int? { floors.hasPressure ? floors.ascended : nil }
    private var descended: Int? { floors.hasPressure ? floors.descended : nil }
  }
}

/// Collects the samples of a barometer; releasing it ends its task.
private final class PressureLog: Sendable {
  private let samples: Samples
  private let task: Task<Void, Never>

  private final class Samples: Sendable {
    let waiting = Mutex<[PressureSample]>([])
    let failure = Mutex<(any Error)?>(nil)
  }

  /// The maximum number of samples kept: one hour.
  private static let most = 3600

  /// - Returns: `nil` if there is no barometer.
  init?(_ pressures: FloorWalk.Pressures) {
    guard let pressures = pressures() else { return nil }
    let samples = Samples()
    self.samples = samples
    // Floors are optional: an error here must not stop step counting.
    task = Task {
      do { try await Self.follow(pressures, into: samples) } catch {
        // An unplugged barometer usually goes with the accelerometer, whose loss is reported.
        if (error as? SensorError)?.kind != .unavailable { samples.failure.withLock { $0 = error } }
      }
    }
  }

  deinit { task.cancel() }

  private static func follow(
    _ pressures: some AsyncSequence<PressureSample, any Error>, into samples: Samples
  ) async throws {
    for try await sample in pressures {
      samples.waiting.withLock { if $0.count < most { $0.append(sample) } }
    }
  }

  /// Why the barometer cannot be read; told once.
  func takeFailure() -> (any Error)? { samples.failure.withLock { $0.take() } }

  /// Removes and returns the samples since the last call.
  func take() -> [PressureSample] {
    samples.waiting.withLock { waiting in
      defer { waiting.removeAll() }
      return waiting
    }
  }
}
