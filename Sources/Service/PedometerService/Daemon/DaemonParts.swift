import Foundation
import History
import HistoryImport
import LinuxSensors
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
import ServiceNetwork
import ServiceSettings
import ServiceWalkers
import SourceNames

/// Creates and connects the parts of the service; nothing runs yet.
struct DaemonParts {
  /// In the order of starting. They stop in reverse order, so that the owner's recorder stores all steps before it stops.
  let services: [any Service]
  let owner: HistoryHome
  let backend: ServiceBackend
  private let homes: WalkerHomes

  /// Stores what is still to be stored, and closes the histories.
  func seal() {
    owner.seal()
    homes.seal()
  }

  /// Opens the history and connects the parts.
  /// - Throws: `HistoryError`, ``ConfigurationError``.
  init(
    _ configuration: ServiceConfiguration, access: Sources, clock: ServiceClock, notifier: ServiceNotifier,
    environment: [String: String], logger: Logger
  ) throws {
    if configuration.timeZone == nil, let doubt = UserTimeZone.doubt { logger.warning("\(doubt)") }
    // Line numbers continue above those of any previous run, so that a reader cannot resume at a line of another run.
    let metrics = ServiceMetrics(version: Version.current)
    let hub = EventHub(first: UInt64(max(1, clock.now().timeIntervalSince1970 * 1000)), metrics: metrics)
    let registry = SourceRegistry()
    let pedometer = ServicePedometer { registry.states }
    let folder = configuration.state.map { HistoryFolder(path: $0) } ?? .standard
    let own = try SettingsFile(folder: folder.path, usual: configuration.walk)
    var settings = HistoryHome.Settings(
      access: access, stepLength: own.present.model, clock: clock, calendar: configuration.calendar(own),
      environment: environment, limits: configuration.http.limits, logger: logger)
    let owner = try HistoryHome(
      folder, settings, lanes: WorkLanes(),
      usualGoal: configuration.goal, registry: registry,
      others: Self.others(pedometer, hub: hub, logger), measured: { metrics.kept(in: $0) })
    own.note()
    let walkers = WalkerBook(folder: owner.folder.path)
    // Others have other heights.
    settings.stepLength = { [usual = configuration.walk.model] in usual }
    let homes = WalkerHomes(walkers, settings: settings)
    let challenges = ChallengeRegistry(
      challenges: ChallengeBook(folder: owner.folder.path), walkers: walkers, histories: FolderHistories(walkers),
      calendar: settings.calendar, now: clock.now)
    let sources = Self.sources(configuration.sources, owner)
    let controller = ChaseController(pedometer: pedometer, clock: clock) { hub.publish($0) }
    let files = FileImport(
      folder: owner.folder, stepLength: own.present.model, timeZone: { owner.settings.calendar().timeZone },
      now: clock.now, raise: { try await owner.raise($0) })
    let watchedFolder = configuration.watchFolder.map {
      WatchedFolder($0, state: owner.folder.path, files: files, clock: clock, logger: logger)
    }
    var backend = Self.backend(owner, homes, controller, watchedFolder)
    backend.settings = { own.present }
    backend.set = { changed in try await owner.answers.change { try own.set(changed) } }
    let rooms = RoomService()
    let (listening, ready) = AsyncStream.makeStream(of: String.self, bufferingPolicy: .bufferingNewest(1))
    let invitation = try Invitation(configuration, folder: owner.folder.path, environment: environment, logger: logger)
    if invitation.settings.token == nil, (try? walkers.list().walkers.isEmpty) == false {
      logger.warning("there are walkers, but anyone without a walker's token is taken for the owner; set a token")
    }
    let http = try ServiceApplication(
      backend: backend, hub: hub, metrics: metrics, settings: invitation.settings,
      groups: Self.routes(owner, homes, walkers, challenges, rooms, files), walkers: walkers, rooms: homes,
      logger: logger,
      onListening: { addresses in
        for address in addresses { logger.notice("listening on \(address)") }
        invitation.tell(addresses, walkers, logger)
        ready.yield("listening on " + addresses.map(\.description).joined(separator: ", "))
      })
    services =
      owner.services + [
        sources, homes, Self.days(owner.answers, clock),
        ServiceWork.challenges(challenges, homes, clock: clock, logger: logger),
        Watchdog(notifier: notifier, clock: clock, logger: logger) { now in
          registry.accounts.filter { !$0.isAlive(at: now) }.map(\.name)
            + (owner.isAlive(at: now) && homes.isAlive(at: now) ? [] : ["the history"])
        },
        http, Self.shutdown(of: rooms),
      ] + Self.messaging(configuration, owner, metrics: metrics) + [watchedFolder].compactMap { $0 }
      + [Self.notifications(notifier, listening)]
    (self.owner, self.homes, self.backend) = (owner, homes, backend)
  }

