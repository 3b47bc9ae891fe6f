import ChaseEngine
import Pedometry
import TestSupport
import Testing

@Suite("NotificationHub", .timeLimit(.minutes(30)))
struct NotificationHubTests {
  private final class Sender {}
  private let name = NotificationHub.Name("something")
  private let hub = NotificationHub()

  @Test("listeners are called in order of registration, for their name only")
  func order() {
    // given
    var calls: [String] = []
    let tokens = [
      hub.addObserver(for: name) { _ in calls.append("first") },
      hub.addObserver(for: name) { _ in calls.append("second") },
      hub.addObserver(for: NotificationHub.Name("other")) { _ in calls.append("other") },
    ]
    // when
    hub.post(name: name)
    // then
    #expect(calls == ["first", "second"])
    for token in tokens { token.cancel() }
  }

  @Test("a listener of one sender gets no messages of others, nor any after that sender is gone")
  func sender() {
    // given
    var calls = 0
    var mine: Sender? = Sender()
    let token = hub.addObserver(for: name, object: mine) { _ in calls += 1 }
    // when, then
    hub.post(name: name, object: mine)
    #expect(calls == 1)
    hub.post(name: name, object: Sender())
    hub.post(name: name)
    #expect(calls == 1)
    mine = nil
    hub.post(name: name)
    #expect(calls == 1)
    token.cancel()
  }

  @Test("a listener cancelled during a message is not called; one added then gets the next message")
  func changesWhilePosting() {
    // given
    var calls: [String] = []
    var late: ListenToken?
    var second: ListenToken?
    let first = hub.addObserver(for: name) { [hub, name] _ in
      calls.append("first")
      second?.cancel()
      if late == nil { late = hub.addObserver(for: name) { _ in calls.append("late") } }
    }
    second = hub.addObserver(for: name) { _ in calls.append("second") }
    // when
    hub.post(name: name)
    #expect(calls == ["first"])
    hub.post(name: name)
    // then
    #expect(calls == ["first", "first", "late"])
    first.cancel()
    late?.cancel()
  }

  @Test("a token may outlive its hub")
  func tokenOutlivesHub() {
    // given
    var hub: NotificationHub? = NotificationHub()
    let token = hub?.addObserver(for: name) { _ in }
    #expect(token?.isListening == true)
    // when
    hub = nil
    token?.cancel()
    // then
    #expect(token?.isListening == false)
  }
}
