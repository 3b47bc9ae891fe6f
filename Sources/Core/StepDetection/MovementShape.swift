/// The shape of a movement: what the gate reads besides the rhythm.
///
/// A foot on the ground lifts the body twice a stride, along gravity, and turns the sensor little. A pedal turns once,
/// on a circle; a clap strikes across gravity; a gesture tilts the sensor from one place to the next. So these features
/// describe, over up to 3.84 s, the harmonics of the stride in the magnitude, along gravity and across it, how round
/// their paths are, the distribution of the magnitude and of its changes, the direction of the jerks, and how much
/// gravity turned. Ratios of harmonics separate gait from other movements since H. Yack and R. Berger ("Dynamic
/// stability in the elderly: identifying a possible measure", Journal of Gerontology 48 (1993) M225-M230).
package struct MovementShape: Sendable {
  package static let count = 28
  package static let names = [
    "magnitude 1", "magnitude 2", "magnitude 3", "magnitude 4", "vertical 1", "vertical 2", "vertical 3", "vertical 4",
    "horizontal 1", "horizontal 2", "horizontal 3", "horizontal 4", "vertical share", "harmonic ratio", "circle 1",
    "circle 2", "level circle", "skewness", "kurtosis", "crest", "change skewness", "tilt", "tilt rate",
    "amplitude/cadence²", "jerk", "vertical jerk share", "vertical jerk skewness", "vertical skewness",
  ]
  package private(set) var values = InlineArray<28, Float>(repeating: 0)

  package init() {}

  /// The share of the stride's fundamental in the magnitude.
  var fundamental: Float { values[0] }
  /// The same along gravity.
  var verticalFundamental: Float { values[4] }
  /// ln of the largest turn of gravity from block to block.
  var largestTurn: Float { values[22] }
  /// ln of the amplitude (g) over the square of the cadence (steps/s).
  var ampleness: Float { values[23] }
  /// Of the magnitude: high if it is sharply upward.
  var skewness: Float { values[17] }
  /// Of the magnitude, its logarithm: high if there are few sharp peaks.
  var kurtosis: Float { values[18] }
  /// ln of the largest change from cell to cell, in g.
  var largestJerk: Float { values[24] }
  /// The share of the jerks along gravity.
  var verticalJerkShare: Float { values[25] }
  /// Of the jerks along gravity: high if they are sharply upward.
  var verticalJerkSkewness: Float { values[26] }
  /// Of the acceleration along gravity: high if it has few sharp peaks upwards.
  var verticalSkewness: Float { values[27] }
}

/// The latest cells, from which a shape is computed.
///
/// Methods that change nothing are mutating too: they then get its address instead of a copy of more than a kilobyte.
struct MovementWindow: Sendable {
  /// The longest window, in cells: the cells of the eight postures.
  private static let longest = 48
  /// High-passed cells (three axes, magnitude) in turn; a power of two, so that an index is a mask.
  private var cells = InlineArray<64, SIMD4<Float>>(repeating: .zero)
  private var count = 0
  /// The sum of the open block's cells before the filter, and of the eight latest blocks in turn.
  private var posture = SIMD4<Float>.zero
  private var postures = InlineArray<8, SIMD4<Float>>(repeating: .zero)
  private var blocks = 0

  /// - Parameters:
  ///   - filtered: a cell after the high-pass.
  ///   - cell: the same before it.
  @inline(__always)
  mutating func append(_ filtered: SIMD4<Float>, before cell: SIMD4<Float>) {
    cells[count & 63] = filtered
    count &+= 1
    posture += cell
  }

  /// Call it when a block is complete.
  @inline(__always)
  mutating func finishBlock() {
    posture.w = 0
    postures[blocks & 7] = posture
    blocks &+= 1
    posture = .zero
  }