  /// Connects what is counted with the chase, the event stream and the log.
  private static func others(_ pedometer: ServicePedometer, hub: EventHub, _ logger: Logger) -> SourceOutlet {
    var others = SourceOutlet()
    others.walked = { steps, source in
      pedometer.walked(steps.count, distance: steps.reduce(0) { $0 + $1.length }, source: source.identity)
    }
    others.publish = { hub.publish($0) }
    others.happened = { event, message in
      switch event {
      case .started, .sourceBack: logger.notice("\(message)")
      case .sourceLost, .stopped:
        logger.warning("\(message)")
        pedometer.sourceLost(message)
      case .warning: logger.warning("\(message)")
      case .gap, .corrected, .paused, .resumed, .walkTest: logger.debug("\(message)")
      }
    }
    return others
  }

  /// What counts the sources of the configuration; without any, the best sensor.
  private static func sources(_ uris: [SourceURI], _ owner: HistoryHome) -> ServiceWork {
    let uris = uris.isEmpty ? [nil] : uris.map(Optional.some)
    let runners = uris.map { uri in
      let account = SourceAccount(
        name: uri.map { "\($0)" } ?? ServiceCounter.best, isOneOfSeveral: uris.count > 1, outlet: owner.outlet)
      owner.registry.add(account)
      return SourceRunner(
        uri: uri, access: owner.settings.access, stepLength: owner.settings.stepLength(), clock: owner.settings.clock,
        account: account, journals: owner.journals)
    }
    return ServiceWork {
      await withDiscardingTaskGroup { group in
        for runner in runners { group.addTask { await runner.run() } }
      }
    }
  }

  /// Looks once a minute whether a day has ended.
  private static func days(_ answers: HistoryAnswers, _ clock: ServiceClock) -> ServiceWork {
    ServiceWork {
      while !Task.isCancelled {
        await answers.refresh()
        try? await clock.sleep(.seconds(60))
      }
    }
  }

  /// Closes the rooms when the service ends, so that open streams do not delay it.
  private static func shutdown(of rooms: RoomService) -> ServiceWork {
    ServiceWork {
      try? await gracefulShutdown()
      await rooms.close()
    }
  }

  /// Notifies the service manager when everything runs, and when shutdown begins. It is the last service, and so the
  /// first to be shut down.
  /// - Parameter listening: tells that requests are accepted.
  private static func notifications(_ notifier: ServiceNotifier, _ listening: AsyncStream<String>) -> ServiceWork {
    ServiceWork {
      if let status = await listening.first(where: { _ in true }) { notifier.ready(status) }
      try? await gracefulShutdown()
      notifier.stopping()
    }
  }

  private static func routes(
    _ owner: HistoryHome, _ homes: WalkerHomes, _ walkers: WalkerBook, _ challenges: ChallengeRegistry,
    _ rooms: RoomService, _ files: FileImport
  ) -> [any RouteGroup] {
    let (settings, lanes) = (owner.settings, owner.lanes)
    return [
      RoomRoutes(rooms: rooms, limits: settings.limits),
      AnalyticsRoutes(store: owner, limits: settings.limits, clock: settings.clock.now),
      ClientRoutes(messages: owner.messages, limits: settings.limits, walkers: homes),
      ImportRoutes(files: files, limits: settings.limits),
      WalkerRoutes(walkers: walkers, lane: lanes.figures, limits: settings.limits),
      ChallengeRoutes(registry: challenges, lanes: lanes, limits: settings.limits),
    ]
  }

