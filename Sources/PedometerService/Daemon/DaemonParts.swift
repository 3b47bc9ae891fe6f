import Foundation
import History
import LiveSources
import Logging
import Presentation
import RaceRoom
import ServiceLifecycle

/// Everything that the service is made of, put together once.
struct DaemonParts {
  /// In the order in which they begin; they end in the reverse one, so what counts is kept before the keeper ends.
  private(set) var services: [any Service] = []
  let backend: DaemonBackend
  /// Closed when everything has ended.
  let writer: HistoryWriter

  /// Opens the history and connects everything; nothing runs yet.
  /// - Throws: `HistoryError`, ``ConfigurationError``.
  init(
    _ configuration: ServiceConfiguration, access: SourceAccess, clock: ServiceClock, notifier: ServiceNotifier,
    environment: [String: String], logger: Logger
  ) throws {
    let folder = configuration.state.map { HistoryFolder(path: $0) } ?? .standard
    writer = try HistoryWriter(folder: folder, application: "pedometerd", now: clock.now)
    for path in writer.setAside {
      logger.error("the history was damaged; it was moved to \(path), and a new one was created")
    }
    let reader = try HistoryReader(folder: folder)
    let invitation = try Invitation(configuration, folder: folder.path, environment: environment, logger: logger)
    let settings = invitation.settings
    // Numbers go on where the run before can at most have ended, so that nobody resumes at a line of another run.
    let metrics = ServiceMetrics(version: Version.current)
    let hub = EventHub(first: UInt64(max(1, clock.now().timeIntervalSince1970 * 1000)), metrics: metrics)
    let publish: @Sendable (String) -> Void = { hub.publish($0) }
    let calendar = configuration.calendar
    let lanes = WorkLanes()
    let day = DaySummary(
      reader: reader, clock: clock, calendar: calendar,
      goals: GoalFile(folder: folder.path, usual: configuration.goal), lanes: lanes, publish: publish)
    let recorder = StepRecorder(
      writer, clock: clock, logger: logger, lane: lanes.steps, recorded: { await day.refresh() },
      measured: { metrics.kept(in: $0) })
    let registry = SourceRegistry()
    let pedometer = ServicePedometer { registry.states }
    let outlet = SourceOutlet.of(recorder: recorder, pedometer: pedometer, publish: publish, logger: logger)
    let uris = configuration.sources.isEmpty ? [nil] : configuration.sources.map(Optional.some)
    let accounts = uris.map { uri in
      SourceAccount(name: uri.map { "\($0)" } ?? ServiceCounter.best, isOneOfSeveral: uris.count > 1, outlet: outlet)
    }
    registry.accounts = accounts
    let journals = SampleJournalFolder(
      path: SampleJournalFolder.path(environment: environment, state: folder.path), owner: folder.path,
      latestKept: reader.latestStep(clock))
    let runners = zip(uris, accounts).map { uri, account in
      SourceRunner(
        uri: uri, access: access, stepLength: configuration.stepLength, clock: clock, account: account,
        journals: journals)
    }
    let clients = ClientSources(
      registry: registry, access: access, stepLength: configuration.stepLength, clock: clock, journals: journals,
      outlet: outlet, limits: configuration.http.limits)
    let writer = writer
    let keep: ClientRoutes.Keep = { steps, source in
      defer { Task { await day.refresh() } }
      return try await lanes.steps.run { try writer.record(steps, source: source) }
    }
    let controller = ChaseController(pedometer: pedometer, clock: clock, publish: publish)
    backend = DaemonBackend(
      registry: registry, day: day, controller: controller, reader: reader, access: access, clock: clock,
      calendar: calendar,
      lanes: lanes)
    let rooms = RoomService()
    let listening = ReadySignal()
    let http = try ServiceApplication(
      backend: backend, hub: hub, metrics: metrics, settings: settings,
      groups: [
        RoomRoutes(rooms: rooms, limits: configuration.http.limits),
        AnalyticsRoutes(
          store: HistoryReports(writer: writer, reader: reader, lanes: lanes), limits: configuration.http.limits,
          clock: clock.now),
        ClientRoutes(clients: clients, limits: configuration.http.limits, clock: clock, keep: keep),
      ], logger: logger,
      onListening: { addresses in
        for address in addresses { logger.notice("listening on \(address)") }
        invitation.tell(addresses, logger)
        listening.fire(addresses.map(\.description).joined(separator: ", "))
      })
    services = [
      recorder, SourceService(runners: runners), clients, DayService(day: day, clock: clock),
      Watchdog(notifier: notifier, clock: clock, logger: logger) { now in
        registry.accounts.filter { !$0.isAlive(at: now) }.map(\.name)
          + (recorder.isAlive(at: now) ? [] : ["the history"])
      },
      http, RoomShutdown(rooms: rooms), ReadyService(notifier: notifier, listening: listening),
    ]
  }
}

extension HistoryReader {
  /// When the latest step that may still be thought about was made, by the service's clock.
  fileprivate func latestStep(_ clock: ServiceClock) -> Duration? {
    let (now, elapsed) = (clock.now(), clock.elapsed())
    let bouts = try? bouts(from: now - 2 * SampleJournal.usefulFor.timeInterval, to: now + 60)
    return bouts?.last.map { elapsed - .seconds(now.timeIntervalSince($0.end)) }
  }
}

extension ServiceConfiguration {
  /// Whose days, asked each time: a zone that was not given is the machine's at the time.
  fileprivate var calendar: @Sendable () -> DayCalendar {
    let (zone, start) = (timeZone, dayStart)
    return { DayCalendar(timeZone: zone ?? UserTimeZone.present(), dayStart: start) }
  }
}

extension SourceOutlet {
  /// To the history, the chase and everybody who looks.
  fileprivate static func of(
    recorder: StepRecorder, pedometer: ServicePedometer, publish: @escaping @Sendable (String) -> Void, logger: Logger
  ) -> SourceOutlet {
    SourceOutlet(
      walked: { steps, source in
        recorder.add(steps, source: source)
        pedometer.walked(
          steps.count, distance: steps.reduce(0) { $0 + $1.distance }, source: source.identity)
      },
      publish: publish,
      happened: { event, message, source in
        switch event {
        case .started, .sourceBack: logger.notice("\(message)")
        case .sourceLost, .stopped:
          logger.warning("\(message)")
          pedometer.sourceLost(message)
        case .warning: logger.warning("\(message)")
        case .gap, .corrected, .paused, .resumed: logger.debug("\(message)")
        }
        if let kind = HistoryEvent.Kind(rawValue: event.rawValue) {
          recorder.add(kind, message: message, source: source)
        }
      },
      hindered: { logger.warning("\($0)") })
  }
}