  /// The sums over the cells of whole strides.
  fileprivate struct Sums {
    /// Sums of each harmonic with its cosine and sine, by channel.
    var cosines = InlineArray<4, SIMD4<Float>>(repeating: .zero)
    var sines = InlineArray<4, SIMD4<Float>>(repeating: .zero)
    var squares = SIMD4<Float>.zero
    /// Of the magnitude, the movement along gravity, the changes of both: sums of cubes, and of squares.
    var cubes = SIMD4<Float>.zero
    var spreads = SIMD4<Float>.zero
    var fourth: Float = 0
    var most: Float = 0
    var least: Float = 0
    /// The sum of the squared changes of the axes, and the largest.
    var jerks: Float = 0
    var largestJerk: Float = 0
  }

  /// The shape of the movement in the latest whole strides.
  /// - Parameters:
  ///   - period: of the stride, in cells.
  ///   - ampleness: ln of the amplitude over the square of the cadence.
  mutating func shape(period: Float, ampleness: Float) -> MovementShape {
    let known = min(count, Self.longest)
    let strides = max(1, (Float(known) / period).rounded(.down))
    let used = min(known, Int((strides * period).rounded()))
    var (newer, older) = (SIMD4<Float>.zero, SIMD4<Float>.zero)
    for ago in 1...4 {
      newer += postures[(blocks &- ago) & 7]
      older += postures[(blocks &- ago &- 4) & 7]
    }
    let gravity = newer + older
    let up = gravity * SIMD4(repeating: 1 / (gravity.squaredLength.squareRoot() + 1e-6))
    let sums = sums(cells: used, angle: 6.283_185_3 / period, up: up)
    var shape = MovementShape()
    shape.describe(sums.harmonics, up: up, squares: sums.squares, cells: Float(max(1, used)))
    shape.describe(
      spreads: sums.spreads, cubes: sums.cubes, fourth: sums.fourth, range: (sums.least, sums.most),
      cells: Float(max(1, used)))
    shape.describe(
      tilt: Self.turn(newer, blocks < 8 ? newer : older), tiltRate: largestTurn(from: up), ampleness: ampleness,
      jerk: sums.largestJerk, verticalJerkShare: sums.spreads.w / (sums.jerks + 1e-7))
    return shape
  }

