import Platform
import Synchronization

/// Reads lines from a descriptor until one of them matches.
///
/// It uses a separate thread, because a device may block it; `poll(2)` with a finite time-out lets it check for
/// cancellation.
struct DescriptorSearch<Found: Sendable>: Sendable {
  /// The name of the source, for people.
  let name: String
  /// The maximum duration of the search.
  let timeout: Duration
  /// Sent first.
  var greeting: [UInt8] = []
  /// Opens the descriptor.
  let open: @Sendable () throws(LocationError) -> Int32
  /// The match of a line, if any.
  let match: @Sendable ([UInt8]) -> Found?

  /// The match of the first matching line.
  /// - Throws: ``LocationError`` or `CancellationError`.
  func first() async throws -> Found {
    let search = TimeoutTask(timeout: timeout) { try await onThread() }
    do {
      return try await search.value
    } catch is TimeoutError {
      throw LocationError.noFix(name)
    }
  }

  private func onThread() async throws -> Found {
    let stop = StopFlag()
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let code = startThread {
          continuation.resume(with: Result { () throws(any Error) in try look(until: stop) })
        }
        if code != 0 {
          continuation.resume(
            throwing: LocationError.unavailable(name, reason: systemText(code)))
        }
      }
    } onCancel: {
      stop.isRaised.store(true, ordering: .relaxed)
    }
  }

  private func look(until stop: StopFlag) throws -> Found {
    let descriptor = try open()
    defer { close(descriptor) }
    var rest = greeting[...]
    while !rest.isEmpty {
      // MSG_NOSIGNAL: greetings are only sent to sockets, and a closed one must not end the process.
      let count = unsafe rest.withUnsafeBytes {
        unsafe send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      guard count > 0 else { throw LocationError.ended(name) }
      rest = rest.dropFirst(count)
    }
    var splitter = LineSplitter()
    var buffer = [UInt8](repeating: 0, count: 4096)
    while !stop.isRaised.load(ordering: .relaxed) {
      var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      guard unsafe poll(&request, 1, 100) > 0 else { continue }
      let count = unsafe read(descriptor, &buffer, buffer.count)
      if count < 0, errno == EAGAIN || errno == EINTR { continue }
      guard count > 0 else {
        // A last line without a line break.
        if let line = splitter.finish(), !line.isEmpty, let found = match(line) { return found }
        throw LocationError.ended(name)
      }
      for line in splitter.append(buffer[..<count]) where !line.isEmpty {
        if let found = match(line) { return found }
      }
    }
    throw CancellationError()
  }
}

private final class StopFlag: Sendable {
  let isRaised = Atomic(false)
}
