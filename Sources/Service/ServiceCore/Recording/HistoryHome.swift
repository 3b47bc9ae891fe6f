import Analytics
import Foundation
import History
import LiveSources
import Logging
import Pedometry
import Presentation
import ServiceLifecycle

/// A history, what writes it and what answers from it: that of the owner, and one of each walker.
///
/// Nothing of it is shared, so no query of one walker can return data of another.
package final class HistoryHome: Sendable {
  /// What all homes of a service use.
  package struct Settings: Sendable {
    package var access: Sources
    /// Asked for each walk: its walker may change it.
    package var stepLength: @Sendable () -> StepLengthModel
    package var clock: ServiceClock
    package var calendar: @Sendable () -> DayCalendar
    package var environment: [String: String]
    package var limits: ServiceLimits
    package var logger: Logger

    package init(
      access: Sources, stepLength: @escaping @Sendable @autoclosure () -> StepLengthModel, clock: ServiceClock,
      calendar: @escaping @Sendable () -> DayCalendar, environment: [String: String], limits: ServiceLimits,
      logger: Logger
    ) {
      (self.access, self.stepLength, self.clock, self.calendar) = (access, stepLength, clock, calendar)
      (self.environment, self.limits, self.logger) = (environment, limits, logger)
    }
  }

  package let folder: HistoryFolder
  package let settings: Settings
  package let lanes: WorkLanes
  package let writer: HistoryWriter
  package let reader: HistoryReader
  package let goals: GoalFile
  package let walks: WalkAnswers
  package let maintenance: HistoryMaintenance
  package let answers: HistoryAnswers
  package let registry: SourceRegistry
  /// Where the steps and events of sources go.
  package let outlet: SourceOutlet
  package let journals: SampleJournalFolder
  package let clients: ClientSources
  package let messages: ClientMessages
  private let recorder: StepRecorder

  /// Opens a history, which is created if there is none; nothing runs yet.
  /// - Parameters:
  ///   - lanes: of its work.
  ///   - usualGoal: the goal of a day until another one is set.
  ///   - registry: gets the sources.
  ///   - others: where steps, lines and events go besides the history; nowhere for a walker.
  ///   - measured: gets the time from the first queued step until it was safe.
  /// - Throws: `HistoryError`, ``StateFileError``.
  package init(
    _ folder: HistoryFolder, _ settings: Settings, lanes: WorkLanes, usualGoal: Int? = nil,
    registry: SourceRegistry = SourceRegistry(), others: SourceOutlet = SourceOutlet(),
    measured: @escaping @Sendable (Duration) -> Void = { _ in }
  ) throws {
    (self.folder, self.settings, self.lanes, self.registry) = (folder, settings, lanes, registry)
    let (clock, calendar, logger) = (settings.clock, settings.calendar, settings.logger)
    let writer = try HistoryWriter(folder: folder, application: "pedometerd", clock: clock.history)
    let reader = try HistoryReader(folder: folder)
    let goals = try GoalFile(folder: folder.path, usual: usualGoal)
    let walks = try WalkAnswers(folder: folder.path)
    let maintenance = HistoryMaintenance(writer, reader: reader, clock: clock, logger: logger, lanes: lanes)
    let answers = HistoryAnswers(
      reader: reader, clock: clock, calendar: calendar, goals: goals, walks: walks, lanes: lanes,
      maintenance: maintenance, publish: others.publish)
    let recorder = StepRecorder(
      { try writer.record($0, floors: $1, source: $2) }, clock: clock, logger: logger, lane: lanes.steps,
      recorded: { await answers.refresh() }, measured: measured)
    var outlet = others
    outlet.walked = { steps, source in
      recorder.add(steps, source: source)
      others.walked(steps, source)
    }
    outlet.climbed = { floors, source in recorder.add(floors: floors, source: source) }
    outlet.hindered = { logger.warning("\($0)") }
    let stepLength = settings.stepLength
    outlet.doubted = { stretch, source in
      let date = { (time: Duration) in clock.now() - (clock.elapsed() - time).timeInterval }
      let (start, end) = (date(stretch.start), date(stretch.end))
      // Without space for it, only a question is lost.
      Task {
        try? await lanes.keeping.run {
          try walks.add(stretch, from: start, to: end, source: source.name, stepLength())
        }
      }
    }
    self.outlet = outlet
    journals = SampleJournalFolder(
      path: SampleJournalFolder.path(environment: settings.environment, state: folder.path), owner: folder.path,
      latestKept: reader.latestStep(clock))
    clients = ClientSources(
      registry: registry, access: settings.access, stepLength: stepLength(), clock: clock, journals: journals,
      outlet: outlet, limits: settings.limits)
    messages = ClientMessages(
      clients: clients, clock: clock, calendar: calendar,
      count: { reading, source in
        defer { Task { await answers.refresh() } }
        return try await lanes.steps.run { try writer.record(reading, source: source, stepLength: stepLength()) }
      },
      keep: { steps, source in
        defer { Task { await answers.refresh() } }
        return try await lanes.steps.run { try writer.record(period: steps, source: source) }
      })
    (self.writer, self.reader, self.goals, self.maintenance) = (writer, reader, goals, maintenance)
    (self.walks, self.answers, self.recorder) = (walks, answers, recorder)
  }

  /// What runs as long as it is open. The recorder is first, and so the last to stop: it stores all steps before.
  package var services: [any Service] { [recorder, maintenance, clients] }

  /// Adds minutes, and raises those that have fewer steps; returns the number of both.
  package func raise(_ minutes: [HistoryMinute]) async throws -> Int {
    defer { Task { [answers] in await answers.refresh() } }
    return try await lanes.keeping.run { [writer] in try writer.add(minutes) }
  }

  /// Why the history cannot be written at present.
  package var failure: String? { recorder.failure }

  /// Whether writing makes progress, at a time of the service.
  package func isAlive(at now: Duration) -> Bool { recorder.isAlive(at: now) }

  /// Stores what is still to be stored, and closes the history, when nothing else writes it any more.
  package func seal() {
    recorder.seal()
    writer.close()
  }
}

extension HistoryHome: ReportStore {
  package func store(_ report: StoredReport) async throws -> ReportReceipt {
    try await lanes.keeping.run { [writer] in try writer.record(report) }
  }

  package func reports(limit: Int) async throws -> [StoredReport] {
    try await lanes.answers.run { [reader] in try reader.reports(limit: limit) }
  }
}
