import Glibc

/// The files of the time zones, as the C library finds them: in the folder that `TZDIR` names, or that of the package tzdata.
package enum ZoneFiles {
  package static var folder: String {
    unsafe getenv("TZDIR").map { unsafe String(cString: $0) } ?? "/usr/share/zoneinfo"
  }

  /// Whether a folder has the file of a zone such as `Europe/Berlin`.
  package static func hasZone(_ name: String, in folder: String = folder) -> Bool { isRegularFile("\(folder)/\(name)") }
}
