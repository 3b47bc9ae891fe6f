import LinuxSensors

/// Something that has counted steps already: a chip, or a service that holds the sensor. Each iterator starts at zero
/// steps; `nil` at the end, and when the task is cancelled.
package typealias StepReadings = AsyncSequence<StepCounterReading, any Error> & Sendable
