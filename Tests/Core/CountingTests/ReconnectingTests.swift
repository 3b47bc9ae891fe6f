import Counting
import Platform
import Synchronization
import Testing

@Suite("A source that is lost and found again", .timeLimit(.minutes(30)))
struct ReconnectingTests {
  private struct Gone: Error, Equatable, CustomStringConvertible {
    var description = "gone"
  }

  /// The results of opening the source, in order, and the waits.
  private final class Script: Sendable {
    /// The duration of an attempt on the source's clock, its elements, and whether it fails afterwards.
    struct Life: Sendable {
      var items: [Int]
      var lasts = Duration.zero
      var failure: Gone? = Gone()
      var isRefused = false
    }

    private struct State {
      var lives: [Life]
      var pauses: [Duration] = []
      var now = Duration.zero
    }
    private let state: Mutex<State>

    init(_ lives: [Life]) { state = Mutex(State(lives: lives)) }

    var pauses: [Duration] { state.withLock { $0.pauses } }

    func source(
      end: Gone? = nil, mayPass: @escaping @Sendable (any Error, ReconnectingStage) -> Bool = { _, _ in true }
    ) -> Reconnecting<Int> {
      let policy = Reconnecting<Int>.Policy(
        backoff: Backoff(first: .seconds(1), longest: .seconds(8), isPrompt: true), calm: .seconds(60), end: end,
        sleep: { pause in self.state.withLock { $0.pauses.append(pause) } },
        elapsed: { self.state.withLock { $0.now } }, mayPass: mayPass)
      let open = { @Sendable () throws -> Reconnecting<Int>.Opened? in
        guard let life = self.state.withLock({ $0.lives.isEmpty ? nil : $0.lives.removeFirst() }) else { return nil }
        self.state.withLock { $0.now += life.lasts }
        if life.isRefused { throw life.failure! }
        return .init(name: "it") {
          AsyncThrowingStream { elements in
            for item in life.items { elements.yield(item) }
            elements.finish(throwing: life.failure)
          }
        }
      }
      return Reconnecting(policy: policy, joint: { { item, isBack in isBack ? item + 100 : item } }, open: open)
    }
  }

  private func told(_ source: Reconnecting<Int>) async throws -> [String] {
    var told: [String] = []
    for try await event in source {
      switch event {
      case .element(let item): told.append("\(item)")
      case .lost(let error): told.append("lost: \(error)")
      case .refused(let error): told.append("refused: \(error)")
      case .back(let name): told.append("back: \(name)")
      }
    }
    return told
  }

  @Test("continues with what comes back, reported with its first element")
  func back() async throws {
    let script = Script([.init(items: [1, 2]), .init(items: [], isRefused: true), .init(items: [3, 4], failure: nil)])
    let expected = ["back: it", "101", "2", "lost: gone", "refused: gone", "back: it", "103", "4"]
    #expect(try await told(script.source()) == expected)
    #expect(script.pauses == [.seconds(1)])
  }

  @Test("a source that opens but delivers nothing is not back")
  func silent() async throws {
    let script = Script([.init(items: []), .init(items: [1], failure: nil)])
    #expect(try await told(script.source()) == ["refused: gone", "back: it", "101"])
  }

  @Test("doubles the wait after each failure, up to the longest")
  func latency() async throws {
    let script = Script(Array(repeating: .init(items: [], isRefused: true), count: 7))
    #expect(try await told(script.source()).count == 7)
    #expect(script.pauses == [1, 2, 4, 8, 8, 8].map { .seconds($0) })
  }

  @Test("resets the wait after a source that stayed for a while, but not after a short one")
  func calm() async throws {
    let refused = Script.Life(items: [], isRefused: true)
    let script = Script([
      refused, refused, refused, .init(items: [1], lasts: .seconds(61)), refused, refused,
      .init(items: [2], lasts: .seconds(60)), refused,
    ])
    _ = try await told(script.source())
    #expect(script.pauses == [1, 2, 1, 2, 4, 8].map { .seconds($0) })
  }

  @Test("a permanent error is thrown and ends the sequence", arguments: [true, false])
  func fatal(isReading: Bool) async throws {
    let script = Script([.init(items: isReading ? [1] : [], isRefused: !isReading), .init(items: [2])])
    let source = script.source { _, stage in (stage == .reading) != isReading }
    var iterator = source.makeAsyncIterator()
    for _ in 0..<(isReading ? 2 : 0) { _ = try await iterator.next() }
    await #expect(throws: Gone()) { try await iterator.next() }
    let rest = try await iterator.next()
    #expect(rest == nil)
  }

  @Test("the end of the elements ends the sequence, unless it counts as a loss")
  func end() async throws {
    let lives = [Script.Life(items: [1], failure: nil), .init(items: [2], failure: nil)]
    #expect(try await told(Script(lives).source()) == ["back: it", "101"])
    let expected = ["back: it", "101", "lost: asleep", "back: it", "102", "lost: asleep"]
    #expect(try await told(Script(lives).source(end: Gone(description: "asleep"))) == expected)
  }

  @Test("ends when it is cancelled while waiting")
  func cancelled() async throws {
    let (waits, tell) = AsyncStream.makeStream(of: Void.self)
    let policy = Reconnecting<Int>.Policy(
      backoff: Backoff(), calm: .zero,
      sleep: { _ in
        tell.yield()
        try await Task.sleep(for: .seconds(86_400))
      }, mayPass: { _, _ in true })
    let source = Reconnecting<Int>(policy: policy) { throw Gone() }
    let task = Task { try await told(source) }
    for await _ in waits { break }
    task.cancel()
    #expect(try await task.value == ["refused: gone"])
  }
}
