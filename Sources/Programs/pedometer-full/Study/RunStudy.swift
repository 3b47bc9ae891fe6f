import ArgumentParser
import Foundation
import History
import JSONLines
import LiveSources
import PedometerCommands
import Platform
import Presentation
import Studies
import Synchronization
import Terminals

struct RunStudy: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "run",
    abstract: "Analyse recordings (default)",
    discussion: """
      If several recordings fail, the first of 75, 73, 77, 66, 65 wins. With --keep-going, 65, 66 and 77 of recordings are \
      recorded and the exit code is 0.
      """)

  @OptionGroup var place: StudyPlace
  @OptionGroup(title: "Analysis") var analysis: StudyOptions
  @OptionGroup(title: "Reading recordings") var reading: ReadingOptions

  @Option(help: ArgumentHelp("Analyse one part of the recordings, such as 3/20.", valueName: "i/n"))
  var shard: Shard?

  @Option(
    name: [.customShort("j", allowingJoined: true), .long], parsing: .unconditional,
    help: "How many recordings to analyse in parallel. (default: number of cores)")
  var jobs: Int?

  @Flag(help: "Record failures of recordings, and exit with 0.")
  var keepGoing = false

  func validate() throws {
    if let jobs, jobs < 1 { throw ValidationError("--jobs takes a number of at least 1") }
    _ = try analysis.parameters(reading)
  }

  func run() throws {
    StandardOutput.ignoreBrokenPipes()
    EarlyEnd.says("interrupted; to continue, run the same command again")
    var manifest = try StudySources.manifest(place.sources, output: place.output)
    try analysis.apply(to: &manifest)
    let entries = shard.map { manifest.shard($0.index, of: $0.count) } ?? manifest.entries
    var run = StudyRun(
      entries: entries, folder: StudyFolder(place.output), parameters: try analysis.parameters(reading),
      reading: try reading.recordingOptions(), version: Version.current)
    run.jobs = jobs ?? ProcessInfo.processInfo.activeProcessorCount
    run.stepLength = try analysis.walker.stepLengthModel()
    let line = StudyProgressLine(of: entries.count)
    let outcomes = run.run { entry, outcome, progress in line.tell(entry, outcome, progress) }
    line.finish()
    if let fault = Self.fault(outcomes, keepGoing: keepGoing) { throw fault.exitCode }
  }

  static func fault(_ outcomes: [StudyRun.Outcome], keepGoing: Bool) -> ExitStatus? {
    let faults = outcomes.compactMap { outcome -> ExitStatus? in
      if case .failed(let fault, _) = outcome { return fault }
      return nil
    }
    let bySeverity: [ExitStatus] = [.busy, .cannotCreate] + (keepGoing ? [] : [.permission, .noInput, .badData])
    return bySeverity.first(where: faults.contains)
  }
}

/// `3/20`.
struct Shard: ExpressibleByArgument {
  let index: Int
  let count: Int

  init?(argument: String) {
    let parts = argument.split(separator: "/", omittingEmptySubsequences: false).map { Int($0) }
    guard parts.count == 2, let index = parts[0], let count = parts[1], count >= 1, (1...count).contains(index) else {
      return nil
    }
    (self.index, self.count) = (index, count)
  }
}

struct StudyOptions: ParsableArguments {
  @OptionGroup var walker: WalkerOptions
  @OptionGroup var recognition: RecognitionOptions

  @Option(parsing: .unconditional, help: "Hours of wear for a valid day.")
  var validDay = 10.0

  @Option(help: "Start of the day, HH:MM.")
  var dayStart = "00:00"

  @Option(help: "The participants' time zone, such as Europe/Berlin, if the manifest has none.")
  var timeZone: String?

  @Option(help: "The zone of the recorders' clocks, if different from the participants', such as UTC.")
  var recorderTimeZone: String?

  @Flag(help: "Write the mean amplitude deviation (MAD) in addition to ENMO.")
  var mad = false

  @Flag(help: "Measure the gait of each bout: step and stride times, their variability, symmetry.")
  var gait = false

  @Flag(help: "Calibrate each sensor first, by its periods of rest (van Hees 2014).")
  var autocalibrate = false