  /// Goertzel's algorithm for all channels and harmonics at once ("An algorithm for the evaluation of finite
  /// trigonometric series", American Mathematical Monthly 65 (1958) 34-35), and the moments, in one pass.
  private mutating func sums(cells used: Int, angle: Float, up: SIMD4<Float>) -> Sums {
    var sums = Sums()
    let (cosine, sine) = Self.turn(of: angle)
    let c2 = cosine * cosine - sine * sine
    let s2 = 2 * cosine * sine
    let (c3, s3) = (c2 * cosine - s2 * sine, s2 * cosine + c2 * sine)
    let (c4, s4) = (c2 * c2 - s2 * s2, 2 * c2 * s2)
    let (k1, k2, k3, k4) = (
      SIMD4<Float>(repeating: 2 * cosine), SIMD4<Float>(repeating: 2 * c2), SIMD4<Float>(repeating: 2 * c3),
      SIMD4<Float>(repeating: 2 * c4)
    )
    var (a1, a2, a3, a4) = (SIMD4<Float>.zero, SIMD4<Float>.zero, SIMD4<Float>.zero, SIMD4<Float>.zero)
    var (b1, b2, b3, b4) = (a1, a1, a1, a1)
    var (squares, spreads, cubes) = (SIMD4<Float>.zero, SIMD4<Float>.zero, SIMD4<Float>.zero)
    var range = SIMD2<Float>.zero
    var (jerks, largest, fourth) = (Float(0), Float(0), Float(0))
    let first = count &- used
    // A span: an element of the stored property itself is read from a copy of all of them.
    let cells = self.cells.span
    // In bounds: an index is less than 64.
    var before = unsafe cells[unchecked: first & 63]
    for i in 0..<used {
      let cell = unsafe cells[unchecked: (first &+ i) & 63]
      (a1, b1) = (k1 * a1 - b1 + cell, a1)
      (a2, b2) = (k2 * a2 - b2 + cell, a2)
      (a3, b3) = (k3 * a3 - b3 + cell, a3)
      (a4, b4) = (k4 * a4 - b4 + cell, a4)
      let change = cell - before
      before = cell
      let square = cell * cell
      squares += square
      let (along, alongChange) = (cell * up, change * up)
      let changed = change * change
      let jerk = changed.x + changed.y + changed.z
      jerks += jerk
      largest = max(largest, jerk)
      let parts = SIMD4(
        cell.w, along.x + along.y + along.z, change.w, alongChange.x + alongChange.y + alongChange.z)
      let spread = parts * parts
      spreads += spread
      cubes += spread * parts
      fourth += spread.x * spread.x
      range = SIMD2(min(range.x, cell.w), max(range.y, cell.w))
    }
    // A common turn of both parts changes neither powers nor areas.
    sums.cosines = [
      a1 - b1 * SIMD4(repeating: cosine), a2 - b2 * SIMD4(repeating: c2), a3 - b3 * SIMD4(repeating: c3),
      a4 - b4 * SIMD4(repeating: c4),
    ]
    sums.sines = [
      b1 * SIMD4(repeating: sine), b2 * SIMD4(repeating: s2), b3 * SIMD4(repeating: s3), b4 * SIMD4(repeating: s4),
    ]
    (sums.squares, sums.spreads, sums.cubes, sums.fourth) = (squares, spreads, cubes, fourth)
    (sums.least, sums.most, sums.jerks, sums.largestJerk) = (range.x, range.y, jerks, largest)
    return sums
  }

  /// The cosine and the sine of an angle between 0.2 and 1.1, by their series.
  private static func turn(of w: Float) -> (cosine: Float, sine: Float) {
    let w2 = w * w
    let sine = w * (1 - w2 / 6 * (1 - w2 / 20 * (1 - w2 / 42 * (1 - w2 / 72))))
    let cosine = 1 - w2 / 2 * (1 - w2 / 12 * (1 - w2 / 30 * (1 - w2 / 56 * (1 - w2 / 90))))
    return (cosine, sine)
  }

  /// ln of the angle between two directions, nearly; −3.9 if there is none.
  private static func turn(_ a: SIMD4<Float>, _ b: SIMD4<Float>) -> Float {
    let cosine = (a * b).total / ((a.squaredLength * b.squaredLength).squareRoot() + 1e-9)
    return 0.5 * fastLog(max(0, 1 - cosine) + 4e-4)
  }

  /// The largest turn from a direction to that of any of the newest four blocks.
  private mutating func largestTurn(from up: SIMD4<Float>) -> Float {
    var most: Float = -3.912
    for ago in 1...4 where blocks >= ago { most = max(most, Self.turn(postures[(blocks &- ago) & 7], up)) }
    return most
  }
}

extension MovementWindow.Sums {
  /// By channel, the four harmonics.
  fileprivate var harmonics: MovementShape.Harmonics {
    let lanes = { (channel: Int, part: InlineArray<4, SIMD4<Float>>) in
      SIMD4(part[0][channel], part[1][channel], part[2][channel], part[3][channel])
    }
    return MovementShape.Harmonics(
      x: (lanes(0, cosines), lanes(0, sines)), y: (lanes(1, cosines), lanes(1, sines)),
      z: (lanes(2, cosines), lanes(2, sines)), magnitude: (lanes(3, cosines), lanes(3, sines)))
  }
}

extension MovementShape {
  /// The four harmonics of each channel: sums with their cosines and sines.
  fileprivate struct Harmonics {
    typealias Part = (cosine: SIMD4<Float>, sine: SIMD4<Float>)
    var x: Part
    var y: Part
    var z: Part
    var magnitude: Part
  }

