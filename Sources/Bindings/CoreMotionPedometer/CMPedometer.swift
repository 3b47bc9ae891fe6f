import Dispatch
import Foundation
import History
import Pedometry
import Synchronization

/// Core Motion's `CMPedometer`, member for member, so that an iOS file compiles with `import CoreMotionPedometer`
/// instead of `import CoreMotion`.
///
/// It uses the history that `pedometerd` keeps, which goes back further than Core Motion's seven days. A program that
/// counts steps itself passes its pedometer to ``init(history:live:)``; updates are then the history until their
/// beginning plus that pedometer's totals.
///
///     let pedometer = CMPedometer()
///     pedometer.startUpdates(from: Calendar.current.startOfDay(for: Date())) { data, error in
///       print(data?.numberOfSteps ?? 0)
///     }
///
/// Handlers are called one after the other on a queue of this pedometer. After ``stopUpdates()`` has returned, no
/// handler is called.
public final class CMPedometer: Sendable {
  private let history: HistoryPedometer
  private let live: (any Pedometer)?
  private let queue = DispatchQueue(label: "pedometer.core-motion")
  /// Incremented by each start and stop, to recognise handlers of an earlier session.
  private let sessions = Mutex((data: 0, events: 0))

  /// Creates a pedometer over this user's history.
  public convenience init() { self.init(history: .standard) }

  /// Creates a pedometer over a history and a pedometer of this program.
  /// - Parameters:
  ///   - folder: the folder of the history.
  ///   - live: counts while updates run; `nil` if the service counts.
  public init(history folder: HistoryFolder, live: (any Pedometer)? = nil) {
    history = HistoryPedometer(folder: folder)
    self.live = live
  }

  deinit { live?.pause() }

  // MARK: Availability

  /// Whether steps are available: whether there is a history.
  public static func isStepCountingAvailable() -> Bool { isAvailable() }
  /// Whether distances are available.
  public static func isDistanceAvailable() -> Bool { isAvailable() }
  /// Whether floors were recorded: whether a source had a barometer beside it.
  public static func isFloorCountingAvailable() -> Bool { isAvailable(floors: true) }
  /// Whether the pace is available.
  public static func isPaceAvailable() -> Bool { isAvailable() }
  /// Whether the cadence is available.
  public static func isCadenceAvailable() -> Bool { isAvailable() }
  /// Whether pause events are available.
  public static func isPedometerEventTrackingAvailable() -> Bool { isAvailable() }

  /// Whether this user may read the history.
  public static func authorizationStatus() -> CMAuthorizationStatus { authorizationStatus(of: .standard) }

  static func authorizationStatus(of folder: HistoryFolder) -> CMAuthorizationStatus {
    let history = HistoryPedometer(folder: folder)
    if history.permissionDeclined { return .denied }
    return history.pedometerAvailable ? .authorized : .notDetermined
  }

  static func isAvailable(floors: Bool = false, in folder: HistoryFolder = .standard) -> Bool {
    let history = HistoryPedometer(folder: folder)
    return (floors ? history.floorObstacle : history.obstacle) == nil
  }

  // MARK: Queries

  /// Queries the totals of a period of any age.
  /// - Parameters:
  ///   - start: the start of the period.
  ///   - end: its end.
  ///   - handler: called once, on the pedometer's queue.
  public func queryPedometerData(from start: Date, to end: Date, withHandler handler: @escaping CMPedometerHandler) {
    queue.async { [history] in
      do { handler(CMPedometerData(try history.query(from: start, to: end)), nil) } catch {
        handler(nil, CMFailure(error))
      }
    }
  }

  // MARK: Updates

  /// Reports totals since a moment whenever they grow. A second call starts again.
  /// - Parameters:
  ///   - start: the moment; it may be in the past.
  ///   - handler: receives totals, or an error, which ends the updates.
  public func startUpdates(from start: Date, withHandler handler: @escaping CMPedometerHandler) {
    let session = sessions.withLock { sessions in
      sessions.data += 1
      return sessions.data
    }
    let deliver: CMPedometerHandler = { [weak self] data, error in
      self?.queue.async { [weak self] in
        guard let self, sessions.withLock({ $0.data == session }) else { return }
        handler(data, error)
      }
    }
    guard let live else {
      history.startUpdates(from: start) { walk, error in
        deliver(walk.map { CMPedometerData($0) }, error.map { CMFailure($0) })
      }
      return
    }
    let base: HistoricalWalk?
    do throws(HistoryError) { base = try history.query(from: start, to: max(start, Date())) } catch {
      // Without a history only live totals exist. An existing but unreadable history would make the totals too low.
      guard error.code == .nothingYet else { return deliver(nil, CMFailure(error)) }
      base = nil
    }
    live.start(
      dataUpdates: { data, error in
        deliver(
          data.map { CMPedometerData(from: start, to: Date(), base: base, live: $0) }, error.map { CMFailure($0) })
      },
      eventUpdates: { error in if let error { deliver(nil, CMFailure(error)) } })
  }

  /// Ends the updates.
  public func stopUpdates() {
    sessions.withLock { $0.data += 1 }
    if let live { live.pause() } else { history.stopUpdates() }
  }

  /// Reports from now on when the walker pauses and resumes, from the history, which `pedometerd` keeps.
  /// - Parameter handler: receives events, or an error, which ends the updates.
  public func startEventUpdates(handler: @escaping CMPedometerEventHandler) {
    let session = sessions.withLock { sessions in
      sessions.events += 1
      return sessions.events
    }
    history.startEventUpdates { [weak self] event, error in
      self?.queue.async { [weak self] in
        guard let self, sessions.withLock({ $0.events == session }) else { return }
        handler(event.map { CMPedometerEvent($0) }, error.map { CMFailure($0) })
      }
    }
  }

  /// Ends the events.
  public func stopEventUpdates() {
    sessions.withLock { $0.events += 1 }
    history.stopEventUpdates()
  }
}
