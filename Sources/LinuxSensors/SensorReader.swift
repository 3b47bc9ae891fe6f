/// Something that reads a sensor by blocking calls; made, used and let go on one thread of its own.
package protocol SensorReader<Element>: AnyObject {
  associatedtype Element: Sendable

  /// Opens and configures. What was done already is undone by ``close()`` also when this throws.
  func open() throws

  /// Lets time pass after an element was handed over, in which nothing could be read anyway; returns at once where there
  /// is no such time, and when the flag is raised.
  ///
  /// The consumer asks again meanwhile: its wish then need not wake the thread.
  func rest(until stop: StopSignal)

  /// Waits for the next element; `nil` once the flag is raised or the source ended.
  func next(until stop: StopSignal) throws -> Element?

  /// Puts back whatever was changed and closes.
  func close()
}

extension SensorReader {
  package func rest(until stop: StopSignal) {}
}

/// What a sensor says, pulled by one consumer.
///
/// The sensor is read by a thread of its own, and only while somebody waits in `next()`: nothing piles up in this
/// process, back-pressure reaches the kernel's buffer. The thread opens the sensor at the first `next()`. When the
/// consuming task is cancelled the sequence ends with `nil`; the sensor has then been put back as it was found.
public struct SensorReadings<Element: Sendable>: AsyncSequence, Sendable {
  private let makeReader: @Sendable () -> any SensorReader<Element>
  private let registry: SessionRegistry

  package init(makeReader: @escaping @Sendable () -> any SensorReader<Element>) {
    self.init(registry: .shared, makeReader: makeReader)
  }

  init(registry: SessionRegistry, makeReader: @escaping @Sendable () -> any SensorReader<Element>) {
    self.makeReader = makeReader
    self.registry = registry
  }

  /// Starts anew; nothing is opened before the first `next()`.
  public func makeAsyncIterator() -> Iterator {
    Iterator(handle: Handle(ReaderSession(makeReader, registry: registry)))
  }

  /// The one consumer's end.
  public struct Iterator: AsyncIteratorProtocol {
    fileprivate let handle: Handle

    /// Waits for the next element.
    /// - Throws: ``SensorError``; the sequence is over then.
    public func next(isolation actor: isolated (any Actor)? = #isolation) async throws -> Element? {
      try await handle.next(isolation: actor)
    }
  }

  /// Ends the thread when the consumer lets go of its iterator.
  fileprivate final class Handle: Sendable {
    private let session: ReaderSession<Element>
    init(_ session: ReaderSession<Element>) { self.session = session }
    deinit { session.stop() }
    func next(isolation actor: isolated (any Actor)?) async throws -> Element? {
      try await session.next(isolation: actor)
    }
  }
}
