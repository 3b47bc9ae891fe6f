import Hummingbird
import HummingbirdCore
import HummingbirdTLS
import Logging
import NIOCore
import ServiceCore
import ServiceLifecycle
import ServiceSettings
import ServiceWalkers
import Synchronization

/// The HTTP side of the service: routes, gatekeeper and streams over a backend.
package struct ServiceApplication: Service {
  let settings: HTTPSettings
  let hub: EventHub
  let metrics: ServiceMetrics
  let responder: ServiceResponder
  private let server: HTTPServerBuilder
  /// Connections per listening address.
  private let connections: Int
  private let logger: Logger
  private let onListening: @Sendable ([ListenAddress]) async -> Void

  /// - Parameters:
  ///   - groups: the routes of other modules.
  ///   - walkers: the walkers who have a token of their own.
  ///   - rooms: what they reach with it.
  ///   - now: the time since any fixed instant.
  ///   - onListening: called with all addresses and their ports, as soon as each accepts requests.
  /// - Throws: why the service must not start with these settings.
  package init(
    backend: ServiceBackend, hub: EventHub, metrics: ServiceMetrics, settings: HTTPSettings,
    groups: [any RouteGroup] = [], walkers: WalkerBook, rooms: WalkerHomes? = nil,
    logger: Logger, now: @escaping @Sendable () -> Duration = Self.uptime(),
    onListening: @escaping @Sendable ([ListenAddress]) async -> Void = { _ in }
  ) throws(ConfigurationError) {
    try settings.validate()
    let tls = try settings.tlsConfiguration()
    (self.settings, self.hub, self.metrics, self.logger) = (settings, hub, metrics, logger)
    self.onListening = onListening
    let gatekeeper = Gatekeeper(settings, walkers: walkers, now: now)
    let own: [any RouteGroup] = [
      PageRoutes(settings: settings, asksForToken: gatekeeper.asksForToken),
      StateRoutes(backend: backend, settings: settings, walkers: rooms),
      ChaseRoutes(backend: backend, limits: settings.limits),
      LiveRoutes(backend: backend, hub: hub, metrics: metrics),
      SessionRoutes(gatekeeper: gatekeeper, settings: settings, hub: hub),
    ]
    var routes = RouteTable()
    for group in own + groups { group.register(in: &routes) }
    responder = ServiceResponder(routes: routes, gatekeeper: gatekeeper, metrics: metrics)
    var limits = settings.limits
    let files = OpenFiles.raiseLimit()
    limits.connections = OpenFiles.connections(
      limits.connections, addresses: settings.addresses.reduce(0) { $0 + ($1.isLocalhost ? 2 : 1) }, limit: files)
    connections = limits.connections
    if connections < settings.limits.connections {
      logger.warning(
        """
        at most \(connections) connections per address, since this process may open \(files) files; \
        for more, raise its hard limit (ulimit -Hn, LimitNOFILE=)
        """)
    }
    server = try Self.server(limits, metrics, tls)
  }

  /// One server for each address; all of them end together.
  package func run() async throws {
    if settings.isOpen, settings.certificate == nil {
      logger.warning("the token is sent over the network unencrypted; configure a certificate and its key")
    }
    if let warning = settings.keyWarning { logger.warning("\(warning)") }
    let places = try ListenPlaces(settings.addresses)
    let addresses = ListeningAddresses(places.addresses.count)
    let listeners = places.addresses.enumerated().map { index, address in
      let server = application(address) { [onListening] in
        if let all = addresses.add($0, at: index) { await onListening(all) }
      }
      return Listener(address: address, server: server)
    }
    // The event streams would not end by themselves.
    let streams = ServiceWork { [hub] in
      await hub.run()
      hub.close()
    }
    let services: [any Service] = listeners + [streams]
    try await ServiceGroup(configuration: .init(services: services, logger: logger)).run()
  }

  /// The server of one address.
  /// - Parameter onRunning: called with the address and its port.
  func application(
    _ address: ListenAddress, onRunning: @escaping @Sendable (ListenAddress) async -> Void = { _ in }
  ) -> Application<ServiceResponder> {
    var configuration = ApplicationConfiguration(address: .hostname(address.host, port: address.port))
    configuration.availableConnectionsDelegate = .maximum(connections, logger: logger)
    configuration.backlog = 1024
    return Application(
      responder: responder, server: server, configuration: configuration,
      onServerRunning: { channel in
        await onRunning(ListenAddress(host: address.host, port: channel.localAddress?.port ?? address.port))
      }, logger: logger)
  }

  private static func server(_ limits: ServiceLimits, _ metrics: ServiceMetrics, _ tls: TLSConfiguration?)
    throws(ConfigurationError) -> HTTPServerBuilder
  {
    let decoder = HTTP1Channel.Configuration.DecoderConfiguration(
      maxHeaderFieldSize: limits.headerSize, maxHeaderListSize: limits.headerSize,
      maxHeaderFieldCount: limits.headerCount)
    let connections = OpenConnections(limits)
    let plain = HTTPServerBuilder.http1(
      configuration: .init(
        additionalChannelHandlers: [ConnectionGuard(limits: limits, metrics: metrics, connections: connections)],
        httpDecoderConfiguration: decoder))
    guard let tls else { return plain }
    do {
      return try .tls(plain, tlsConfiguration: tls)
    } catch { throw HTTPSettings.unusable("the certificate", "TLS refuses it") }
  }

  static func uptime() -> @Sendable () -> Duration {
    let start = ContinuousClock.now
    return { start.duration(to: .now) }
  }
}

/// The addresses that are listening already.
private final class ListeningAddresses: Sendable {
  private let addresses: Mutex<[ListenAddress?]>

  init(_ count: Int) { addresses = Mutex(Array(repeating: nil, count: count)) }

  /// - Returns: all of them, if this was the last.
  func add(_ address: ListenAddress, at index: Int) -> [ListenAddress]? {
    addresses.withLock { addresses in
      addresses[index] = address
      let all = addresses.compactMap(\.self)
      return all.count == addresses.count ? all : nil
    }
  }
}
