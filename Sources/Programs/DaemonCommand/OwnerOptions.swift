import ArgumentParser
import Foundation
import PedometerService
import Platform
import ServiceSettings
import Terminals

/// Where the files of the service are, and how results are printed.
struct OwnerOptions: ParsableArguments {
  enum Format: String, ExpressibleByArgument, CaseIterable {
    case text, json
  }

  @Option(help: "The state folder of the service. (default: as the service)", completion: .directory)
  var state: String?

  @Option(
    help: "The service's configuration file. (default: pedometer/pedometerd.yaml in ~/.config or /etc)",
    completion: .file())
  var config: String?

  @Option(help: "The service's time zone, if the file does not contain it.")
  var timeZone: String?

  @Option(help: "The service's start of the day, if the file does not contain it.")
  var dayStart: String?

  @Option(help: "text or json.")
  var format = Format.text

  /// What a command prints: lines of JSON, or text, with a link also as a QR code.
  typealias Output = (json: [String], text: String, link: String?)

  /// Does what a command is for, and prints the result. An error is one sentence and an exit code.
  func work(_ body: (OwnerTools) throws -> Output) throws {
    do {
      var given = GivenSettings()
      let options: [(SettingKey, String?)] = [(.state, state), (.timeZone, timeZone), (.dayStart, dayStart)]
      for (key, value) in options { given.give(key, option: value.map { [$0] } ?? []) }
      // Without a folder or a file, it is about the service that runs.
      let running = state == nil && config == nil ? PedometerDaemon.running() : nil
      given = given.over(running?.given ?? given).over(try PedometerDaemon.file(config ?? running?.config))
      let output = try body(try OwnerTools(given, environment: ProcessInfo.processInfo.environment))
      if format == .json { return try StandardOutput.write(output.json.map { $0 + "\n" }.joined()) }
      try StandardOutput.write(lines: output.text)
      if let link = output.link { try StandardOutput.write(OwnerTools.code(link)) }
    } catch is StandardOutput.Closed {} catch {
      let failure = DaemonFailure(error)
      complain(failure.description)
      throw ExitCode(failure.status.rawValue)
    }
  }
}

/// A command that works on the files of the service.
protocol OwnerCommand: ParsableCommand {
  var owner: OwnerOptions { get }

  /// Does what the command is for, and returns what it prints.
  func work(_ tools: OwnerTools) throws -> OwnerOptions.Output
}

extension OwnerCommand {
  func run() throws { try owner.work(work) }
}

struct LinkOptions: ParsableArguments {
  @Option(help: "The address of the service for links. (default: from the configuration file)")
  var url: String?

  func validate() throws {
    if let url, !OwnerTools.isAddress(url) {
      throw ValidationError("'\(url)' is not an address; give one such as https://steps.example.org")
    }
  }
}

/// Columns, aligned, with a header.
func table(_ rows: [[String]]) -> String {
  let widths = (rows.first ?? []).indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
  return rows.map { row in
    let cells = zip(row, widths).map { $0 + String(repeating: " ", count: $1 - $0.count) }
    return cells.joined(separator: "  ").replacing(/\s+$/, with: "") + "\n"
  }.joined()
}

/// Prints a sentence on standard error, ignoring errors.
func complain(_ sentence: String) { StandardOutput.complain("pedometerd: " + sentence) }
