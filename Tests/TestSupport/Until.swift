// A plain `swift build -c release` builds this target too, and there has no Testing.
#if canImport(Testing)
  import Testing

  /// Waits for what only another task or process can bring about. Where it does not come about, the test fails with its name
  /// after eight minutes, before its suite ends without one.
  /// - Parameter what: what is waited for.
  public func until(
    _ what: String, sourceLocation: SourceLocation = #_sourceLocation, isolation: isolated (any Actor)? = #isolation,
    _ condition: () async -> Bool
  ) async {
    let deadline = ContinuousClock.now + .seconds(480)
    while await !condition() {
      guard ContinuousClock.now < deadline, !Task.isCancelled else {
        Issue.record("waited in vain: \(what)", sourceLocation: sourceLocation)
        return
      }
      await Task.yield()
    }
  }
#endif
