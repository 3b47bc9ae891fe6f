/// Where live events go out: one writer, any number of readers.
///
/// Every line gets the next number; the latest ones are kept, so a reader that was cut off gets what it missed.
protocol EventPublisher: Sendable {
  /// Passes a line on: one JSON object, without its line end.
  func publish(_ line: String)
}
