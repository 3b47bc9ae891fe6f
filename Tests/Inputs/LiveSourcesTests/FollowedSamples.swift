import Accelerometry
import Counting
import Testing

@testable import LiveSources

/// What a feed reports while its source is lost and found again.
struct FollowedSamples {
  /// `lost: REASON` and `back: NAME`, in order.
  private(set) var events: [String] = []
  /// The number of samples.
  private(set) var samples = 0

  /// Reads a feed up to a number of losses and returns. Their times must rise, and no return may be refused.
  init(_ feed: LiveFeed, upTo count: Int) async throws {
    var latest = Int64.min
    let makeSamples = try #require(feed.samples)
    for try await event in makeSamples() {
      switch event {
      case .lost(let error): events.append("lost: \(error)")
      case .back(let name): events.append("back: \(name)")
      case .refused(let error): Issue.record("\(error)")
      case .element(let batch):
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
