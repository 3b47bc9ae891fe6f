import LinuxSensors

/// Something that has counted steps already: a chip, or a service that holds the sensor.
package protocol StepReadings: Sendable {
  /// Starts at zero steps; one consumer.
  func makeReadings() -> any StepReadingIterator
}

/// The consumer's end of ``StepReadings``.
package protocol StepReadingIterator {
  /// The next reading; `nil` at the end, and when the task is cancelled.
  mutating func next() async throws -> StepCounterReading?
}
