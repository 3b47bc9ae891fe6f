extension FixedWidthInteger {
  /// The nearest whole number, or the nearest one that there is; 0 for NaN. Numbers from outside are converted with this, because
  /// the standard conversions end the process for what does not fit. `make lint` checks it.
  @inlinable
  package init(bounded value: Double) {
    guard let exact = Self(exactly: value.rounded()) else {
      self = value > 0 ? .max : value < 0 ? .min : 0
      return
    }
    self = exact
  }
}

extension Int64 {
  /// The quotient, rounded down.
  @inlinable
  package func floored(by divisor: Int64) -> Int64 {
    let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? quotient - 1 : quotient
  }
}
