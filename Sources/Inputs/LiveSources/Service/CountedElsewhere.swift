import SourceNames

/// A source that a running service counts with, for a machine without a sensor of its own.
struct CountedElsewhere: Sendable {
  let uri: SourceURI
  let name: String
  let counter: ServiceCounter

  /// Asks the service.
  /// - Returns: `nil` if it counts nothing, or needs a token.
  init?(_ sources: Sources) async {
    guard let service = sources.service else { return nil }
    let url = service.address.url
    let answer: [ServedSource]?
    do { answer = try await service.sources() } catch { return nil }
    guard let served = answer else {
      sources.remark("the service at \(url) tells its sources only with its token; set PEDOMETER_TOKEN to use it")
      return nil
    }
    guard let source = served.first(where: { $0.state == "counting" }) else { return nil }
    // Only a name: a program that a service names is not run here.
    uri =
      (try? SourceURI(parsing: source.uri)).flatMap { if case .program = $0 { nil } else { $0 } } ?? .client(source.uri)
    name = source.name ?? source.uri
    counter = ServiceCounter(service, source: source.uri, pause: sources.sleep)
    sources.remark("no motion sensor found here; using \(name), which the service at \(url) counts with")
  }

  var connection: SourceConnection { SourceConnection(counter, uri: uri, name: name) }
}
