import LiveSources

/// Why walkers or challenges cannot be changed: one sentence, and the exit code of a command.
package struct PeopleError: Error, Sendable, Hashable, CustomStringConvertible {
  package let exitStatus: ExitStatus
  package let description: String

  init(_ exitStatus: ExitStatus, _ description: String) {
    (self.exitStatus, self.description) = (exitStatus, description)
  }

  package static let noChallenge = Self(
    .noInput, "there is no such challenge; 'pedometerd challenges list' shows them")
  static let owner = Self(
    .usage, "the owner needs no token and cannot be removed; 'pedometerd walkers owner' changes the name")

  static func noWalker(_ name: String) -> Self {
    Self(.noInput, "there is no walker '\(name)'; 'pedometerd walkers list' shows them")
  }

  static func taken(_ name: String) -> Self {
    Self(.usage, "there is a walker '\(name)' already; choose another name")
  }

  static func removed(_ name: String) -> Self {
    Self(
      .usage,
      "'\(name)' was removed and the history was kept; restore the access with 'walkers token', or choose another name")
  }
}
