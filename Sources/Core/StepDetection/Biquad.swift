/// A second-order section in transposed direct form II, the form with the least rounding error in single precision.
///
/// The contribution of the latest output to the state is deferred to the next call: an output then waits for one
/// multiplication and one subtraction after the previous output, instead of three additions and one multiplication.
struct Biquad<Value: Sendable>: Sendable {
  let b0: Value
  let b1: Value
  let b2: Value
  let a1: Value
  let a2: Value

  /// The state of a section.
  struct State: Sendable {
    /// The first state variable, without the contribution of the latest output.
    var s1: Value
    var s2: Value
    /// The latest output.
    var y: Value
  }
}

extension Biquad where Value == Float {
  static var silence: State { State(s1: 0, s2: 0, y: 0) }

  @inline(__always)
  func apply(_ x: Float, _ state: inout State) -> Float {
    let y = (b0 * x + state.s1) - a1 * state.y
    state.s1 = b1 * x + state.s2
    state.s2 = b2 * x - a2 * y
    state.y = y
    return y
  }
}

extension Biquad where Value == SIMD4<Float> {
  static var silence: State { State(s1: .zero, s2: .zero, y: .zero) }

  /// The same coefficients for four channels.
  @inline(__always)
  init(b0: Float, b1: Float, b2: Float, a1: Float, a2: Float) {
    self.init(
      b0: SIMD4(repeating: b0), b1: SIMD4(repeating: b1), b2: SIMD4(repeating: b2), a1: SIMD4(repeating: a1),
      a2: SIMD4(repeating: a2))
  }

  @inline(__always)
  func apply(_ x: SIMD4<Float>, _ state: inout State) -> SIMD4<Float> {
    let y = (b0 * x + state.s1) - a1 * state.y
    state.s1 = b1 * x + state.s2
    state.s2 = b2 * x - a2 * y
    state.y = y
    return y
  }
}
