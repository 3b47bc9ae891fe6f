import Analytics
import LiveSources
import Presentation
import ServiceTransport
import Synchronization

/// How the commands of this executable send requests: plain HTTP, unless the executable sets a client with TLS before
/// the first command runs.
///
/// A client with TLS is larger than all code that counts steps, so only `pedometer-full` has one.
package enum Network {
  private static let current = Mutex<any Transport>(
    PlainTransport(noTLS: "https needs pedometer-full; run 'make release && sudo make install'"))

  /// Sets the transport of all later requests.
  package static func use(_ transport: any Transport) { current.withLock { $0 = transport } }

  /// The current transport.
  static var transport: any Transport { current.withLock { $0 } }

  /// The service of the environment.
  static var service: ServiceAccess? {
    ServiceAddress.fromEnvironment().map { ServiceAccess(address: $0, transport: transport) }
  }

  /// Whether a command line may send requests over TLS: to a room, to the service of the environment, or reports.
  package static func needsTLS(_ arguments: some Collection<String>) -> Bool {
    let urls = [ServiceAddress.fromEnvironment()?.url, reportURL(for: arguments.first)]
    return arguments.contains { $0.lowercased().contains("https://") }
      || urls.contains { $0?.lowercased().hasPrefix("https://") == true }
  }

  /// The address for reports; `nil` if they are off, and for commands without reports, which need not check.
  private static func reportURL(for command: String?) -> String? {
    guard command == "chase" || command == "analytics", let settings = AnalyticsMachine.currentSettings, settings.isOn
    else { return nil }
    return settings.url
  }
}

/// The check by which `pedometer` makes sure that a file is the `pedometer-full` of its own version.
package enum Handshake {
  /// The only argument.
  package static let argument = "--handshake"
  /// The expected output.
  package static let reply = "pedometer-full \(Version.current)\n"
}

/// A transport that sends nothing.
struct NoTransport: Transport {
  func send(_ request: TransportRequest, timeout: Duration) async throws -> TransportResponse {
    throw TransportError.unreachable(address: request.url, reason: "this program has no network")
  }

  func open(_ request: TransportRequest, silence: Duration) async throws -> TransportStream {
    throw TransportError.unreachable(address: request.url, reason: "this program has no network")
  }
}
