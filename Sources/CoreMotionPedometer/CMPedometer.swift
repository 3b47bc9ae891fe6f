import Dispatch
import Foundation
import History
import Pedometry
import Synchronization

/// Core Motion's `CMPedometer`, member for member, so that an iOS file compiles with `import CoreMotionPedometer` in the
/// place of `import CoreMotion`.
///
/// Behind it stands the history that `pedometerd` keeps, which reaches further back than Core Motion's seven days. A
/// program that counts itself gives its own pedometer to ``init(history:live:)``; updates are then the history until their
/// beginning plus that pedometer's totals.
///
///     let pedometer = CMPedometer()
///     pedometer.startUpdates(from: Calendar.current.startOfDay(for: Date())) { data, error in
///       print(data?.numberOfSteps ?? 0)
///     }
///
/// Handlers are called one after the other on a queue of this pedometer. Once ``stopUpdates()`` has returned, no further
/// handler is begun.
public final class CMPedometer: Sendable {
  private let history: HistoryPedometer
  private let live: (any Pedometer)?
  private let queue = DispatchQueue(label: "pedometer.core-motion")
  /// Rises with each start and stop, so that a handler of a former session is known.
  private let sessions = Mutex((data: 0, events: 0))

  /// A pedometer over this user's history.
  public convenience init() { self.init(history: .standard) }

  /// A pedometer over a history, and over a pedometer of this program.
  /// - Parameters:
  ///   - folder: the folder of the history.
  ///   - live: counts while updates run; `nil` if the service counts.
  public init(history folder: HistoryFolder, live: (any Pedometer)? = nil) {
    history = HistoryPedometer(folder: folder)
    self.live = live
  }

  deinit { live?.pause() }

  // MARK: what can be told

  /// Whether steps can be told: whether there is a history.
  public static func isStepCountingAvailable() -> Bool { isAvailable(.stepCounting) }
  /// Whether distances can be told.
  public static func isDistanceAvailable() -> Bool { isAvailable(.distance) }
  /// Never: the history keeps no floors. Updates of a live pedometer with a barometer have them nevertheless.
  public static func isFloorCountingAvailable() -> Bool { isAvailable(.floorCounting) }
  /// Whether the pace can be told.
  public static func isPaceAvailable() -> Bool { isAvailable(.pace) }
  /// Whether the cadence can be told.
  public static func isCadenceAvailable() -> Bool { isAvailable(.cadence) }
  /// Whether pauses can be told.
  public static func isPedometerEventTrackingAvailable() -> Bool { isAvailable(.eventTracking) }

  /// Whether this user may read the history.
  public static func authorizationStatus() -> CMAuthorizationStatus { authorizationStatus(of: .standard) }

  static func authorizationStatus(of folder: HistoryFolder) -> CMAuthorizationStatus {
    let history = HistoryPedometer(folder: folder)
    if history.permissionDeclined { return .denied }
    return history.pedometerAvailable ? .authorized : .notDetermined
  }

  static func isAvailable(_ capability: PedometerCapability, in folder: HistoryFolder = .standard) -> Bool {
    HistoryPedometer(folder: folder).availability(of: capability).isAvailable
  }

  // MARK: queries

  /// What was walked in a period, however long ago.
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

  // MARK: updates

  /// Reports totals since a moment whenever they grow. A second call starts again.
  /// - Parameters:
  ///   - start: the moment; it may be in the past.
  ///   - handler: gets totals; or an error, which ends the updates.
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
      // Without a history the live totals are all there is. One that is there and cannot be read would make them too low.
      guard case .nothingYet = error else { return deliver(nil, CMFailure(error)) }
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

  /// When the walker stops and goes on, from now; out of the history, which `pedometerd` keeps.
  /// - Parameter handler: gets events; or an error, which ends the updates.
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
