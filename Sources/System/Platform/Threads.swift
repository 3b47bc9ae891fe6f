// Other C libraries have another type for pthread_t, and nothing there starts threads.
#if canImport(Glibc)
  /// Runs a closure on a new thread, for calls that may block for long.
  /// - Returns: 0, or the error number if no thread could be created.
  package func startThread(_ run: @escaping @Sendable () -> Void) -> Int32 {
    let body = unsafe Unmanaged.passRetained(ThreadBody(run))
    var thread = pthread_t()
    let code = unsafe pthread_create(
      &thread, nil,
      { argument in
        if let argument = unsafe argument {
          unsafe Unmanaged<ThreadBody>.fromOpaque(argument).takeRetainedValue().run()
        }
        return nil
      }, body.toOpaque())
    if code == 0 { pthread_detach(thread) } else { unsafe body.release() }
    return code
  }

  private final class ThreadBody: Sendable {
    let run: @Sendable () -> Void
    init(_ run: @escaping @Sendable () -> Void) { self.run = run }
  }
#endif
