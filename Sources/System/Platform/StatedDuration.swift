extension Duration {
  /// A duration in seconds as another program or a file states it; `nil` if it is not a number, or longer than 30,000
  /// years: `Duration.seconds` traps at such values.
  package init?(stated seconds: Double) {
    guard seconds.magnitude <= 1e12 else { return nil }
    self = .seconds(seconds)
  }
}
