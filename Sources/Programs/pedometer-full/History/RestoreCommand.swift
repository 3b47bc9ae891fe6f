import ArgumentParser
import Foundation
import History
import LiveSources
import PedometerCommands
import Terminals

struct RestoreCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "restore",
    abstract: "List the backups of the history, or replace it by one",
    usage: "pedometer history restore [<date>] [--state <folder>]",
    discussion: """
      The service keeps a checked backup of each of the last seven days, and of four weeks before. Without a date, this \
      lists them. With a date, it checks that backup and replaces the history by it. The service must be stopped for \
      that. The present history is kept under another name, with the steps after the backup.

      EXAMPLES
        pedometer history restore
        systemctl stop pedometerd
        pedometer history restore 2026-05-06 --state /var/lib/pedometer
      """)

  @Argument(help: ArgumentHelp("The day of the backup.", valueName: "date"))
  var date: String?
  /// It has the option of the folder.
  @ParentCommand var parent: HistoryCommand

  func run() throws {
    try HistoryPlace.reporting {
      let backups = HistoryBackups(folder: parent.place.folder)
      let all = try backups.list()
      guard let date else { return try list(all, in: backups.folder) }
      guard let backup = all.first(where: { day($0) == date }) else {
        throw SourceFailure(
          message: "no backup of '\(date)'; 'pedometer history restore' lists the backups", status: .noInput)
      }
      let former = try backups.restore(backup, application: "pedometer history restore", now: Date())
      try StandardOutput.write("restored the backup of \(date)\n")
      if let former { try StandardOutput.write(lines: "the former history is \(former)\n") }
    }
  }

  private func day(_ backup: HistoryBackup) -> String { CivilDate(backup.day, offset: 0).date }

  private func list(_ all: [HistoryBackup], in folder: HistoryFolder) throws {
    guard !all.isEmpty else {
      throw SourceFailure(message: "no backups in \(folder.backups); pedometerd makes one a day", status: .noInput)
    }
    let lines = all.map { "\(day($0))  \(($0.size + 1023) / 1024) kB  \(folder.backups)/\($0.name)\n" }
    try StandardOutput.write(lines: lines.joined())
  }
}
