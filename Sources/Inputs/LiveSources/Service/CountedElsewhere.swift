import SourceNames

extension Sources {
  /// Asks a running service for the source it counts, for machines without their own sensor.
  /// - Returns: `nil` if it counts nothing, or needs a token.
  func countedElsewhere() async -> SourceConnection? {
    guard let service else { return nil }
    let url = service.address.url
    let answer: [ServedSource]?
    do { answer = try await service.sources() } catch { return nil }
    guard let served = answer else {
      remark("the service at \(url) tells its sources only with its token; set PEDOMETER_TOKEN to use it")
      return nil
    }
    guard let source = served.first(where: { $0.state == "counting" }) else { return nil }
    // Only a name: a program that a service names is not run here.
    var uri = (try? SourceURI(parsing: source.uri)) ?? .client(source.uri)
    if case .program = uri { uri = .client(source.uri) }
    let name = source.name ?? source.uri
    remark("no motion sensor found here; using \(name), which the service at \(url) counts with")
    let counter = ServiceCounter(service, source: source.uri, pause: sleep)
    return SourceConnection(counter, uri: uri, name: name)
  }
}