  fileprivate mutating func describe(
    _ h: Harmonics, up: SIMD4<Float>, squares: SIMD4<Float>, cells: Float
  ) {
    let axes = 1 / ((squares.x + squares.y + squares.z) / cells + 1e-7)
    let scale = SIMD4<Float>(repeating: 2 / (cells * cells))
    let power = { (part: Harmonics.Part) in part.cosine * part.cosine + part.sine * part.sine }
    let (ux, uy, uz) = (SIMD4(repeating: up.x), SIMD4(repeating: up.y), SIMD4(repeating: up.z))
    let vertical =
      scale
      * power(
        (
          h.x.cosine * ux + h.y.cosine * uy + h.z.cosine * uz, h.x.sine * ux + h.y.sine * uy + h.z.sine * uz
        ))
    let all = power(h.x) + power(h.y) + power(h.z)
    let rest = scale * all - vertical
    let horizontal = rest.replacing(with: 0, where: rest .< 0)
    let magnitude = scale * power(h.magnitude) * SIMD4(repeating: 1 / (squares.w / cells + 1e-7))
    // The area that a harmonic goes round, as a vector: twice the product of its parts.
    let nx = h.y.cosine * h.z.sine - h.z.cosine * h.y.sine
    let ny = h.z.cosine * h.x.sine - h.x.cosine * h.z.sine
    let nz = h.x.cosine * h.y.sine - h.y.cosine * h.x.sine
    let squared = nx * nx + ny * ny + nz * nz + SIMD4(repeating: 1e-18)
    let area = squared * squared.reciprocalSquareRoot
    for i in 0..<4 {
      values[i] = min(1.2, magnitude[i])
      values[4 + i] = min(1.2, vertical[i] * axes)
      values[8 + i] = min(1.2, horizontal[i] * axes)
    }
    let (v, across) = (vertical.total, horizontal.total)
    values[12] = v / (v + across + 1e-7)
    values[13] = fastLog((vertical.y + vertical.w + 1e-6) / (vertical.x + vertical.z + 1e-6))
    values[14] = 2 * area.x / (all.x + 1e-7)
    values[15] = 2 * area.y / (all.y + 1e-7)
    values[16] = abs(nx.x * up.x + ny.x * up.y + nz.x * up.z) / (area.x + 1e-9) * values[14]
  }

  /// - Parameters:
  ///   - spreads: sums of squares of the magnitude, the movement along gravity, and the changes of both.
  ///   - cubes: the same of cubes.
  ///   - fourth: the sum of the fourth powers of the magnitude.
  fileprivate mutating func describe(
    spreads: SIMD4<Float>, cubes: SIMD4<Float>, fourth: Float, range: (least: Float, most: Float), cells: Float
  ) {
    let variance = spreads * SIMD4(repeating: 1 / cells) + SIMD4(repeating: 1e-9)
    let skewness = cubes * SIMD4(repeating: 1 / cells) / variance * variance.reciprocalSquareRoot
    values[17] = skewness.x
    values[18] = fastLog(fourth / cells / (variance.x * variance.x) + 1e-6)
    values[19] = fastLog((range.most + 1e-4) / (1e-4 - range.least))
    values[20] = skewness.z
    values[26] = skewness.w
    values[27] = skewness.y
  }

  /// - Parameter jerk: the largest squared change from cell to cell.
  fileprivate mutating func describe(
    tilt: Float, tiltRate: Float, ampleness: Float, jerk: Float, verticalJerkShare: Float
  ) {
    values[21] = tilt
    values[22] = tiltRate
    values[23] = ampleness
    values[24] = 0.5 * fastLog(jerk + 1e-6)
    values[25] = verticalJerkShare
  }
}

extension SIMD4<Float> {
  /// The sum of the lanes.
  @inline(__always)
  fileprivate var total: Float { (x + y) + (z + w) }
}
