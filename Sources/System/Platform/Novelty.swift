extension Optional where Wrapped: Equatable {
  /// Assigns a value, so that a caller can report each state once.
  /// - Returns: whether the value was different before.
  package mutating func changes(to value: Wrapped?) -> Bool {
    defer { self = value }
    return self != value
  }
}
