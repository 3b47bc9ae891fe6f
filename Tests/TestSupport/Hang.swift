/// When a test gives up on another process, a socket or a lock.
///
/// A test never waits for time to pass: it waits for an event, and this limit only ends a wait for one that never comes.
/// It is long because machines are busy: a program that takes a second may take minutes beside others.
public enum Hang {
  /// After so long without the event, the other side is taken for hung.
  public static let limit: Duration = .seconds(600)
  /// ``limit``, for `poll(2)`.
  public static let milliseconds: Int32 = 600_000
  /// ``limit``, for `timeout(1)` and Dispatch.
  public static let seconds = 600
}
