import Hummingbird
import Logging
import NIOCore

/// What is known about a request besides the request itself.
struct ServiceContext: RequestContext {
  var coreContext: CoreRequestContextStorage
  /// Who asks: an address without its port, which says no more than from where.
  let client: String
  /// Whether the client has shown the token, in whatever way.
  var isAuthenticated = false

  init(source: ApplicationRequestContextSource) {
    coreContext = .init(source: source)
    client = source.channel.remoteAddress?.ipAddress ?? "local"
  }
}
