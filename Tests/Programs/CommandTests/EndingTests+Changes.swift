import Foundation
import Glibc
import History
import TestSupport
import Testing

extension EndingTests {
  /// A folder with a history and a file to import.
  func walked(at now: Date = Date()) throws -> TemporaryDirectory {
    let folder = try TemporaryDirectory()
    let writer = try HistoryWriter(folder: HistoryFolder(path: folder.path + "/state"), application: "tests")
    try writer.record(
      (0..<600).map {
        WalkedStep(
          time: now + (Double($0) / 2 - 400), distance: 0.7, activeTime: .milliseconds(500))
      }, source: HistorySource(identity: "usb:1", name: "wrist"))
    writer.close()
    try folder.write(Array(("date,steps\n" + (10..<14).map { "2026-01-\($0),1200\n" }.joined()).utf8), to: "days.csv")
    return folder
  }

  @Test(
    "a signal in the middle of a change: the rest is made by the same command again, and nothing hidden is left",
    arguments: Change.allCases, [[SIGINT], [SIGTERM, SIGTERM], [SIGTERM, SIGHUP]])
  func interruptedChange(_ change: Change, _ signals: [Int32]) throws {
    let now = Date()
    let (whole, folder) = (try walked(at: now), try walked(at: now))
    for path in [whole.path, folder.path] {
      try FileManager.default.createDirectory(
        atPath: path + "/" + change.place, withIntermediateDirectories: true)
    }
    try #require(try run(change.arguments, in: whole).ending == .exit(0))
    let watch = try FolderWatch(folder.path + "/" + change.place)
    let running = try start(change.arguments, in: folder)
    try watch.waitForBytes()
    for number in signals { running.send(signal: number) }
    let transcript = try running.finishWithOpenInput()
    // It may have been faster.
    #expect(transcript.ending == .exit(0) || signals.contains { transcript.ending == .signal($0) }, "\(transcript)")
    #expect(!change.names(in: folder).contains { $0.hasSuffix(".part") }, "\(change.names(in: folder))")
    #expect(try run(change.arguments, in: folder).ending == .exit(0))
    #expect(change.names(in: folder) == change.names(in: whole))
    let days = [
      "history", "--state", "other", "--from", "2026-01-01", "--to", "2026-02-01", "--bucket", "day", "--format", "csv",
    ]
    #expect(try change != .import || run(days, in: folder).output == run(days, in: whole).output)
  }

  /// A command that changes the files of a folder.
  enum Change: String, CaseIterable {
    case `import`, export, analytics

    var arguments: [String] {
      switch self {
      case .import: ["import", "--state", "other", "days.csv"]
      case .export: ["export", "--state", "state", "--format", "tcx", "--shortest", "0", "-o", "out"]
      case .analytics: ["analytics", "on", "--url", "http://127.0.0.1:8080", "--token-file", "/dev/null"]
      }
    }
    /// The folder that it changes.
    var place: String {
      switch self {
      case .import: "other"
      case .export: "out"
      case .analytics: "config/pedometer"
      }
    }
    func names(in folder: TemporaryDirectory) -> [String] {
      // SQLite keeps its journal beside a database that was not closed.
      TemporaryDirectory.names(in: folder.path + "/" + place).filter { !$0.hasSuffix("-wal") && !$0.hasSuffix("-shm") }
    }
  }

  private func start(_ arguments: [String], in folder: TemporaryDirectory) throws -> RunningExecutable {
    try Executable.built("pedometer").inFolder(folder.path).start(arguments, environment: Self.environment(folder))
  }

  private func run(_ arguments: [String], in folder: TemporaryDirectory) throws -> Transcript {
    try Executable.built("pedometer").inFolder(folder.path).run(arguments, environment: Self.environment(folder))
  }

  private static func environment(_ folder: TemporaryDirectory) -> [String: String] {
    ["HOME": folder.path, "XDG_CONFIG_HOME": folder.path + "/config", "XDG_STATE_HOME": ""]
  }
}
