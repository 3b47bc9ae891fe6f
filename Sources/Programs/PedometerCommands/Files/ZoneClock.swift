import Platform
import Recordings
import Terminals

/// A time zone by its name in the system's database, or a fixed offset from UTC.
///
/// The C library has one zone per process: a name is set as `TZ`, which no other code of a command that reads
/// recordings uses later.
struct ZoneClock: Sendable {
  private let name: String
  private let fixed: Int?

  /// - Parameter name: `Europe/Berlin`, `UTC`, `Z`, `+02:00`, `-0530`, `GMT+2`.
  init?(_ name: String) {
    self.name = name
    if let offset = UTCOffset.seconds(name) {
      fixed = offset
      return
    }
    guard !name.isEmpty, !name.hasPrefix("/"), !name.contains(".."), ZoneFiles.hasZone(name) else { return nil }
    unsafe setenv("TZ", name, 1)
    tzset()
    fixed = nil
  }

  /// Why a name was refused, and what to give instead.
  static var refusal: String {
    if ZoneFiles.hasZone("Europe/Berlin") { return "is unknown; give one such as Europe/Berlin or +02:00" }
    return
      "cannot be found, because \(ScreenText.printable(ZoneFiles.folder)) has no time zones; install tzdata, or give an "
      + "offset such as +02:00"
  }

  var zone: RecordingZone {
    let fixed = fixed
    return RecordingZone(name: name) { nanoseconds in fixed ?? Self.offset(Int(nanoseconds / 1_000_000_000)) }
  }

  private static func offset(_ seconds: Int) -> Int {
    var moment = time_t(seconds)
    var parts = unsafe tm()
    unsafe localtime_r(&moment, &parts)
    return unsafe Int(parts.tm_gmtoff)
  }
}
