import LiveSources
import SourceNames

/// The duration of a live command.
///
/// It is measured in the time of the samples, so that a recording is cut at the same sample each time. A silent source
/// is stopped by the wall clock.
struct LiveDuration: Sendable {
  let duration: Duration?

  static let reason = "the time is up"

  /// The reason for the end of a command that has waited as long for a sensor.
  static let noSensor = "no sensor appeared in the time of --duration; plug one in, or give a longer time"

  /// How late a sensor's last batch may arrive.
  private static let longestDelay = Duration.seconds(3)

  /// Opens a source, and waits for it no longer than the duration.
  /// - Returns: `nil` if the user stopped the command.
  /// - Throws: an error without a sensor if the time was over.
  func open(_ uri: SourceURI?, from sources: Sources, _ stop: LiveTask.Stop) async throws -> OpenSource? {
    let limit = (sources.waits ? duration : nil).map { duration in
      Task.detached { if (try? await Task.sleep(for: duration)) != nil { stop(because: Self.noSensor) } }
    }
    let source = try await sources.open(uri, for: .live)
    limit?.cancel()
    if source == nil, stop.reason == Self.noSensor { throw SourceFailure(message: Self.noSensor, status: .noSensor) }
    return source
  }

  /// Starts the wall clock, for a source of samples, or for a hardware step counter, which has no other time.
  func limit(_ stop: LiveTask.Stop, isChip: Bool = false) {
    guard let duration else { return }
    Task.detached {
      try? await Task.sleep(for: isChip ? duration : duration + Self.longestDelay)
      stop(because: Self.reason)
    }
  }
}
