import Accelerometry

/// The elements and state changes of a source that may be lost and found again.
public enum SourceEvent<Element: Sendable>: Sendable {
  /// An element was read.
  case element(Element)
  /// The source was lost, with the reason. The sequence waits for it.
  case lost(any Error)
  /// The source was found again, but cannot be read yet, with the reason.
  case refused(any Error)
  /// The source is back, with its name for people; its elements follow.
  case back(String)

  /// The element; `nil` for a state change.
  package var element: Element? { if case .element(let element) = self { element } else { nil } }

  /// The walk event of a state change; `nil` for an element.
  package var walkEvent: WalkEvent? {
    switch self {
    case .element: nil
    case .lost(let error): .lost(error)
    case .refused(let error): .refused(error)
    case .back(let name): .back(name)
    }
  }
}

/// Turns elements of a source into events.
package protocol ElementCounting<Element>: Sendable {
  associatedtype Element: Sendable

  mutating func take(_ element: Element, into events: inout [WalkEvent])
  /// The source was lost, perhaps for hours; elements may follow.
  mutating func pause(into events: inout [WalkEvent])
  /// Ends the walk at the end or failure of the source; the last event is ``WalkEvent/ended(_:)``.
  mutating func end(into events: inout [WalkEvent])
}

extension ElementCounting {
  package mutating func pause(into events: inout [WalkEvent]) {}
}

extension SampleCounting: ElementCounting {}

/// The events of a walk: the loop that pulls a source and counts.
public struct WalkEvents<Base: AsyncSequence>: AsyncSequence, Sendable where Base.Element: Sendable {
  public typealias Element = WalkEvent
  public typealias Failure = any Error

  private let base: @Sendable () -> Base
  private let makeCount: @Sendable () -> (Base.Element?, inout [WalkEvent]) -> Void

  /// - Parameters:
  ///   - counting: counts the elements, at zero.
  ///   - base: opens the source.
  package init<Item, Counting: ElementCounting<Item>>(
    _ counting: Counting, _ base: @escaping @Sendable () -> Base
  ) where Base.Element == SourceEvent<Item> {
    self.base = base
    makeCount = {
      var counting = counting
      return { event, events in
        switch event {
        case .element(let element)?: counting.take(element, into: &events)
        case nil: counting.end(into: &events)
        case let event?:
          if case .lost = event { counting.pause(into: &events) }
          if let event = event.walkEvent { events.append(event) }
        }
      }
    }
  }

  /// Opens the source.
  public func makeAsyncIterator() -> Iterator { Iterator(base: base().makeAsyncIterator(), count: makeCount()) }

  /// Pulls an element after all events of the previous one have been returned.
  public struct Iterator: AsyncIteratorProtocol {
    private var base: Base.AsyncIterator
    private let count: (Base.Element?, inout [WalkEvent]) -> Void
    /// The events not returned yet, the next one last.
    private var waiting: [WalkEvent] = []
    private var isOver = false
    private var failure: (any Error)?

    fileprivate init(base: Base.AsyncIterator, count: @escaping (Base.Element?, inout [WalkEvent]) -> Void) {
      (self.base, self.count) = (base, count)
    }

    /// The next event; `nil` after ``WalkEvent/ended(_:)``.
    public mutating func next(isolation actor: isolated (any Actor)? = #isolation) async throws -> WalkEvent? {
      while waiting.isEmpty, !isOver {
        var element: Base.Element?
        do { element = try await base.next(isolation: actor) } catch { failure = error }
        isOver = element == nil
        count(element, &waiting)
        waiting.reverse()
      }
      if let event = waiting.popLast() { return event }
      defer { failure = nil }
      if let failure { throw failure }
      return nil
    }
  }
}

/// Samples, across any number of losses, as a walk.
public struct SampleWalk<Batches: AsyncSequence>: WalkSource where Batches.Element == SourceEvent<SampleBatch> {
  private let batches: @Sendable () -> Batches

  /// - Parameter batches: opens the source.
  public init(_ batches: @escaping @Sendable () -> Batches) { self.batches = batches }

  public func events(_ options: CountingOptions) -> WalkEvents<Batches> {
    WalkEvents(SampleCounting(options), batches)
  }
}

extension AccelerationSource {
  /// The events of a source that ends when it fails.
  package var events: AsyncMapSequence<Batches, SourceEvent<SampleBatch>> { batches().map { .element($0) } }

  /// The source as a walk.
  public var walk: some WalkSource { SampleWalk { events } }
}
