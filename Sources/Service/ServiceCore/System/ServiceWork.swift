import ServiceLifecycle

/// Work that is cancelled when the service ends. The service goes on when the work is done.
package struct ServiceWork: Service {
  private let work: @Sendable () async -> Void

  package init(_ work: @escaping @Sendable () async -> Void) { self.work = work }

  package func run() async throws {
    await cancelWhenGracefulShutdown(work)
    try? await gracefulShutdown()
  }
}
