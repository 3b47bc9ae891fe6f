import Glibc

/// The environment of this process, or one of a test.
package struct ProcessEnvironment {
  private let value: (String) -> String?

  init(_ variables: [String: String]) { value = { variables[$0] } }

  private init(value: @escaping (String) -> String?) { self.value = value }

  package static var current: ProcessEnvironment {
    ProcessEnvironment { name in unsafe getenv(name).map { unsafe String(cString: $0) } }
  }

  /// The value of a variable, if it is set.
  package subscript(name: String) -> String? { value(name) }

  /// Whether the locale uses UTF-8: LC_ALL decides, otherwise LC_CTYPE, otherwise LANG (POSIX.1-2017, 8.2).
  package var isUTF8: Bool {
    let name = locale("LC_CTYPE").lowercased()
    return name.contains("utf-8") || name.contains("utf8")
  }

  /// Whether the locale is one of a country whose roads have miles, as `LC_MEASUREMENT=en_US.UTF-8` says.
  package var readsMiles: Bool {
    let region = locale("LC_MEASUREMENT").split(separator: "_").dropFirst().first?.prefix(2) ?? ""
    return ["US", "GB", "LR", "MM"].contains(region)
  }

  private func locale(_ category: String) -> String {
    ["LC_ALL", category, "LANG"].lazy.compactMap { self[$0] }.first { !$0.isEmpty } ?? ""
  }

  /// Whether colours may be used: NO_COLOR is not set to anything (no-color.org).
  package var allowsColour: Bool { self["NO_COLOR"]?.isEmpty ?? true }

  /// The number of colours of the terminal: none with NO_COLOR; otherwise as COLORTERM and TERM say.
  package var colourDepth: ColourDepth {
    guard allowsColour else { return .none }
    let term = (self["TERM"] ?? "").lowercased()
    if ["truecolor", "24bit"].contains(self["COLORTERM"]?.lowercased()) || term.hasSuffix("-direct") { return .direct }
    if term.contains("256color") { return .palette }
    return term.isEmpty || term == "dumb" || term.hasPrefix("vt") || term.hasSuffix("-m") ? .none : .sixteen
  }
}
