import Foundation
import History
import HistoryImport
import LiveSources
import Logging
import Pedometry
import Platform
import Presentation
import RaceRoom
import ServiceCore
import ServiceHTTP
import ServiceLifecycle
import ServiceMessaging
import ServiceSettings
import ServiceWalkers

/// Creates and connects the parts of the service.
struct DaemonParts {
  /// In the order of starting. They stop in reverse order, so that the recorder stores all steps before it stops.
  private(set) var services: [any Service] = []
  let backend: DaemonBackend
  /// Closed when everything has ended.
  let writer: HistoryWriter
  private let recorder: StepRecorder
  private let homes: WalkerHomes

  /// Stores what is still to be stored, and closes the histories.
  func seal() {
    recorder.seal()
    writer.close()
    homes.seal()
  }

  /// Applies changed settings.
  private(set) var reload: Reloading.Apply = { _, _ in [:] }

  /// Opens the history and connects the parts; nothing runs yet.
  /// - Throws: `HistoryError`, ``ConfigurationError``.
  init(
    _ configuration: ServiceConfiguration, access: Sources, clock: ServiceClock, notifier: ServiceNotifier,
    environment: [String: String], logger: Logger
  ) throws {
    let folder = configuration.state.map { HistoryFolder(path: $0) } ?? .standard
    writer = try HistoryWriter(folder: folder, application: "pedometerd", clock: clock.history)
    let reader = try HistoryReader(folder: folder)
    let invitation = try Invitation(configuration, folder: folder.path, environment: environment, logger: logger)
    let settings = invitation.settings
    // Line numbers continue above those of any previous run, so that a reader cannot resume at a line of another run.
    let metrics = ServiceMetrics(version: Version.current)
    let hub = EventHub(first: UInt64(max(1, clock.now().timeIntervalSince1970 * 1000)), metrics: metrics)
    let publish: @Sendable (String) -> Void = { hub.publish($0) }
    let calendar = configuration.calendar
    if configuration.timeZone == nil, let doubt = UserTimeZone.doubt { logger.warning("\(doubt)") }
    let lanes = WorkLanes()
    let goals = try GoalFile(folder: folder.path, usual: configuration.goal)
    let maintenance = HistoryMaintenance(writer, reader: reader, clock: clock, logger: logger, lanes: lanes)
    let day = DaySummary(
      reader: reader, clock: clock, calendar: calendar, goals: goals, lanes: lanes, publish: publish,
      failed: { maintenance.notice($0) })
    recorder = StepRecorder(
      writer, clock: clock, logger: logger, lane: lanes.steps, recorded: { await day.refresh() },
      measured: { metrics.kept(in: $0) })
    let recorder = recorder
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
    let keep: ClientMessages.Keep = { steps, source in
      defer { Task { await day.refresh() } }
      return try await lanes.steps.run { try writer.record(period: steps, source: source) }
    }
    let stepLength = configuration.stepLength
    let count: ClientMessages.Count = { reading, source in
      defer { Task { await day.refresh() } }
      return try await lanes.steps.run { try writer.record(reading, source: source, stepLength: stepLength) }
    }
    let messages = ClientMessages(clients: clients, clock: clock, count: count, keep: keep)
    let controller = ChaseController(pedometer: pedometer, clock: clock, publish: publish)
    let walkers = WalkerBook(folder: folder.path)
    if settings.token == nil, (try? walkers.list().walkers.isEmpty) == false {
      logger.warning("there are walkers, but anyone without a walker's token is taken for the owner; set a token")
    }
    homes = WalkerHomes(
      walkers,
      parts: WalkerHome.Parts(
        access: access, stepLength: configuration.stepLength, clock: clock, calendar: calendar,
        environment: environment, lanes: WorkLanes(), limits: configuration.http.limits, logger: logger))
    let homes = homes
    let challenges = ChallengeRegistry(
      challenges: ChallengeBook(folder: folder.path), walkers: walkers, histories: FolderHistories(walkers),
      calendar: calendar, now: clock.now)
    let raise: FileImport.Raise = { minutes in
      defer { Task { await day.refresh() } }
      return try await lanes.keeping.run { try writer.raise(minutes) }
    }
    let timeZone: @Sendable () -> TimeZone = { calendar().timeZone }
    let watchedFolder = configuration.watchFolder.map { path in
      WatchedFolder(
        path, state: folder.path,
        files: FileImport(
          folder: folder, stepLength: configuration.stepLength, timeZone: timeZone, now: clock.now, raise: raise),
        clock: clock, logger: logger)
    }
    backend = DaemonBackend(
      registry: registry, day: day, controller: controller,
      answers: HistoryAnswers(
        reader: reader, clock: clock, calendar: calendar, lanes: lanes, goal: { goals.goal(on: $0) },
        failed: { maintenance.notice($0) }),
      access: access, lanes: lanes, recorder: recorder, maintenance: maintenance, homes: homes,
      watchedFolder: watchedFolder)
    let rooms = RoomService()
    let listening = ReadySignal()
    let http = try ServiceApplication(
      backend: backend, hub: hub, metrics: metrics, settings: settings,
      groups: [
        RoomRoutes(rooms: rooms, limits: configuration.http.limits),
        AnalyticsRoutes(
          store: HistoryReports(writer: writer, reader: reader, lanes: lanes), limits: configuration.http.limits,
          clock: clock.now),
        ClientRoutes(messages: messages, limits: configuration.http.limits, walkers: homes),
        ImportRoutes(
          folder: folder, limits: configuration.http.limits, now: clock.now, stepLength: configuration.stepLength,
          timeZone: timeZone, raise: raise),
        WalkerRoutes(walkers: walkers, lane: lanes.figures, limits: configuration.http.limits),
        ChallengeRoutes(registry: challenges, lanes: lanes, limits: configuration.http.limits),
      ], walkers: walkers, rooms: homes, logger: logger,
      onListening: { addresses in
        for address in addresses { logger.notice("listening on \(address)") }
        invitation.tell(addresses, logger)
        listening.fire(addresses.map(\.description).joined(separator: ", "))
      })
    services = [
      recorder, maintenance, SourceService(runners: runners), clients, homes, DayService(day: day, clock: clock),
      ChallengeMaintenance(registry: challenges, homes: homes, clock: clock, lane: homes.lane, logger: logger),
      Watchdog(notifier: notifier, clock: clock, logger: logger) { now in
        registry.accounts.filter { !$0.isAlive(at: now) }.map(\.name)
          + (recorder.isAlive(at: now) && homes.isAlive(at: now) ? [] : ["the history"])
      },
      http, RoomShutdown(rooms: rooms),
    ]
    let start = clock.elapsed()
    let figures: @Sendable () async -> PublishedFigures = {
      let now = clock.now()
      var (total, today): (WalkTotals?, TodayFigures?)
      do {
        // The history accepts steps that are up to a day ahead of a clock that was set back.
        total = try await lanes.figures.run {
          try reader.totals(from: Date(timeIntervalSince1970: 0), to: now + 86_400)
        }
      } catch { maintenance.notice(error) }
      // Today may be readable where an old page is not.
      do { today = try await day.today() } catch { maintenance.notice(error) }
      return PublishedFigures(
        total: total, today: today, sources: registry.states,
        isStarting: clock.elapsed() - start < PublishedFigures.startingTime)
    }
    let limits = configuration.http.limits
    let mqtt = ReplaceablePart(configuration.mqtt, logger: logger) { settings in
      MQTTService(
        settings, identity: try MQTTIdentity.read(folder: folder.path), version: Version.current, clock: clock,
        messages: messages, limits: limits, connected: { metrics.mqtt(isConnected: $0) }, logger: logger,
        figures: figures)
    }
    if let bus = configuration.bus {
      services.append(BusService(place: bus, clock: clock, figures: figures, logger: logger))
    }
    let notifications = ReplaceablePart(configuration.notifications, logger: logger) { rules in
      // Said now: the first notification may be due in hours.
      if let obstacle = DesktopNotification.obstacle(environment) { logger.warning("notifications: \(obstacle)") }
      let lane = WorkLane("notifications")
      return NotificationService(
        rules: rules, clock: clock, figures: figures,
        minute: { moment in
          let time = calendar().civil(moment)
          return time.hour * 60 + time.minute
        },
        show: { notification in try await lane.run { try DesktopNotification.show(notification) } },
        logger: logger)
    }
    services += [mqtt, notifications]
    if let watchedFolder { services.append(watchedFolder) }
    reload = { configuration, keys in
      var idle: [SettingKey: String] = [:]
      if keys.contains(.goal) {
        goals.setUsual(configuration.goal)
        idle[.goal] = goals.chosen.map { "the goal of \($0) steps that was set through the API stays in effect" }
        Task { await day.refresh() }
      }
      if !keys.isDisjoint(with: SettingKey.mqttKeys) { mqtt.replace(with: configuration.mqtt) }
      if keys.contains(.notify) || keys.contains(.notifyHours) {
        notifications.replace(with: configuration.notifications)
      }
      return idle
    }
    services.append(ReadyService(notifier: notifier, listening: listening))
  }
}

