import CSensorShim
import Synchronization

protocol StoppableSession: AnyObject, Sendable {
  func stop()
  func waitUntilClosed(atMost timeout: Duration)
}

/// All sensors that this process is reading.
///
/// Buffers, triggers and counters are settings of the whole machine and must be restored before the process ends. A
/// command calls ``stopAll(atMost:)`` before it exits, also on SIGINT or SIGTERM; from a thread or a dispatch source
/// that received the signal, not from the signal handler, where locks and allocation are not allowed.
public enum SensorSessions {
  /// Stops all sessions and waits until each has restored its settings.
  /// - Parameter timeout: the maximum wait for each, in case a sensor hangs.
  public static func stopAll(atMost timeout: Duration = .seconds(2)) { SessionRegistry.shared.stopAll(atMost: timeout) }

  /// Call it before reading sensors for a long time. If transparent huge pages are always enabled, the first use of a
  /// thread's stack may cost 2 MiB of memory; this prevents it.
  package static func saveMemory() { _ = sensor_avoid_huge_pages() }

  /// Call it when a program has begun to count: the code that found and opened the sensor then counts no longer as its memory.
  /// Costs some hundred page faults, of pages that are in memory anyway.
  package static func giveBackCode() { sensor_release_code() }

  /// The number of sensors being read.
  public static var count: Int { SessionRegistry.shared.count }
}

/// The registry behind ``SensorSessions``; tests use their own.
final class SessionRegistry: Sendable {
  /// One per process, because a signal ends the whole process: the code that restores all settings then does not know the
  /// readers.
  static let shared = SessionRegistry()
  private let running = Mutex<[ObjectIdentifier: any StoppableSession]>([:])

  var count: Int { running.withLock { $0.count } }

  func stopAll(atMost timeout: Duration) {
    let sessions = running.withLock { Array($0.values) }
    for session in sessions { session.stop() }
    for session in sessions { session.waitUntilClosed(atMost: timeout) }
  }

  func add(_ session: any StoppableSession) { running.withLock { $0[ObjectIdentifier(session)] = session } }
  func remove(_ session: any StoppableSession) {
    _ = running.withLock { $0.removeValue(forKey: ObjectIdentifier(session)) }
  }
}
