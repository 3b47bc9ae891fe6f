import Platform
import Testing

@Suite("Backoff", .timeLimit(.minutes(30)))
struct BackoffTests {
  @Test("waits double up to the limit, and start again after a success")
  func doubling() {
    var backoff = Backoff(first: .seconds(1), longest: .seconds(5))
    #expect((0..<4).map { _ in backoff.next() } == [.seconds(1), .seconds(2), .seconds(4), .seconds(5)])
    backoff.reset()
    #expect(backoff.next() == .seconds(1))
  }

  @Test("a prompt one makes its first attempt at once")
  func prompt() {
    var backoff = Backoff(first: .milliseconds(200), isPrompt: true)
    #expect((0..<3).map { _ in backoff.next() } == [.zero, .milliseconds(200), .milliseconds(400)])
  }

  @Test("no wait is longer than the limit, not even the first")
  func limit() {
    var backoff = Backoff(first: .seconds(9), longest: .seconds(5))
    #expect(backoff.next() == .seconds(5) && backoff.next() == .seconds(5))
  }
}
