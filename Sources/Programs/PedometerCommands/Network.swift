import Analytics
import LiveSources
import Presentation
import ServiceTransport
import Synchronization

/// How the commands of this executable send requests: plain HTTP, unless the executable sets clients with TLS and for
/// WebSockets before the first command runs.
///
/// Such clients are larger than all code that counts steps, so only `pedometer-full` has them.
///
/// This is a global because ArgumentParser creates the commands from their types: an executable cannot pass a value to
/// their initializers. Commands pass the transport on to the code that they call.
package enum Network {
  private static let current = Mutex<(transport: any Transport, messages: (any MessageClient)?)>(
    (PlainTransport(noTLS: "https needs pedometer-full; run 'make release && sudo make install'"), nil))

  /// Sets the transport of all later requests, and the client of WebSockets.
  package static func use(_ transport: any Transport, messages: any MessageClient) {
    current.withLock { $0 = (transport, messages) }
  }

  /// Receives the messages of WebSocket servers; `nil`: this executable cannot.
  static var messages: (any MessageClient)? { current.withLock { $0.messages } }

  static var transport: any Transport { current.withLock { $0.transport } }

  /// The service of the environment.
  static var service: ServiceAccess? {
    ServiceAddress.fromEnvironment().map { ServiceAccess(address: $0, transport: transport) }
  }

  /// Whether a command line needs those clients: it has a WebSocket as its source, or may send requests over TLS to a room, to
  /// the service of the environment, or reports.
  package static func needsFullClients(_ arguments: some Collection<String>) -> Bool {
    let urls = [ServiceAddress.fromEnvironment()?.url, reportURL(for: arguments.first)]
    return arguments.contains { argument in
      argument.hasPrefix("ws:") || argument.hasPrefix("wss:") || argument.lowercased().contains("https://")
    }
      || urls.contains { $0?.lowercased().hasPrefix("https://") == true }
  }

  /// The address for reports; `nil` if they are off, and for commands without reports, which need not check.
  private static func reportURL(for command: String?) -> String? {
    guard command == "chase", let settings = AnalyticsMachine.current?.settings(), settings.isOn else { return nil }
    return settings.url
  }
}
