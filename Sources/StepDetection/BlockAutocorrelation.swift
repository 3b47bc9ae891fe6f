/// The normalised autocorrelation of the latest window, made once a block.
///
/// At lag L, `axes` compares the three axes as one vector with themselves L cells ago, `magnitude` the magnitude. 1 means
/// that the window repeats exactly, 0 that it does not. Both are insensitive to scale; the first also to rotation,
/// since a rotation turns both sides of every dot product alike.
struct Correlation: Sendable {
  /// By lag, four to a vector, from 0; lag 0 and those beyond ``Tuning/longestLag`` stay zero.
  var axes = Lags(repeating: .zero)
  var magnitude = Lags(repeating: .zero)
  /// Root mean square over the window, of the high-passed axes and magnitude, in g.
  var axesAmplitude: Float = 0
  var magnitudeAmplitude: Float = 0

  typealias Lags = InlineArray<7, SIMD4<Float>>

  /// Nothing repeats.
  mutating func clear() {
    axes = Lags(repeating: .zero)
    magnitude = Lags(repeating: .zero)
  }
}

extension Span<SIMD4<Float>> {
  /// The value of one lag.
  @inline(__always)
  func lag(_ lag: Int) -> Float {
    precondition(lag >= 0 && lag < 4 * count)
    return unsafe bytes.unsafeLoad(fromUncheckedByteOffset: lag &* 4, as: Float.self)
  }

  /// The value at half a lag; between two lags, their mean.
  @inline(__always)
  func half(of lag: Int) -> Float {
    // Without a branch: an even lag's two places are the same.
    0.5 * (self.lag(lag / 2) + self.lag((lag + 1) / 2))
  }

  /// The value at some quarters of a lag, on a straight line between two lags.
  @inline(__always)
  func quarters(_ count: Int, of lag: Int) -> Float {
    let (whole, part) = (count * lag / 4, Float(count * lag % 4) * 0.25)
    return self.lag(whole) + part * (self.lag(whole + 1) - self.lag(whole))
  }
}

/// Keeps the high-passed cells and correlates each new block with their past.
///
/// Four channels lie in one vector (x, y, z, magnitude), so one multiplication serves all of them and every load is
/// aligned. A window's products are those of its two blocks; each block's are made once and used twice. Below the
/// gate's quiet amplitude no products are made: nothing would look at them. If the next block is loud, they are made
/// then.
///
/// Indices without bounds checks: all of them are sums of loop variables with constant bounds, and the checks cost as
/// much as the arithmetic.
struct BlockAutocorrelation: Sendable {
  /// The window (24 cells) and one longest lag (24 cells) before it end with the open block; in front of them lie cells
  /// that are no longer looked at, so that everything has to be moved only once in nine blocks.
  private var cells = [SIMD4<Float>](repeating: .zero, count: capacity)
  /// The squares of ``cells``: the three axes together, and the magnitude.
  private var squares = [SIMD2<Float>](repeating: .zero, count: capacity)
  private static let capacity = 48 + 16 * 6
  /// Where the 48 cells begin whose last twelve are the open block.
  private var base = 0
  private var filled = 0
  private var filter = Biquad<SIMD4<Float>>.silence
  private var origin = SIMD4<Float>.zero
  private var hasOrigin = false
  /// The products of a block with its past, by lag, for the two latest blocks in turn; 28 places each, of which lag 0
  /// and the last three stay zero.
  private var products = [SIMD4<Float>](repeating: .zero, count: 112)
  /// Where the open block's products go: 0 to 3 in turn.
  private var turn = 0
  /// How many of the latest blocks have their products.
  private var known = 3
  /// Cells of this run.
  private(set) var count = 0

  /// Cells that the open block still lacks.
  var room: Int { Tuning.blockCells - filled }

  /// Takes a cell: its three axes and its magnitude, in g. There must be ``room``.
  @inline(__always)
  mutating func append(_ cell: SIMD4<Float>) {
    if !hasOrigin {
      hasOrigin = true
      origin = cell
    }
    let filtered = Tuning.highPass.apply(cell - origin, &filter)
    let squared = filtered * filtered
    let place = base &+ 42 &+ filled
    cells[place] = filtered
    squares[place] = SIMD2((squared.x + squared.y) + squared.z, squared.w)
    filled += 1
    count += 1
  }

  /// The correlation of the window that ends with the block just completed; then makes room for the next block.
  mutating func finishBlock(into result: inout Correlation) {
    var energy = InlineArray<32, SIMD2<Float>>(repeating: .zero)
    Self.slide(squares, from: base, into: &energy)
    let have = Float(min(count, Tuning.windowCells))
    result.axesAmplitude = (max(0, energy[0].x) / have).squareRoot()
    result.magnitudeAmplitude = (max(0, energy[0].y) / have).squareRoot()
    if result.magnitudeAmplitude >= Tuning.quietAmplitude {
      // Blocks that were too quiet for their products when they came.
      var missing = 3
      while missing > known {
        Self.multiply(cells, block: base + 42 - 6 * missing, into: &products, at: 28 * ((turn + 4 - missing) & 3))
        missing -= 1
      }
      Self.multiply(cells, block: base + 42, into: &products, at: 28 * turn)
      known = 3
      Self.normalise(products.span, energy.span, into: &result)
    } else {
      result.clear()
      known = max(0, known - 1)
    }
    turn = (turn + 1) & 3
    filled = 0
    base += Tuning.blockCells
    if base + 48 > Self.capacity {
      for i in 0..<42 {
        cells[i] = cells[base + i]
        squares[i] = squares[base + i]
      }
      base = 0
    }
  }

