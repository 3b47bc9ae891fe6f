import Dispatch
import Synchronization
import TestSupport
import Testing

@Suite("Tests on their own threads", .timeLimit(.minutes(30)), .ownThreads)
struct OwnThreadsTests {
  private final class Meeting: Sendable {
    let waiting = Atomic(0)
    let isComplete = DispatchSemaphore(value: 0)
  }

  @Test("a hundred tasks may block at the same time, and the last one releases them")
  func blocking() async {
    let count = 100
    let meeting = Meeting()
    let released = await withTaskGroup(of: Bool.self) { group in
      for _ in 0..<count {
        group.addTask {
          if meeting.waiting.add(1, ordering: .relaxed).newValue == count {
            for _ in 1...count { meeting.isComplete.signal() }
          }
          return meeting.isComplete.wait(timeout: .now() + .seconds(Hang.seconds)) == .success
        }
      }
      return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
    }
    #expect(released == count)
  }
}
