/// What is asked for again and again, with a pause before each time but the first, until the task is cancelled.
package struct PolledAnswers<Element: Sendable>: AsyncSequence, Sendable {
  package typealias Failure = any Error

  let pause: @Sendable () async throws -> Void
  /// Returns what is new.
  let ask: @Sendable () async throws -> [Element]

  package func makeAsyncIterator() -> Iterator { Iterator(answers: self) }

  package struct Iterator: AsyncIteratorProtocol {
    fileprivate let answers: PolledAnswers
    fileprivate var waiting: ArraySlice<Element> = []
    fileprivate var hasAsked = false

    package mutating func next(isolation actor: isolated (any Actor)? = #isolation) async throws -> Element? {
      do {
        while waiting.isEmpty {
          if hasAsked { try await answers.pause() }
          hasAsked = true
          waiting = try await answers.ask()[...]
        }
        return waiting.removeFirst()
      } catch {
        if Task.isCancelled { return nil }
        throw error
      }
    }
  }
}
