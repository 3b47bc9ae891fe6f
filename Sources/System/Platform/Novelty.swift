extension Optional where Wrapped: Equatable {
  /// Becomes a value: what is told again and again is told once.
  /// - Returns: whether it was another one before.
  package mutating func changes(to value: Wrapped?) -> Bool {
    defer { self = value }
    return self != value
  }
}