  private static func backend(
    _ owner: HistoryHome, _ homes: WalkerHomes, _ controller: ChaseController, _ watchedFolder: WatchedFolder?
  ) -> ServiceBackend {
    let (access, lane) = (owner.settings.access, owner.lanes.machine)
    var backend = ServiceBackend()
    backend.sources = { owner.registry.states }
    backend.signals = { owner.registry.signals }
    backend.today = { try await owner.answers.today() }
    backend.history = { try owner.answers.pages($0, client: $1) }
    backend.longestWalk = { try await owner.answers.longestWalk() }
    backend.walks = { try await owner.answers.doubtful($0) }
    backend.answer = { start, end, answer, name in
      try await owner.answers.change { try owner.walks.answer(from: start, to: end, answer, name: name) }
    }
    backend.goals = { owner.goals.plan }
    backend.setGoal = { plan in try await owner.answers.change { try owner.goals.set(plan) } }
    backend.devices = {
      try await owner.answers.refusing {
        try await lane.run {
          // Bluetooth errors must not hide other sensors.
          try (access.sensors() + ((try? access.wirelessSensors()) ?? [])).map { DeviceReport($0).json }
        }
      }
    }
    backend.checks = {
      let held = Set(owner.registry.states.filter { $0.state == .counting }.map(\.uri))
      return try await owner.answers.refusing { try await lane.run { try checks(access, held).map(\.json) } }
    }
    backend.chase = { await controller.line }
    backend.steer = { try await controller.steer($0) }
    backend.troubles = { [owner.failure, owner.maintenance.failure, homes.failure].compactMap { $0 } }
    backend.imports = { watchedFolder?.outcomes ?? [] }
    backend.losses = { owner.maintenance.losses.map(\.text) }
    return backend
  }

  /// The checks of the machine. A sensor that this service reads is in use, which is not a problem.
  private static func checks(_ access: Sources, _ held: Set<String>) throws -> [HealthCheck] {
    let sensors = try access.sensors()
    let own = sensors.map { sensor -> HealthCheck in
      let report = DeviceReport(sensor)
      return report.holders.contains { $0.process == ProcessInfo.processInfo.processIdentifier }
        ? .ok("\(sensor.uri)", "\(sensor.name) is counted by this service") : report.check
    }
    // A phone that counts needs none.
    return (sensors.isEmpty && held.isEmpty ? [.noSensor] : []) + MachineChecks(sensors: sensors).all
      + [BluetoothChecks().check] + own
  }

  /// The figures for other programs.
  private static func messaging(
    _ configuration: ServiceConfiguration, _ owner: HistoryHome, metrics: ServiceMetrics
  ) -> [any Service] {
    let (clock, logger, limits) = (owner.settings.clock, owner.settings.logger, owner.settings.limits)
    let http = configuration.http
    let page = OwnNames(hosts: [], addresses: []).url(
      "/", at: http.addresses.filter { $0.port != 0 }, hostNames: http.fullHostNames,
      isSecure: http.certificate != nil || configuration.isSelfSigned)
    let figures = { @Sendable in
      var figures = await Self.figures(of: owner)
      figures.page = page
      return figures
    }
    var services: [any Service] = []
    if let place = configuration.bus {
      services.append(BusService(place: place, clock: clock, figures: figures, logger: logger))
    }
    if let target = configuration.push {
      if target.exposesToken { logger.warning("\(target.name): the token is sent unencrypted; use https in push.url") }
      let (reader, walks, calendar) = (owner.reader, owner.walks, owner.settings.calendar)
      let lane = owner.lanes.figures
      services.append(
        PushService(
          target: target, transport: NetworkTransport(), ledger: PushLedger(folder: owner.folder.path),
          days: {
            try await lane.run { try PushedDay.days(target.days, of: reader, walks, calendar(), now: clock.now()) }
          },
          clock: clock, logger: logger))
    }
    guard let mqtt = configuration.mqtt else { return services }
    do {
      services.append(
        MQTTService(
          mqtt, identity: try MQTTIdentity.read(folder: owner.folder.path), version: Version.current, clock: clock,
          messages: owner.messages, limits: limits, connected: { metrics.mqtt(isConnected: $0) }, logger: logger,
          figures: figures))
    } catch { logger.error("\(error)") }
    return services
  }

  private static func figures(of owner: HistoryHome) async -> PublishedFigures {
    let (reader, now) = (owner.reader, owner.settings.clock.now())
    var (total, today): (WalkTotals?, TodayFigures?)
    do {
      // The history accepts steps that are up to a day ahead of a clock that was set back.
      total = try await owner.lanes.figures.run {
        try reader.totals(from: Date(timeIntervalSince1970: 0), to: now + 86_400)
      }
    } catch { owner.maintenance.notice(error) }
    // Today may be readable where an old page is not.
    today = try? await owner.answers.today()
    return PublishedFigures(total: total, today: today, sources: owner.registry.states)
  }
}

extension ServiceConfiguration {
  /// The user's calendar. It is created for each call, because the machine's time zone and the start of days may change.
  func calendar(_ settings: SettingsFile) -> @Sendable () -> DayCalendar {
    { [timeZone] in DayCalendar(timeZone: timeZone ?? UserTimeZone.present(), dayStart: settings.present.start) }
  }
}
