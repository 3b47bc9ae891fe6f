/// Sums of products by lag, from 1 to 24, which stay in registers.
struct LagSums {
  private var s0 = SIMD4<Float>.zero
  private var s1 = SIMD4<Float>.zero
  private var s2 = SIMD4<Float>.zero
  private var s3 = SIMD4<Float>.zero
  private var s4 = SIMD4<Float>.zero
  private var s5 = SIMD4<Float>.zero

  /// Adds the products of six cells with those 1 to 24 positions after them. The caller guarantees the bounds: 30 values.
  @unsafe @inline(__always)
  mutating func add(_ channel: Span<Float>, from first: Int) {
    for i in first..<(first &+ Tuning.blockCells) {
      let now = unsafe SIMD4<Float>(repeating: channel[unchecked: i])
      s0 += unsafe now * channel.four(from: i &+ 1)
      s1 += unsafe now * channel.four(from: i &+ 5)
      s2 += unsafe now * channel.four(from: i &+ 9)
      s3 += unsafe now * channel.four(from: i &+ 13)
      s4 += unsafe now * channel.four(from: i &+ 17)
      s5 += unsafe now * channel.four(from: i &+ 21)
    }
  }

  /// The sum of one lag, from 1 to 24.
  subscript(lag: Int) -> Float {
    let place = (lag - 1) % 4
    return switch (lag - 1) / 4 {
    case 0: s0[place]
    case 1: s1[place]
    case 2: s2[place]
    case 3: s3[place]
    case 4: s4[place]
    default: s5[place]
    }
  }

  /// Writes the 24 sums. The caller guarantees the bounds.
  @unsafe @inline(__always) @_lifetime(store: copy store)
  func write(to store: inout MutableSpan<Float>, at place: Int) {
    unsafe store.write(s0, at: place)
    unsafe store.write(s1, at: place &+ 4)
    unsafe store.write(s2, at: place &+ 8)
    unsafe store.write(s3, at: place &+ 12)
    unsafe store.write(s4, at: place &+ 16)
    unsafe store.write(s5, at: place &+ 20)
  }
}

extension Span<Float> {
  /// Four consecutive values from an index. The caller guarantees the bounds.
  @unsafe @inline(__always)
  func four(from index: Int) -> SIMD4<Float> {
    unsafe bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: index &* 4, as: SIMD4<Float>.self)
  }
}

extension MutableSpan<Float> {
  /// Writes four consecutive values at an index. The caller guarantees the bounds.
  @unsafe @inline(__always) @_lifetime(self: copy self)
  mutating func write(_ four: SIMD4<Float>, at index: Int) {
    var bytes = unsafe mutableBytes
    unsafe bytes.storeBytes(of: four, toUncheckedByteOffset: index &* 4, as: SIMD4<Float>.self)
  }

  /// Writes six consecutive values.
  @unsafe @inline(__always) @_lifetime(self: copy self)
  mutating func write(_ four: SIMD4<Float>, _ two: SIMD2<Float>, at index: Int) {
    var bytes = unsafe mutableBytes
    unsafe bytes.storeBytes(of: four, toUncheckedByteOffset: index &* 4, as: SIMD4<Float>.self)
    unsafe bytes.storeBytes(of: two, toUncheckedByteOffset: index &* 4 &+ 16, as: SIMD2<Float>.self)
  }
}

extension SIMD4<Float> {
  /// By lane, the sum of the lanes from it to the last.
  @inline(__always)
  var sumsFromLast: SIMD4<Float> {
    let pairs = self + SIMD4(y, z, w, 0)
    return pairs + SIMD4(pairs.z, pairs.w, 0, 0)
  }

  /// By lane, the sum of the lanes before it.
  @inline(__always)
  var sumsBefore: SIMD4<Float> { SIMD4(0, x, y, z) + SIMD4(0, 0, x, y) + SIMD4(0, 0, 0, x) }

  /// 1/√ of energies; 0 for an energy below the noise of any sensor, so that nothing is compared with it.
  @inline(__always)
  var scale: SIMD4<Float> { reciprocalSquareRoot.replacing(with: 0, where: self .<= 1e-9) }

  /// 1/√x for normal positive lanes, to 5 parts in a million: halving the exponent gives a first guess, and Newton's
  /// iteration squares its error twice. Swift's own `squareRoot()` of a vector is four calls.
  @inline(__always)
  var reciprocalSquareRoot: SIMD4<Float> {
    let bits = unsafe unsafeBitCast(self, to: SIMD4<UInt32>.self)
    let guess = SIMD4<UInt32>(repeating: 0x5F37_5A86) &- (bits &>> SIMD4<UInt32>(repeating: 1))
    var y = unsafe unsafeBitCast(guess, to: SIMD4<Float>.self)
    let half = self * SIMD4(repeating: 0.5)
    let threeHalves = SIMD4<Float>(repeating: 1.5)
    y *= threeHalves - half * y * y
    y *= threeHalves - half * y * y
    return y
  }
}
