import Foundation
import Synchronization

@testable import PedometerService
@testable import ServiceWalkers

/// Histories of a test: steps at moments.
final class ListedSteps: StepHistories {
  struct Broken: Error {}
  private let state = Mutex<(steps: [String: [(Date, Int)]], broken: Set<String>)>(([:], []))

  func walk(_ walker: String, _ steps: Int, at date: Date) {
    state.withLock { $0.steps[walker, default: []].append((date, steps)) }
  }

  func setBroken(_ walkers: Set<String>) { state.withLock { $0.broken = walkers } }

  func steps(of walker: String, between edges: [Date]) throws -> [Int] {
    try state.withLock { state in
      if state.broken.contains(walker) { throw Broken() }
      return zip(edges, edges.dropFirst()).map { from, to in
        (state.steps[walker] ?? []).reduce(0) { $1.0 >= from && $1.0 < to ? $0 + $1.1 : $0 }
      }
    }
  }

  func keep(only ids: Set<String>) {}
}
