import Foundation
import Platform

/// The two clocks of a history: the wall clock, which can be set, and the time since boot, which cannot.
///
/// If their difference changes, the wall clock was set by that amount. Therefore no steps are lost or counted twice
/// when the clock is set back.
public struct HistoryClock: Sendable {
  /// The wall clock.
  public var now: @Sendable () -> Date
  /// The time since boot, including sleep.
  public var uptime: @Sendable () -> Duration
  /// Changes with each boot.
  public var bootID: String

  /// Creates a clock.
  public init(
    now: @escaping @Sendable () -> Date, uptime: @escaping @Sendable () -> Duration = HistoryClock.systemUptime,
    bootID: String = HistoryClock.systemBootID
  ) { (self.now, self.uptime, self.bootID) = (now, uptime, bootID) }

  /// The clock of this machine.
  public static let system = HistoryClock(now: { Date() })

  /// The time of an event on the wall clock as it is set now, from its time since boot.
  public func time(atUptime time: Duration) -> Date { Date(microseconds: reading.offset + time.microseconds) }

  /// `CLOCK_BOOTTIME`.
  @Sendable public static func systemUptime() -> Duration {
    var time = timespec()
    unsafe clock_gettime(CLOCK_BOOTTIME, &time)
    return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
  }

  /// `/proc/sys/kernel/random/boot_id`; empty if there is none.
  public static let systemBootID: String = {
    let text = (try? String(contentsOfFile: "/proc/sys/kernel/random/boot_id", encoding: .utf8)) ?? ""
    return text.trimmingCharacters(in: .whitespacesAndNewlines)
  }()

  struct Reading {
    /// Microseconds since 1970.
    var now: Int64
    /// The time of the boot on the wall clock as it is set now.
    var offset: Int64
  }

  /// Reads both clocks. On a busy machine, the process may be suspended between the two; the delay would be mistaken for a
  /// change of the wall clock, so it reads again.
  var reading: Reading {
    var since = uptime()
    for _ in 0..<Self.mostReadings {
      let now = now().microseconds
      let until = uptime()
      if until - since <= Self.longestReading { return Reading(now: now, offset: now - until.microseconds) }
      since = until
    }
    let now = now().microseconds
    return Reading(now: now, offset: now - uptime().microseconds)
  }

  /// Far less than ``ClockWatch/tolerance``.
  private static let longestReading = Duration.milliseconds(10)
  private static let mostReadings = 10
}