extension ServiceConfiguration {
  /// The user's calendar. It is created for each call, because the machine's time zone may change.
  var calendar: @Sendable () -> DayCalendar {
    let (zone, start) = (timeZone, dayStart)
    return { DayCalendar(timeZone: zone ?? UserTimeZone.present(), dayStart: start) }
  }
}

extension SourceOutlet {
  /// Connects a source with the history, the chase and the event stream.
  fileprivate static func of(
    recorder: StepRecorder, pedometer: ServicePedometer, publish: @escaping @Sendable (String) -> Void, logger: Logger
  ) -> SourceOutlet {
    SourceOutlet(
      walked: { steps, source in
        recorder.add(steps, source: source)
        pedometer.walked(
          steps.count, distance: steps.reduce(0) { $0 + $1.length }, source: source.identity)
      },
      climbed: { floors, source in recorder.add(floors: floors, source: source) },
      publish: publish,
      happened: { event, message, source in
        switch event {
        case .started, .sourceBack: logger.notice("\(message)")
        case .sourceLost, .stopped:
          logger.warning("\(message)")
          pedometer.sourceLost(message)
        case .warning: logger.warning("\(message)")
        case .gap, .corrected, .paused, .resumed, .walkTest: logger.debug("\(message)")
        }
        if let kind = HistoryEvent.Kind(rawValue: event.rawValue) {
          recorder.add(kind, message: message, source: source)
        }
      },
      hindered: { logger.warning("\($0)") })
  }
}
