import Hummingbird
import Logging
import NIOCore

struct ServiceContext: RequestContext {
  var coreContext: CoreRequestContextStorage
  /// The client: an address without its port, which is no proof of identity.
  let client: String
  /// Who the client is, by a token in a header or by a session.
  var caller = Caller.stranger
  let channel: any Channel

  init(source: ApplicationRequestContextSource) {
    coreContext = .init(source: source)
    channel = source.channel
    client = source.channel.remoteAddress?.ipAddress ?? "local"
  }
}
