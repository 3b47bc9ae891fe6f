import ArgumentParser
import Foundation
import Glibc
import History
import JSONLines
import LiveSources
import PedometerCommands
import Pedometry
import Platform

/// `pedometer import`: steps that other programs recorded.
struct ImportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "import",
    abstract: "Add steps that other programs recorded to the history",
    usage: "pedometer import [--dry-run] [<options>] <file> ...",
    discussion: """
      Reads 'pedometer export' (CSV or JSON Lines), Apple Health (export.xml), the databases that Gadgetbridge, Health \
      Connect and SecUSo's Pedometer export, Google Takeout (Fit, All Data, step_count.delta as JSON), the files of a \
      Garmin watch's folder GARMIN/MONITOR, and lists of days (CSV with date and steps, as of stepsy). Each device is a source in the history. Steps of a period \
      that was counted here are not added again, and a file can be imported repeatedly.

      If pedometerd is writing the history, stop it during the import.

      EXAMPLES
        pedometer import --dry-run export.xml
        pedometer import export.xml Gadgetbridge.db
        pedometer import health_connect_export.db GARMIN/MONITOR/*.FIT
        pedometer export > walked.csv; pedometer import --state copy walked.csv

      EXIT CODES
        0  imported                     64 usage error
        65 not a known file, or damaged 66 no such file
        74 read or write error          75 the history is being written
        77 permission denied
      """)

  @Argument(help: ArgumentHelp("Files of other programs.", valueName: "file"), completion: .file())
  var files: [String]
  @Flag(name: .customLong("dry-run"), help: "Show what would be added, and change nothing.")
  var isDryRun = false
  @Option(help: ArgumentHelp("Step length in metres, for files without distances.", valueName: "metres"))
  var stepLength: Double?
  @Option(
    help: ArgumentHelp(
      "Folder of the history. (default: $XDG_STATE_HOME/pedometer or ~/.local/state/pedometer)", valueName: "folder"))
  var state: String?
  @Option(help: "text or json (JSON Lines).")
  var format = Format.text

  enum Format: String, ExpressibleByArgument, CaseIterable {
    case text, json
  }

  func validate() throws {
    if files.isEmpty { throw ValidationError("missing file; give one, such as export.xml") }
    if let stepLength, !(0.1...3).contains(stepLength) {
      throw ValidationError("--step-length \(stepLength) is out of range; give 0.1 to 3 metres, such as 0.72")
    }
  }

  func run() throws {
    try HistoryPlace.reporting {
      do {
        let now = Date()
        // Everything is read before anything is written.
        let contents = try files.map { try ($0, ImportFile.read($0, now: now)) }
        let folder = state.map { HistoryFolder(path: $0) } ?? .standard
        let writer = isDryRun ? nil : try HistoryWriter(folder: folder, application: "pedometer import")
        defer { writer?.close() }
        for (path, content) in contents { try add(content, of: path, to: folder, writer) }
      } catch let failure as ImportFailure {
        StandardOutput.complain("pedometer: \(failure)")
        throw ExitStatus.badData.exitCode
      }
    }
  }

  private func add(_ content: ImportedFile, of path: String, to folder: HistoryFolder, _ writer: HistoryWriter?) throws
  {
    var plan = ImportPlan(stepLength: stepLength.map { .fixed($0) } ?? .walkRatio())
    let times = content.periods.flatMap { [$0.start, $0.end] } + content.minutes.map(\.start)
    if let first = times.min(), let last = times.max() {
      do {
        try HistoryReader(folder: folder).minutes(from: first - 60, to: last + 120) { plan.know($0) }
      } catch let error as HistoryError where error.code == .nothingYet {}
    }
    let results = plan.take(content.minutes) + plan.take(content.periods)
    for result in results {
      var added = 0
      for start in stride(from: 0, to: result.minutes.count, by: 10_000) {
        added += try writer?.add(Array(result.minutes[start..<min(start + 10_000, result.minutes.count)])) ?? 0
      }
      try StandardOutput.write(line(result, minutes: writer == nil ? result.minutes.count : added, path))
    }
    if results.isEmpty { StandardOutput.complain("pedometer: \(path): no steps found") }
    for notice in content.notices { StandardOutput.complain("pedometer: \(path): \(notice)") }
    if content.refused > 0 {
      StandardOutput.complain("pedometer: \(path): \(content.refused) entries with impossible figures were left out")
    }
  }

  private func line(_ result: ImportPlan.Result, minutes: Int, _ path: String) -> String {
    if format == .json {
      var line = JSONLine()
      line.add("file", path)
      line.add("source", result.source.identity)
      line.add("name", result.source.name)
      line.add("steps", result.steps)
      line.add("newSteps", result.new)
      line.add("minutes", minutes)
      line.add("dryRun", isDryRun)
      return line.line
    }
    let verb = isDryRun ? "would add" : "added"
    let time = "\(minutes) minute\(minutes == 1 ? "" : "s")"
    return "\(result.source.name): \(verb) \(result.new) of \(result.steps) steps, in \(time)\n"
  }
}

/// Recognises a file by its first bytes.
enum ImportFile {
  /// Reads a file.
  /// - Throws: ``ImportFailure``, `SourceFailure`.
  static func read(_ path: String, now: Date) throws -> ImportedFile {
    guard let handle = FileHandle(forReadingAtPath: path) else {
      let isMissing = unsafe access(path, F_OK) != 0
      throw SourceFailure(
        message: "\(path) \(isMissing ? "does not exist" : "cannot be read")",
        status: isMissing ? .noInput : .permission)
    }
    var status = stat()
    guard unsafe fstat(handle.fileDescriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      throw ImportFailure(sentence: "\(path) is not a file; unpack folders and archives first")
    }
    let head = handle.readData(ofLength: 4096)
    if head.starts(with: Array("SQLite format 3\0".utf8)) { return try StepDatabase.read(path, now: now) }
    if head.starts(with: [0x50, 0x4B]) || head.starts(with: [0x1F, 0x8B]) {
      throw ImportFailure(sentence: "\(path) is an archive; unpack it first, and give the file inside")
    }
    let text = String(decoding: head.starts(with: [0xEF, 0xBB, 0xBF]) ? head.dropFirst(3) : head, as: UTF8.self)
    let start = text.drop { $0.isWhitespace }
    if start.hasPrefix("<") { return try AppleHealth.read(path, now: now) }
    if OwnExport.isOwn(start) {
      let rest = handle.readDataToEndOfFile()
      return try OwnExport.read(path, String(decoding: head + rest, as: UTF8.self))
    }
    if GarminMonitoring.isFIT(head) {
      return try GarminMonitoring.read(path, Array(head + handle.readDataToEndOfFile()), now: now)
    }
    if DailySteps.isList(start) {
      let text = String(decoding: head + handle.readDataToEndOfFile(), as: UTF8.self)
      return try DailySteps.read(
        path, text.hasPrefix("\u{FEFF}") ? String(text.dropFirst()) : text, DayCalendar(), now: now)
    }
    if start.hasPrefix("{") { return try GoogleFit.read(path, head + handle.readDataToEndOfFile(), now: now) }
    throw ImportFailure(
      sentence: "\(path) is not a file that can be imported; give one of 'pedometer export', Apple Health, "
        + "Gadgetbridge, Google Takeout, Health Connect, a Garmin watch or SecUSo's Pedometer, or a list of days (date,steps)"
    )
  }
}
