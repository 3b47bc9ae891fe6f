import Accelerometry
import LinuxSensors

/// A chip that counts steps and may be unplugged: goes on with the same one when it is back, at the steps it had.
package struct ReconnectingCounter: AsyncSequence, Sendable {
  package typealias Failure = any Error

  private let counter: IIOStepCounter
  private let sensor: DiscoveredSensor?
  private let report: @Sendable (ReconnectingSource.Event) -> Void

  /// Reads a counter; one that udev does not know (`sensor` is `nil`) is not looked for again.
  package init(
    _ counter: IIOStepCounter, sensor: DiscoveredSensor?, report: @escaping @Sendable (ReconnectingSource.Event) -> Void
  ) {
    self.counter = counter
    self.sensor = sensor
    self.report = report
  }

  /// Opens a counter by its name.
  package static func counter(_ uri: SourceURI, _ options: SensorOptions) throws(SensorError) -> IIOStepCounter {
    if case .stepCounter(let counter) = try SensorSource.open(uri, options: options) { return counter }
    throw .notFound(name: "a step counter called \(uri)", remedy: "'pedometer devices' lists what is there")
  }

  /// Starts at zero steps.
  package func makeAsyncIterator() -> Iterator { Iterator(self) }

  /// The one consumer's end.
  package struct Iterator: AsyncIteratorProtocol {
    private let source: ReconnectingCounter
    private var readings: SensorReadings<StepCounterReading>.Iterator
    private var latest = (steps: 0, distance: 0.0)
    /// The steps and metres before the chip was lost.
    private var base = (steps: 0, distance: 0.0)

    /// A chip that fails at once when it is opened again is not tried again before this time.
    private static let pause = Duration.seconds(1)

    fileprivate init(_ source: ReconnectingCounter) {
      self.source = source
      readings = source.counter.readings().makeAsyncIterator()
    }

    /// The next reading; steps and metres go on over a loss. `nil` when the task is cancelled.
    package mutating func next() async throws -> StepCounterReading? {
      while true {
        do {
          guard var reading = try await readings.next() else { return nil }
          reading.steps += base.steps
          reading.distance = reading.distance.map { $0 + base.distance }
          latest = (reading.steps, reading.distance ?? latest.distance)
          return reading
        } catch let error as SensorError where error.mayPass {
          guard let sensor = source.sensor else { throw error }
          source.report(.lost(error))
          guard try await reopen(sensor) else { return nil }
        }
      }
    }

    /// Waits for the chip; false when the task was cancelled.
    private mutating func reopen(_ sensor: DiscoveredSensor) async throws -> Bool {
      let options = source.counter.options
      while true {
        // The folder of a chip that goes outlives it by a moment.
        guard (try? await Task.sleep(for: Self.pause)) != nil else { return false }
        let found = try await SensorDiscovery().waitForSensor(for: options.use) {
          $0.kind == sensor.kind && $0.identity.isSame(as: sensor.identity)
        }
        guard let found else { return false }
        do throws(SensorError) {
          readings = try ReconnectingCounter.counter(found.uri, options).readings().makeAsyncIterator()
          base = latest
          source.report(.back(found))
          return true
        } catch { source.report(.refused(error)) }
      }
    }
  }
}
