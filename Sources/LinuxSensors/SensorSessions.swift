import CSensorShim
import Synchronization

/// A sensor being read, for ending all of them.
protocol StoppableSession: AnyObject, Sendable {
  func stop()
  func waitUntilClosed(atMost timeout: Duration)
}

/// Every sensor that this process reads at present.
///
/// Buffers, triggers and counters are the whole machine's: they have to be put back before the process ends. A command
/// calls ``stopAll(atMost:)`` before it exits, also when SIGINT or SIGTERM makes it; from a thread or a dispatch
/// source that received the signal, not from within the raw handler, where neither locks nor memory may be touched.
public enum SensorSessions {
  /// Ends all readings and waits until each has put back what it changed.
  /// - Parameter timeout: how long to wait for each; a sensor that hangs must not hang the command.
  public static func stopAll(atMost timeout: Duration = .seconds(2)) { SessionRegistry.shared.stopAll(atMost: timeout) }

  /// To be called before a process begins to read sensors for a long time. Where the kernel gives huge pages to everything,
  /// the first touch of a thread's stack may cost 2 MiB of memory; from now on it does not.
  package static func saveMemory() { _ = sensor_avoid_huge_pages() }

  /// How many sensors are being read.
  public static var count: Int { SessionRegistry.shared.count }
}

/// The list behind ``SensorSessions``; tests have lists of their own.
final class SessionRegistry: Sendable {
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
