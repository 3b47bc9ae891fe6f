import Platform

/// A source that is reopened when it is lost. All reconnecting of the package is done here.
///
/// Nothing is read ahead. A source is reported as back with its first element, so a source that is present but silent
/// is not back.
package struct Reconnecting<Item: Sendable>: AsyncSequence, Sendable {
  package typealias Element = SourceEvent<Item>
  package typealias Failure = any Error

  /// A source that was opened.
  package struct Opened: Sendable {
    /// Its name for people.
    package var name: String
    /// Begins reading; nothing is read before the first element is requested.
    package var elements: @Sendable () -> any AsyncSequence<Item, any Error>

    package init(name: String, elements: @escaping @Sendable () -> any AsyncSequence<Item, any Error>) {
      (self.name, self.elements) = (name, elements)
    }
  }

  /// When to try again.
  package struct Policy: Sendable {
    /// The waits between two attempts.
    package var backoff: Backoff
    /// An attempt that lasted longer than this, reading included, succeeded: the waits start again.
    package var calm: Duration
    /// Whether an error is temporary. Other errors are thrown and end the sequence.
    package var mayPass: @Sendable (_ error: any Error, _ stage: ReconnectingStage) -> Bool
    /// Whether an element shows that the source works.
    package var speaks: @Sendable (Item) -> Bool = { _ in true }
    /// What the end of the elements means; `nil`: the end of the sequence.
    package var end: (any Error)?
    /// Waits; throws when the task is cancelled.
    package var sleep: @Sendable (Duration) async throws -> Void
    /// The time since a fixed moment.
    package var elapsed: @Sendable () -> Duration

    package init(
      backoff: Backoff, calm: Duration, end: (any Error)? = nil,
      sleep: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) },
      elapsed: (@Sendable () -> Duration)? = nil,
      mayPass: @escaping @Sendable (_ error: any Error, _ stage: ReconnectingStage) -> Bool
    ) {
      (self.backoff, self.calm, self.end, self.sleep) = (backoff, calm, end, sleep)
      self.elapsed = elapsed ?? { systemStart.duration(to: .now) }
      self.mayPass = mayPass
    }
  }

  private let first: Opened?
  private let policy: Policy
  private let open: @Sendable () async throws -> Opened?
  private let makeJoint: @Sendable () -> (_ item: Item, _ isBack: Bool) -> Item

  /// - Parameters:
  ///   - first: the source, if it is open already.
  ///   - policy: when to try again.
  ///   - joint: called once for each iterator; returns a function that adapts an element to those before it.
  ///   - open: waits until the source is present, and opens it; `nil` if the task was cancelled.
  package init(
    first: Opened? = nil, policy: Policy,
    joint: @escaping @Sendable () -> (_ item: Item, _ isBack: Bool) -> Item = { { item, _ in item } },
    open: @escaping @Sendable () async throws -> Opened?
  ) {
    (self.first, self.policy, self.open) = (first, policy, open)
    makeJoint = joint
  }

  package func makeAsyncIterator() -> Iterator { Iterator(self) }

  /// The iterator of the single consumer.
  package struct Iterator: AsyncIteratorProtocol {
    private enum Phase {
      /// Not open; whether a wait comes first.
      case away(waits: Bool)
      case reading
      case over
    }

    private let policy: Policy
    private let open: @Sendable () async throws -> Opened?
    private let join: (_ item: Item, _ isBack: Bool) -> Item
    private var backoff: Backoff
    private var phase: Phase
    private var elements: (any AsyncIteratorProtocol<Item, any Error>)?
    /// The first element of a source that is back.
    private var waiting: Item?
    /// The start of this attempt.
    private var beginning: Duration
    private var hasSpoken = false

    fileprivate init(_ source: Reconnecting) {
      policy = source.policy
      open = source.open
      join = source.makeJoint()
      backoff = source.policy.backoff
      elements = source.first?.elements().makeAsyncIterator()
      phase = elements == nil ? .away(waits: false) : .reading
      beginning = source.policy.elapsed()
    }

    /// The next event; `nil` at the end, and when the task is cancelled.
    package mutating func next(
      isolation actor: isolated (any Actor)? = #isolation
    ) async throws -> SourceEvent<Item>? {
      switch phase {
      case .over: return nil
      case .reading: return try await read(isolation: actor)
      case .away(let waits): return try await find(waits: waits, isolation: actor)
      }
    }

    private mutating func read(isolation actor: isolated (any Actor)?) async throws -> SourceEvent<Item>? {
      if let item = waiting {
        waiting = nil
        return .element(join(item, true))
      }
      do {
        if let item = try await elements?.next(isolation: actor) {
          hasSpoken = hasSpoken || policy.speaks(item)
          return .element(join(item, false))
        }
        return try ended()
      } catch {
        return try failed(with: error, hasSpoken ? .reading : .beginning).map { .lost($0) }
      }
    }

    private mutating func find(
      waits: Bool, isolation actor: isolated (any Actor)?
    ) async throws -> SourceEvent<Item>? {
      let pause = waits ? backoff.next() : .zero
      if pause > .zero, (try? await policy.sleep(pause)) == nil || Task.isCancelled { return over() }
      beginning = policy.elapsed()
      do {
        guard let opened = try await open() else { return over() }
        elements = opened.elements().makeAsyncIterator()
        guard let item = try await elements?.next(isolation: actor) else { return try ended() }
        (waiting, phase, hasSpoken) = (item, .reading, hasSpoken || policy.speaks(item))
        return .back(opened.name)
      } catch {
        return try failed(with: error, .away).map { .refused($0) }
      }
    }

    /// - Throws: the error that the end means, if any.
    private mutating func ended() throws -> SourceEvent<Item>? {
      if let end = policy.end, !Task.isCancelled { throw end }
      return over()
    }

    private mutating func over() -> SourceEvent<Item>? {
      (phase, elements) = (.over, nil)
      return nil
    }

    /// - Returns: the error, if it is temporary; `nil` if the task was cancelled.
    private mutating func failed(with error: any Error, _ stage: ReconnectingStage) throws -> (any Error)? {
      elements = nil
      phase = .over
      if Task.isCancelled { return nil }
      guard policy.mayPass(error, stage) else { throw error }
      if policy.elapsed() - beginning > policy.calm { backoff.reset() }
      phase = .away(waits: true)
      return error
    }
  }
}

/// When a source fails.
package enum ReconnectingStage: Sendable, Hashable {
  /// It was opened, and has not delivered anything yet.
  case beginning
  /// It has delivered something.
  case reading
  /// It is being opened again.
  case away
}

/// For measuring how long something takes.
private let systemStart = ContinuousClock.now
