/// The normalised autocorrelation of the latest window, made once a block.
///
/// `axes[L]` compares the three axes as one vector with themselves `L` cells ago, `magnitude[L]` the magnitude. 1 means
/// that the window repeats exactly, 0 that it does not. Both are insensitive to scale; the first also to rotation,
/// since a rotation turns both sides of every dot product alike.
struct Correlation: Sendable {
  /// By lag, 0 to ``Tuning/longestLag``; lag 0 is not made (it is 1).
  var axes = InlineArray<25, Float>(repeating: 0)
  var magnitude = InlineArray<25, Float>(repeating: 0)
  /// Root mean square over the window, of the high-passed axes and magnitude, in g.
  var axesAmplitude: Float = 0
  var magnitudeAmplitude: Float = 0

  /// The value at half a lag; between two lags, their mean.
  static func half(_ values: InlineArray<25, Float>, of lag: Int) -> Float {
    lag % 2 == 0 ? values[lag / 2] : 0.5 * (values[lag / 2] + values[lag / 2 + 1])
  }
}

/// Keeps the high-passed cells and correlates each new block with their past.
///
/// Four channels lie in one vector (x, y, z, magnitude), so one multiplication serves all of them and every load is
/// aligned. A window's products are those of its two blocks; each block's are made once and used twice. Below the gate's
/// quiet amplitude no products are made: nothing would look at them; if the next block is loud, they are made then.
struct BlockAutocorrelation: Sendable {
  private typealias Products = InlineArray<25, SIMD4<Float>>

  /// The window (24 cells), and one longest lag (24 cells) before it; the newest cell is last.
  private var cells = [SIMD4<Float>](repeating: .zero, count: 48)
  private var filled = 0
  private var filter = Biquad<SIMD4<Float>>.silence
  private var origin: SIMD4<Float>?
  private var earlier = Products(repeating: .zero)
  private var hasEarlier = true
  /// Cells of this run.
  private(set) var count = 0

  /// Takes a cell: its three axes and its magnitude, in g.
  /// - Returns: whether this cell completes a block.
  @inline(__always)
  mutating func append(_ cell: SIMD4<Float>) -> Bool {
    if origin == nil { origin = cell }
    cells[36 + filled] = Tuning.highPass.apply(cell - (origin ?? .zero), &filter)
    filled += 1
    count += 1
    return filled == Tuning.blockCells
  }

  /// The correlation of the window that ends with the block just completed; then makes room for the next block.
  mutating func finishBlock() -> Correlation {
    var result = Correlation()
    let energy = energies()
    let have = Float(min(count, Tuning.windowCells))
    result.axesAmplitude = (max(0, energy[0].axesSum) / have).squareRoot()
    result.magnitudeAmplitude = (max(0, energy[0].w) / have).squareRoot()
    if result.magnitudeAmplitude >= Tuning.quietAmplitude {
      if !hasEarlier { earlier = products(of: 24) }
      let latest = products(of: 36)
      normalise(latest, energy, into: &result)
      earlier = latest
      hasEarlier = true
    } else {
      hasEarlier = false
    }
    for i in 0..<36 { cells[i] = cells[i + 12] }
    filled = 0
    return result
  }

  /// Sums of squares of the window as it lies `lag` cells back, by lag.
  private func energies() -> Products {
    let cells = cells.span
    var result = Products(repeating: .zero)
    var sum = SIMD4<Float>.zero
    for i in 24..<48 { sum += cells[i] * cells[i] }
    result[0] = sum
    for lag in 1...24 {
      let entering = cells[24 - lag]
      let leaving = cells[48 - lag]
      sum += entering * entering - leaving * leaving
      result[lag] = sum
    }
    return result
  }

  /// Sums over the twelve cells from `start` of each cell times the cell `lag` before, by lag.
  private func products(of start: Int) -> Products {
    let cells = cells.span
    var result = Products(repeating: .zero)
    // Eight lags at a time keep their sums in registers.
    for group in stride(from: 0, to: 24, by: 8) {
      var s0 = SIMD4<Float>.zero
      var (s1, s2, s3, s4, s5, s6, s7) = (s0, s0, s0, s0, s0, s0, s0)
      for i in start..<(start + 12) {
        let now = cells[i]
        let past = i - group
        s0 += now * cells[past - 1]
        s1 += now * cells[past - 2]
        s2 += now * cells[past - 3]
        s3 += now * cells[past - 4]
        s4 += now * cells[past - 5]
        s5 += now * cells[past - 6]
        s6 += now * cells[past - 7]
        s7 += now * cells[past - 8]
      }
      result[group + 1] = s0
      result[group + 2] = s1
      result[group + 3] = s2
      result[group + 4] = s3
      result[group + 5] = s4
      result[group + 6] = s5
      result[group + 7] = s6
      result[group + 8] = s7
    }
    return result
  }

  private func normalise(_ latest: Products, _ energy: Products, into result: inout Correlation) {
    let now = SIMD2(energy[0].axesSum, energy[0].w)
    for lag in 1...24 {
      let sum = earlier[lag] + latest[lag]
      let past = SIMD2(energy[lag].axesSum, energy[lag].w)
      let root = (now * past + 1e-10).squareRoot()
      result.axes[lag] = past.x > 1e-9 ? sum.axesSum / root.x : 0
      result.magnitude[lag] = past.y > 1e-9 ? sum.w / root.y : 0
    }
  }
}

extension SIMD4<Float> {
  /// x + y + z of a vector that carries the magnitude's channel in w.
  @inline(__always)
  fileprivate var axesSum: Float { x + y + z }
}
