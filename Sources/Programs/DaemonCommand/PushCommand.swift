import ArgumentParser
import PedometerService
import Terminals

struct PushCommand: OwnerCommand {
  static let configuration = CommandConfiguration(
    commandName: "push", abstract: "Show what the service would tell the target of 'push'",
    discussion: """
      With 'push' in its configuration, the service tells another one the steps of each day when it has ended, and again \
      if it changes. This shows the requests that are due, without the token, and sends nothing.
      """)

  @Flag(name: .customLong("dry-run"), help: "Show the requests. The service itself sends them.")
  var isDryRun = false
  @OptionGroup var owner: OwnerOptions

  func validate() throws {
    if !isDryRun { throw ValidationError("the service sends what is due by itself; give --dry-run to see it") }
  }

  func work(_ tools: OwnerTools) throws -> OwnerOptions.Output {
    let pushes = try tools.pushes()
    let text = pushes.isEmpty ? "Nothing is due.\n" : pushes.map(\.text).joined(separator: "\n")
    return (pushes.map(\.json), text, nil)
  }
}
