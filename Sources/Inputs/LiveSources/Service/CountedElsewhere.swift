import SourceNames

/// A source that a running service counts with, for a machine without a sensor of its own.
struct CountedElsewhere: Sendable {
  let uri: SourceURI
  let name: String
  let counter: ServiceCounter

  /// Asks the service.
  /// - Parameter remark: receives what people should know.
  /// - Returns: `nil` if it counts nothing, or needs a token.
  init?(by service: ServiceAccess?, remark: @Sendable (String) -> Void) async {
    guard let service, let offer = await ServiceCounter.offer(of: service) else { return nil }
    let url = service.address.url
    switch offer {
    case .needsToken:
      remark("the service at \(url) tells its sources only with its token; set PEDOMETER_TOKEN to use it")
      return nil
    case .source(let uri, let name):
      // Only a name: a program that a service names is not run here.
      self.uri = (try? SourceURI(parsing: uri)).flatMap { if case .program = $0 { nil } else { $0 } } ?? .client(uri)
      self.name = name
      counter = ServiceCounter(service.address, source: uri, transport: service.transport)
      remark("no motion sensor found here; using \(name), which the service at \(url) counts with")
    }
  }

  var connection: SourceConnection { SourceConnection(counter, uri: uri, name: name) }
}
