import Counting
import LinuxSensors
import Platform
import Synchronization

/// An opened source, across any number of losses.
package struct OpenSource: WalkSource {
  private final class Latest: Sendable {
    let state = Mutex<(connection: SourceConnection?, isAgain: Bool)>((nil, false))
  }

  /// What it delivers. Each iterator reads it from the beginning.
  package var elements: Elements
  private let latest = Latest()
  private let use: Sources.Use

  /// - Parameter first: the first connection, which is not read yet; `nil`: it is searched for with the first event.
  init(_ way: SourceWay, for use: Sources.Use, _ sources: Sources, first: SourceConnection?) {
    // What a service counts with is asked for there again.
    let way = first.flatMap { first in first.waits.map { SourceWay($0) { _ in first } } } ?? way
    let latest = latest
    latest.state.withLock { $0 = (first, first != nil) }
    self.use = use
    elements = Elements(
      base: Reconnecting(
        first: first.map(\.opened), policy: way.waits.policy(for: use, waits: sources.waits, sources),
        joint: {
          var line = ItemLine()
          return { line.take($0, isBack: $1) }
        },
        open: {
          let isAgain = latest.state.withLock { state in
            defer { state.isAgain = true }
            return state.isAgain
          }
          guard let connection = try await way.connect(isAgain) else { return nil }
          latest.state.withLock { $0.connection = connection }
          return connection.opened
        }))
  }

  /// The source as it was opened last; `nil` before an all-day source was found.
  package var connection: SourceConnection? { latest.state.withLock { $0.connection } }

  /// The walk, with floors if there is a barometer.
  package func events(_ options: CountingOptions) -> FloorWalk.Events {
    let (elements, latest) = (elements, latest)
    let counting = ItemCounting(options, countsItself: connection?.countsItself ?? false, decidesAtLoss: use == .allDay)
    return FloorWalk(Walk(counting: counting, elements: elements)) {
      latest.state.withLock { $0.connection }?.pressures?()
    }.events(options)
  }

  private struct Walk: WalkSource {
    let counting: ItemCounting
    let elements: Elements
    func events(_ options: CountingOptions) -> WalkEvents<Elements> { WalkEvents(counting) { elements } }
  }

  /// The items of a source and its losses, up to some time after the first sample.
  package struct Elements: AsyncSequence, Sendable {
    package typealias Element = SourceEvent<SourceItem>
    package typealias Failure = any Error

    fileprivate let base: Reconnecting<SourceItem>
    /// The duration in the samples' own time; `nil`: no limit.
    package var duration: Duration?
    /// Called if the time is up before the source ends.
    package var atEnd: @Sendable () -> Void = {}

    package func makeAsyncIterator() -> Iterator { Iterator(base: base.makeAsyncIterator(), self) }

    package struct Iterator: AsyncIteratorProtocol {
      private var base: Reconnecting<SourceItem>.Iterator
      private let length: Int64?
      private let atEnd: @Sendable () -> Void
      /// The last nanosecond of the duration, once a sample has arrived.
      private var end: Int64?
      private var isOver = false

      fileprivate init(base: Reconnecting<SourceItem>.Iterator, _ elements: Elements) {
        (self.base, length, atEnd) = (base, elements.duration?.wholeNanoseconds, elements.atEnd)
      }

      package mutating func next(isolation actor: isolated (any Actor)? = #isolation) async throws -> Element? {
        if isOver { return nil }
        guard let event = try await base.next(isolation: actor) else { return nil }
        guard let length, case .element(.samples(var batch)) = event, let first = batch.samples.first,
          let last = batch.samples.last
        else { return event }
        let (sum, overflow) = first.nanoseconds.addingReportingOverflow(length)
        let end = end ?? (overflow ? .max : sum)
        self.end = end
        guard last.nanoseconds > end else { return event }
        batch.samples.removeAll { $0.nanoseconds > end }
        isOver = true
        atEnd()
        return .element(.samples(batch))
      }
    }
  }
}

extension SourceConnection {
  fileprivate var opened: Reconnecting<SourceItem>.Opened { .init(name: nameOfReturn ?? "\(uri)", elements: items) }
}
