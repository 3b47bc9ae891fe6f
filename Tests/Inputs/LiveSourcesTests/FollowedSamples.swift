import Accelerometry
import Counting
import Testing

@testable import LiveSources

/// What is reported while a source is lost and found again.
struct FollowedSamples {
  /// `lost: REASON` and `back: NAME`, in order.
  private(set) var events: [String] = []
  /// The number of samples.
  private(set) var samples = 0

  /// Reads a source up to a number of losses and returns. Their times must rise, and no return may be refused.
  init(_ source: OpenSource, upTo count: Int) async throws {
    var latest = Int64.min
    for try await event in source.elements {
      switch event {
      case .lost(let error): events.append("lost: \(error)")
      case .back(let name): events.append("back: \(name)")
      case .refused(let error): Issue.record("\(error)")
      case .element(.steps): Issue.record("steps")
      case .element(.samples(let batch)):
        samples += batch.samples.count
        for sample in batch.samples {
          #expect(sample.nanoseconds > latest)
          latest = sample.nanoseconds
        }
      }
      if events.count == count { return }
    }
  }
}