  func parameters(_ reading: ReadingOptions) throws -> StudyParameters {
    var parameters = StudyParameters()
    guard (0...24).contains(validDay) else { throw ValidationError("--valid-day takes hours, from 0 to 24") }
    parameters.validDay = validDay
    guard let start = DayCalendar.dayStart(dayStart) else {
      throw ValidationError("--day-start takes a time such as 04:00, not '\(dayStart)'")
    }
    parameters.dayStart = Int(start / .seconds(60))
    parameters.includesMAD = mad
    parameters.measuresGait = gait
    parameters.calibrates = autocalibrate
    _ = try zone(timeZone, "--time-zone")
    _ = try zone(recorderTimeZone, "--recorder-time-zone")
    parameters.reading = reading.words + walker.words
    return parameters
  }

  private func zone(_ text: String?, _ option: String) throws -> ZonePlan? {
    guard let text else { return nil }
    if let plan = ZonePlan(text) { return plan }
    throw ValidationError("\(option) '\(text)' is unknown; give one such as Europe/Berlin or +02:00")
  }

  private func learn(_ entry: inout StudyEntry) throws {
    guard let profile = entry.profile, entry.learned == nil else { return }
    entry.learned = try RecognitionOptions.learned(profile, place: entry.line > 0 ? "line \(entry.line): " : "")
  }

  /// Sets the time zones that the manifest does not contain.
  func apply(to manifest: inout StudyManifest) throws {
    let (home, recorder) = (try zone(timeZone, "--time-zone"), try zone(recorderTimeZone, "--recorder-time-zone"))
    for index in manifest.entries.indices {
      manifest.entries[index].zones = manifest.entries[index].zones ?? home
      manifest.entries[index].recorderZone = manifest.entries[index].recorderZone ?? recorder
      if recognition.walking, manifest.entries[index].isWalk == nil { manifest.entries[index].isWalk = true }
      manifest.entries[index].profile = manifest.entries[index].profile ?? recognition.profile
      try learn(&manifest.entries[index])
    }
  }
}

/// The progress on standard error: one line that is replaced, or plain lines without a terminal.
final class StudyProgressLine: Sendable {
  private let isTerminal: Bool
  private let total: Int
  private let start: ContinuousClock.Instant
  private let latest: Mutex<ContinuousClock.Instant>
  private let progress = Mutex(StudyRun.Progress())

  init(of total: Int, isTerminal: Bool = StandardOutput.errorIsTerminal, start: ContinuousClock.Instant = .now) {
    (self.total, self.isTerminal, self.start) = (total, isTerminal, start)
    latest = Mutex(start)
  }

  func tell(_ entry: StudyEntry, _ outcome: StudyRun.Outcome, _ progress: StudyRun.Progress) {
    self.progress.withLock { $0 = progress }
    if case .failed(let fault, let message) = outcome {
      if isTerminal { StandardOutput.clearProgress() }
      // Messages about files start with the path.
      let title = message.hasPrefix(entry.name) ? "" : "\(entry.id): "
      complain("\(title)\(message) (\(fault.rawValue))")
    }
    guard let line = line(progress, at: .now) else { return }
    if isTerminal { StandardOutput.showProgress(line) } else { StandardOutput.complain(line) }
  }

  /// The line to show at a time; `nil` if the last one is recent: less than 200 ms old on a terminal, a minute elsewhere.
  func line(_ progress: StudyRun.Progress, at now: ContinuousClock.Instant) -> String? {
    let isDue = latest.withLock { latest in
      guard now - latest >= (isTerminal ? .milliseconds(200) : .seconds(60)) else { return false }
      latest = now
      return true
    }
    guard isDue else { return nil }
    var line = "\(progress.finished) of \(total) recordings"
    if progress.failed > 0 { line += ", \(progress.failed) failed" }
    let (elapsed, fresh) = (now - start, progress.done + progress.failed)
    guard fresh > 0, elapsed > .seconds(1) else { return line }
    let seconds: Double = elapsed / .seconds(1)
    let speed = Double(progress.bytes) / 1e6 / seconds
    line += ", \(Decimals.text(speed, 0) ?? "?") MB/s"
    let left = total - progress.finished
    return left > 0 ? line + ", \(Decimals.duration(elapsed / fresh * left)) left" : line
  }

  func finish() {
    if isTerminal { StandardOutput.clearProgress() }
    let progress = progress.withLock { $0 }
    StandardOutput.complain(
      "\(progress.done) analysed, \(progress.kept) kept from an earlier run, \(progress.failed) failed")
  }
}
