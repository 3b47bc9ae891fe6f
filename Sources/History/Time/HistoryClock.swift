import Foundation
import Glibc

/// The two clocks that a history needs: the wall clock, which can be set, and the time since boot, which cannot.
///
/// Where their difference changes, the wall clock was set, and by how much is known. That keeps a step from being lost
/// when the clock goes back, and from being counted twice.
public struct HistoryClock: Sendable {
  /// The wall clock.
  public var now: @Sendable () -> Date
  /// The time since boot, the time asleep included.
  public var uptime: @Sendable () -> Duration
  /// Another one after each boot.
  public var bootID: String

  /// Makes a clock.
  public init(
    now: @escaping @Sendable () -> Date, uptime: @escaping @Sendable () -> Duration = HistoryClock.systemUptime,
    bootID: String = HistoryClock.systemBootID
  ) {
    self.now = now
    self.uptime = uptime
    self.bootID = bootID
  }

  /// This machine's.
  public static let system = HistoryClock(now: { Date() })

  /// The wall time of something that happened at a time since boot, as the wall clock shows it now.
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

  /// Both clocks at one moment.
  struct Reading {
    /// Microseconds since 1970.
    var now: Int64
    /// The wall time at which the machine booted, as the wall clock sees it now.
    var offset: Int64
  }

  var reading: Reading {
    let now = now().microseconds
    return Reading(now: now, offset: now - uptime().microseconds)
  }
}
