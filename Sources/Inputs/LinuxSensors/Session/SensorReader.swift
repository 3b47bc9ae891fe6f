/// Reads a sensor with blocking calls; created, used and released on one thread.
package protocol SensorReader<Element>: AnyObject {
  associatedtype Element: Sendable

  /// Opens and configures the sensor. If this throws, ``close()`` undoes what was done.
  func open() throws

  /// Sleeps after an element was delivered, while no new data is expected. Returns immediately if there is no such
  /// time, and when the flag is raised.
  ///
  /// The consumer requests the next element meanwhile, and then need not wake the thread.
  func rest(until stop: StopSignal)

  /// Waits for the next element; `nil` when the flag is raised or the source has ended.
  func next(until stop: StopSignal) throws -> Element?

  /// Restores all settings and closes the sensor.
  func close()
}

extension SensorReader {
  package func rest(until stop: StopSignal) {}
}

/// A reader as a structure: the optimizer of Swift 6.2 refuses generic types with functions that return `any SensorReader<Element>`.
struct MadeReader<Element: Sendable> {
  let reader: any SensorReader<Element>
}

/// The data of a sensor, for one consumer.
///
/// Each sequence reads the sensor on its own thread, and only while the consumer waits in `next()`: nothing is queued
/// in this process, and back-pressure reaches the kernel's buffer. The thread opens the sensor at the first `next()`.
/// When the consuming task is cancelled, the sequence ends with `nil` after the sensor's settings have been restored.
public struct SensorReadings<Element: Sendable>: AsyncSequence, Sendable {
  private let makeReader: @Sendable () -> MadeReader<Element>
  private let registry: SessionRegistry

  package init(makeReader: @escaping @Sendable () -> any SensorReader<Element>) {
    self.init(registry: .shared, makeReader: makeReader)
  }

  init(registry: SessionRegistry, makeReader: @escaping @Sendable () -> any SensorReader<Element>) {
    self.makeReader = { MadeReader(reader: makeReader()) }
    self.registry = registry
  }

  /// Creates an iterator; nothing is opened before the first `next()`.
  public func makeAsyncIterator() -> Iterator {
    Iterator(handle: Handle(ReaderSession(makeReader, registry: registry)))
  }

  /// The iterator of the consumer.
  public struct Iterator: AsyncIteratorProtocol {
    fileprivate let handle: Handle

    /// Waits for the next element.
    /// - Throws: ``SensorError``; the sequence then ends.
    public func next(isolation actor: isolated (any Actor)? = #isolation) async throws -> Element? {
      try await handle.next(isolation: actor)
    }
  }

  /// Ends the thread when the iterator is released.
  fileprivate final class Handle: Sendable {
    private let session: ReaderSession<Element>
    init(_ session: ReaderSession<Element>) { self.session = session }
    deinit { session.stop() }
    func next(isolation actor: isolated (any Actor)?) async throws -> Element? {
      try await session.next(isolation: actor)
    }
  }
}
