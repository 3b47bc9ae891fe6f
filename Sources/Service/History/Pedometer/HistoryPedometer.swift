import Foundation
import Pedometry
import Synchronization

/// The history as a pedometer: queries over everything recorded, and totals since any past moment that grow while
/// another process, such as the service, counts.
///
/// Unlike `CMPedometer`, it has no limit of seven days. Updates read the history once per interval. Handlers run one
/// after the other on a task of this pedometer; after ``stopUpdates()``, ``stopEventUpdates()`` or ``pause()`` has
/// returned, no handler is called.
///
///     let pedometer = HistoryPedometer()
///     pedometer.startUpdates(from: midnight) { walk, error in print(walk?.steps ?? 0, error ?? "") }
public final class HistoryPedometer: ExplainedPedometer {
  private let history: LateReader
  private let clock: HistoryClock
  /// Returns after an interval; throws when cancelled.
  private let wait: @Sendable () async throws -> Void
  private let data = UpdateSession()
  private let events = UpdateSession()

  /// Creates a pedometer over the history of a folder.
  /// - Parameters:
  ///   - folder: the folder of the history.
  ///   - interval: the time between two readings of the history while updates run.
  ///   - sleeper: measures the interval.
  ///   - clock: the current time.
  public init(
    folder: HistoryFolder = .standard, interval: Duration = .seconds(1),
    sleeper: some Clock<Duration> = ContinuousClock(), clock: HistoryClock = .system
  ) {
    history = LateReader(folder)
    self.clock = clock
    wait = { try await sleeper.sleep(for: interval) }
  }

  /// Whether there is a history.
  public var pedometerAvailable: Bool { failure.map { $0.code == .notPermitted } ?? true }

  /// Whether there is a history that this user may not read.
  public var permissionDeclined: Bool { failure?.code == .notPermitted }

  /// Why no data is available, in one sentence; `nil` if data is available.
  public var obstacle: String? { failure?.message }

  private var failure: HistoryError? {
    do throws(HistoryError) {
      _ = try history.reader()
      return nil
    } catch { return error }
  }

  /// Why no floors are available, in one sentence; `nil` if they are. Steps, distances, pace, cadence and events only need a
  /// history: see ``obstacle``.
  public var floorObstacle: String? {
    do throws(HistoryError) {
      if try history.reader().hasFloors() { return nil }
      return "no floors were recorded: they need a barometer next to the sensor"
    } catch { return error.message }
  }

  /// `queryPedometerData(from:to:withHandler:)`: the totals between two moments of any age.
  public func query(from start: Date, to end: Date) throws(HistoryError) -> HistoricalWalk {
    HistoricalWalk(startDate: start, endDate: end, totals: try history.reader().totals(from: start, to: end))
  }

  /// The same with a handler, which is called before this returns.
  public func query(from start: Date, to end: Date, handler: (HistoricalWalk?, (any Error)?) -> Void) {
    do throws(HistoryError) { handler(try query(from: start, to: end), nil) } catch { handler(nil, error) }
  }

  public func start(
    dataUpdates: @escaping @Sendable ((any PedometerData)?, (any Error)?) -> Void,
    eventUpdates: @escaping @Sendable ((any Error)?) -> Void
  ) { startUpdates(from: clock.now(), handler: { dataUpdates($0, $1) }, started: eventUpdates) }

  public func pause() { stopUpdates() }

  /// `startUpdates(from:withHandler:)`: totals since a moment, which may be in the past, whenever they have grown.
  ///
  /// Steps before the call are included in the first update. A second call starts again.
  /// - Parameters:
  ///   - start: the beginning of the totals.
  ///   - handler: gets totals, or an error, which ends the updates.
  public func startUpdates(from start: Date, handler: @escaping @Sendable (HistoricalWalk?, (any Error)?) -> Void) {
    startUpdates(from: start, handler: handler) { error in
      if let error { handler(nil, error) }
    }
  }

  /// `stopUpdates()`.
  public func stopUpdates() { data.stop() }

  /// `startEventUpdates(handler:)`: reports from now on when the walker pauses and resumes.
  /// - Parameter handler: gets events, or an error, which ends the updates.
  public func startEventUpdates(handler: @escaping @Sendable (PedometerEvent?, (any Error)?) -> Void) {
    events.poll(EventWatch(from: clock.now()), wait: wait) { [history, clock] watch, isCurrent in
      do throws(HistoryError) {
        for event in try watch.look(try history.reader(), now: clock.now()) where isCurrent() { handler(event, nil) }
        return true
      } catch {
        if error.code == .busy { return true }
        if isCurrent() { handler(nil, PedometerError(error)) }
        return false
      }
    }
  }

  /// `stopEventUpdates()`.
  public func stopEventUpdates() { events.stop() }

  private func startUpdates(
    from start: Date, handler: @escaping @Sendable (HistoricalWalk?, (any Error)?) -> Void,
    started: @escaping @Sendable ((any Error)?) -> Void
  ) {
    let watch = (isRunning: false, data: DataWatch(from: start))
    data.poll(watch, wait: wait) { [history, clock] watch, isCurrent in
      do throws(HistoryError) {
        let reader = try history.reader()
        if !watch.isRunning {
          watch.isRunning = true
          started(nil)
        }
        let walk = try watch.data.look(reader, now: clock.now())
        if let walk, isCurrent() { handler(walk, nil) }
        return true
      } catch {
        // The error may be temporary.
        if error.code == .busy { return true }
        guard isCurrent() else { return false }
        // Before the first reading, the error belongs to the start; afterwards to the data.
        if watch.isRunning { handler(nil, PedometerError(error)) } else { started(PedometerError(error)) }
        return false
      }
    }
  }
}

/// A reader that is created on first use, once that is possible.
final class LateReader: Sendable {
  private let folder: HistoryFolder
  private let opened = Mutex<HistoryReader?>(nil)

  init(_ folder: HistoryFolder) { self.folder = folder }

  func reader() throws(HistoryError) -> HistoryReader {
    if let reader = opened.withLock({ $0 }) { return reader }
    let reader = try HistoryReader(folder: folder)
    opened.withLock { $0 = reader }
    return reader
  }
}

extension PedometerError {
  init(_ error: HistoryError) {
    self =
      switch error.code {
      case .nothingYet: .notAvailable(reason: "\(error)")
      case .notPermitted: .notAuthorized(remedy: "\(error)")
      default: .sensorLost(reason: "\(error)")
      }
  }
}