  /// Sums of squares of the window as it lies `lag` cells back, by lag.
  private static func slide(_ squares: [SIMD2<Float>], from base: Int, into result: inout InlineArray<32, SIMD2<Float>>)
  {
    let squares = squares.span
    var energy = result.mutableSpan
    var sum = SIMD2<Float>.zero
    for i in 24..<48 { sum += unsafe squares[unchecked: base &+ i] }
    unsafe energy[unchecked: 0] = sum
    for lag in 1...24 {
      sum += unsafe squares[unchecked: base &+ 24 &- lag] - squares[unchecked: base &+ 48 &- lag]
      unsafe energy[unchecked: lag] = sum
    }
  }

  /// Sums over the twelve cells from `block` of each cell times the cell `lag` before, by lag, eight lags at a time so
  /// that their sums stay in registers.
  private static func multiply(
    _ cells: [SIMD4<Float>], block: Int, into result: inout [SIMD4<Float>], at offset: Int
  ) {
    let cells = cells.span
    var products = result.mutableSpan
    for group in stride(from: 0, to: 24, by: 8) {
      var s0 = SIMD4<Float>.zero
      var (s1, s2, s3, s4, s5, s6, s7) = (s0, s0, s0, s0, s0, s0, s0)
      for i in block..<(block &+ 6) {
        let now = unsafe cells[unchecked: i]
        let past = i &- group
        s0 += unsafe now * cells[unchecked: past &- 1]
        s1 += unsafe now * cells[unchecked: past &- 2]
        s2 += unsafe now * cells[unchecked: past &- 3]
        s3 += unsafe now * cells[unchecked: past &- 4]
        s4 += unsafe now * cells[unchecked: past &- 5]
        s5 += unsafe now * cells[unchecked: past &- 6]
        s6 += unsafe now * cells[unchecked: past &- 7]
        s7 += unsafe now * cells[unchecked: past &- 8]
      }
      let slot = offset &+ group
      unsafe products[unchecked: slot &+ 1] = s0
      unsafe products[unchecked: slot &+ 2] = s1
      unsafe products[unchecked: slot &+ 3] = s2
      unsafe products[unchecked: slot &+ 4] = s3
      unsafe products[unchecked: slot &+ 5] = s4
      unsafe products[unchecked: slot &+ 6] = s5
      unsafe products[unchecked: slot &+ 7] = s6
      unsafe products[unchecked: slot &+ 8] = s7
    }
  }

  /// Divides by the energies, four lags at a time.
  private static func normalise(
    _ products: Span<SIMD4<Float>>, _ energy: Span<SIMD2<Float>>, into result: inout Correlation
  ) {
    var (axes, magnitude) = (Correlation.Lags(repeating: .zero), Correlation.Lags(repeating: .zero))
    let (axesNow, magnitudeNow) = (SIMD4(repeating: energy[0].x), SIMD4(repeating: energy[0].y))
    for group in 0..<7 {
      let lag = 4 &* group
      let sums = Channels(products, from: lag)
      let then = unsafe SIMD8(
        lowHalf: SIMD4(lowHalf: energy[unchecked: lag], highHalf: energy[unchecked: lag &+ 1]),
        highHalf: SIMD4(lowHalf: energy[unchecked: lag &+ 2], highHalf: energy[unchecked: lag &+ 3]))
      axes[group] = ratio(sums.axes, axesNow, then.evenHalf)
      magnitude[group] = ratio(sums.magnitude, magnitudeNow, then.oddHalf)
    }
    result.axes = axes
    result.magnitude = magnitude
  }

  @inline(__always)
  private static func ratio(_ sum: SIMD4<Float>, _ now: SIMD4<Float>, _ then: SIMD4<Float>) -> SIMD4<Float> {
    (sum * (now * then + 1e-10).reciprocalSquareRoot).replacing(with: 0, where: then .<= 1e-9)
  }

  /// A window's products at four lags, by channel: both blocks added up, and the axes as one.
  private struct Channels {
    let axes: SIMD4<Float>
    let magnitude: SIMD4<Float>

    @inline(__always)
    init(_ products: Span<SIMD4<Float>>, from lag: Int) {
      let a = unsafe (products[unchecked: lag] + products[unchecked: lag &+ 28])
        + (products[unchecked: lag &+ 56] + products[unchecked: lag &+ 84])
      let b = unsafe (products[unchecked: lag &+ 1] + products[unchecked: lag &+ 29])
        + (products[unchecked: lag &+ 57] + products[unchecked: lag &+ 85])
      let c = unsafe (products[unchecked: lag &+ 2] + products[unchecked: lag &+ 30])
        + (products[unchecked: lag &+ 58] + products[unchecked: lag &+ 86])
      let d = unsafe (products[unchecked: lag &+ 3] + products[unchecked: lag &+ 31])
        + (products[unchecked: lag &+ 59] + products[unchecked: lag &+ 87])
      let (ab, cd) = (SIMD8(lowHalf: a, highHalf: b), SIMD8(lowHalf: c, highHalf: d))
      let xz = SIMD8(lowHalf: ab.evenHalf, highHalf: cd.evenHalf)
      let ym = SIMD8(lowHalf: ab.oddHalf, highHalf: cd.oddHalf)
      axes = (xz.evenHalf + ym.evenHalf) + xz.oddHalf
      magnitude = ym.oddHalf
    }
  }
}

extension SIMD4<Float> {
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
