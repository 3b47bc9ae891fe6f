/// The normalised autocorrelation of the latest window, computed once a block.
///
/// At lag L, `axes` compares the three axes as one vector with themselves L cells ago, and `magnitude` the magnitude. 1
/// means that the window repeats exactly, 0 that it does not repeat. Both are insensitive to scale; the first also to
/// rotation, since a rotation turns both sides of every dot product alike.
struct Correlation: Sendable {
  /// By lag, four to a vector, from 0; lag 0 and those beyond ``Tuning/longestLag`` stay zero.
  ///
  /// Arrays, not inline storage, so that a copy takes two references instead of a quarter of a kilobyte.
  var axes = Lags(repeating: .zero, count: places / 4)
  var magnitude = Lags(repeating: .zero, count: places / 4)
  /// Root mean square over the window, of the high-passed axes and magnitude, in g.
  var axesAmplitude: Float = 0
  var magnitudeAmplitude: Float = 0

  typealias Lags = [SIMD4<Float>]
  /// Places for lag 0, for the longest lag, and up to the end of its vector.
  static let places = (Tuning.longestLag + 4) / 4 * 4

  /// Whether there is too little movement for a step, so that nothing was compared.
  var isQuiet: Bool { magnitudeAmplitude < Tuning.quietAmplitude }

  /// Sets all lags to zero: no repetition.
  mutating func clear() {
    for i in axes.indices { (axes[i], magnitude[i]) = (.zero, .zero) }
  }
}

extension Span<SIMD4<Float>> {
  /// The value of one lag.
  @inline(__always)
  func lag(_ lag: Int) -> Float {
    precondition(lag >= 0 && lag < 4 * count)
    return unsafe bytes.unsafeLoad(fromUncheckedByteOffset: lag &* 4, as: Float.self)
  }

  /// The value at half a lag; for an odd lag the mean of its two neighbours.
  @inline(__always)
  func half(of lag: Int) -> Float {
    // Without a branch: for an even lag both indices are the same.
    0.5 * (self.lag(lag / 2) + self.lag((lag + 1) / 2))
  }

  /// The value at some quarters of a lag, interpolated linearly.
  @inline(__always)
  func quarters(_ count: Int, of lag: Int) -> Float {
    let (whole, part) = (count * lag / 4, Float(count * lag % 4) * 0.25)
    return self.lag(whole) + part * (self.lag(whole + 1) - self.lag(whole))
  }
}

/// Keeps the high-passed cells and correlates each new block with their past.
///
/// Cells are stored by channel, newest first: the values of four consecutive lags are then one load, their products
/// with a cell one multiplication, and no sum has to be gathered from the lanes of a vector.
///
/// The products of a window are those of its four blocks; the products of each block are computed once and used four
/// times. Below the quiet amplitude of the gate no products are computed, since they would not be used. If the next
/// block is loud, they are computed then.
///
/// The energy of a window is computed once, when its last cell arrives, and kept for the 24 cells in which it is the
/// past of a later window. It is the sum of the remainder of its oldest block, three whole blocks, and the newest so
/// far. Sums are never reduced by subtraction, so a jolt leaves no rounding error.
///
/// Indices have no bounds checks: all of them are sums of loop variables with constant bounds, and the checks cost as
/// much as the arithmetic. ``init()`` checks the constants that they rely on.
struct BlockAutocorrelation: Sendable {
  /// All data with a past, in one array, so that its uniqueness is checked once a block.
  ///
  /// First, six channels of ``capacity`` values: x, y, z and the magnitude of the cells, high-passed, in g, and
  /// 1/√energy of the windows that end with each cell, of the axes and of the magnitude. Then, from ``Place/products``,
  /// the products of each block with its past, for the four latest blocks in turn: by lag from 1, first the axes, then
  /// the magnitude. Then, from ``Place/rests``, again for four blocks in turn and by cell, the energy (axes, magnitude)
  /// of the later cells of the block: four of the axes, four of the magnitude, and two of both, newest first.
  private var store = [Float](repeating: 0, count: Place.end)
  private var open = OpenBlock()
  var highPass = HighPass()

  /// The filter state alone: a loop over many cells filters with a copy, which the compiler keeps in registers.
  struct HighPass: Sendable {
    private var state = Biquad<SIMD4<Float>>.silence
    /// The first cell, subtracted so that the filter starts at rest.
    private var origin = SIMD4<Float>.zero
    private var hasOrigin = false

    /// Takes the first cell of a run as the origin and ignores later ones.
    @inline(__always)
    mutating func begin(at cell: SIMD4<Float>) {
      if hasOrigin { return }
      (hasOrigin, origin) = (true, cell)
    }

    @inline(__always)
    mutating func apply(_ cell: SIMD4<Float>) -> SIMD4<Float> {
      Tuning.highPass.apply(cell - origin, &state)
    }
  }

  /// State outside of ``store``, since a span of a stored property prevents changes to its neighbours.
  private struct OpenBlock {
    /// The open block's cells, high-passed.
    var cells = InlineArray<6, SIMD4<Float>>(repeating: .zero)
    var filled = 0
    /// Cells of this run.
    var count = 0
    /// The position of the newest cell of the newest block within a channel.
    var head = capacity - reach
    /// The index of the open block among the four blocks in turn.
    var turn = 0
    /// The energies (axes, magnitude) of the four latest blocks in turn.
    var energies = InlineArray<4, SIMD2<Float>>(repeating: .zero)
    /// How many of the latest blocks were too quiet for products when they arrived; at most three, since a window uses
    /// no more.
    var missing = 0
  }

  /// The cells that a window and its past need: the window, and one longest lag before it, at half the frequency. Two
  /// more, so that all but the newest block consist of whole vectors.
  private static let reach = 2 * (Tuning.windowCells + Tuning.longestLag) + 2
  /// The data is moved only once in seventeen blocks.
  private static let capacity = reach + 16 * Tuning.blockCells

  /// Offsets in ``store``.
  private enum Place {
    static let magnitude = 3 * capacity
    static let axesScale = 4 * capacity
    static let magnitudeScale = 5 * capacity
    static let products = 6 * capacity
    /// Products of one block: those of the axes and those of the magnitude.
    static let productsOfBlock = 2 * Tuning.longestLag
    static let rests = products + 4 * productsOfBlock
    static let restsOfBlock = 2 * Tuning.blockCells
    static let end = rests + 4 * restsOfBlock
  }

  init() {
    // The vectors below are written out for these values; a changed constant must not make them exceed the store.
    precondition(Tuning.blockCells == 6, "BlockAutocorrelation is written out for blocks of six cells")
    precondition(Tuning.windowCells == 24, "BlockAutocorrelation is written out for windows of four blocks")
    precondition(Tuning.longestLag == 24, "BlockAutocorrelation is written out for lags of up to 24 cells")
  }

  /// The number of cells that the open block still needs.
  var room: Int { Tuning.blockCells - open.filled }

  /// Cells of this run.
  var count: Int { open.count }

  /// Takes a cell, its three axes and its magnitude in g, after filtering by ``HighPass``. Requires ``room``.
  @inline(__always)
  mutating func append(filtered cell: SIMD4<Float>) {
    open.cells[open.filled] = cell
    open.filled &+= 1
    open.count &+= 1
  }

  /// The correlation of the window that ends with the completed block; then makes room for the next block.
  mutating func finishBlock(into result: inout Correlation) {
    Self.finish(&open, in: &store, into: &result)
  }

  private static func finish(_ block: inout OpenBlock, in store: inout [Float], into result: inout Correlation) {
    var store = store.mutableSpan
    block.head &-= Tuning.blockCells
    if block.head < 0 { block.head = makeRoom(in: &store, newest: block.head &+ Tuning.blockCells) }
    let (head, turn) = (block.head, block.turn)
    let whole = block.energies[(turn &+ 1) & 3] + block.energies[(turn &+ 2) & 3] + block.energies[(turn &+ 3) & 3]
    let (energy, window) = place(block.cells.span, after: whole, turn: turn, in: &store, at: head)
    block.energies[turn & 3] = energy
    let mean = window / SIMD2(repeating: Float(min(block.count, Tuning.windowCells)))
    result.axesAmplitude = mean.x.squareRoot()
    result.magnitudeAmplitude = mean.y.squareRoot()
    if result.isQuiet {
      if block.missing == 0 { result.clear() }
      block.missing = min(block.missing &+ 1, 3)
    } else {
      for ago in 0..<(block.missing &+ 1) {
        multiply(in: &store, block: head &+ Tuning.blockCells &* ago, turn: turn &- ago)
      }
      block.missing = 0
      normalise(store.span, Place.products, scales: Place.axesScale &+ head, into: &result.axes)
      normalise(
        store.span, Place.products &+ Tuning.longestLag, scales: Place.magnitudeScale &+ head, into: &result.magnitude)
    }
    block.turn = (turn &+ 1) & 3
    block.filled = 0
  }

  /// The correlation of a window twice as long that ends with the newest block, at half the frequency: its cells are
  /// means of two, and its lags extend to 3.84 s.
  ///
  /// Nothing is cached, since it is only computed for movement that is not an ordinary walk. About 0.5 µs.
  /// - Parameter result: receives amplitudes and lags, in cells of 0.16 s.
  func slowCorrelation(into result: inout Correlation) {
    var pairs = InlineArray<192, Float>(repeating: 0)
    let cells = Tuning.windowCells + Tuning.longestLag
    var (axes, magnitude) = (InlineArray<48, Float>(repeating: 0), InlineArray<48, Float>(repeating: 0))
    // The newest block is at the head until the next one arrives.
    let store = store.span
    for channel in 0..<4 {
      let first = channel * Self.capacity + open.head
      for i in 0..<cells {
        let mean = 0.5 * (store[first + 2 * i] + store[first + 2 * i + 1])
        pairs[channel * cells + i] = mean
        if channel == 3 { magnitude[i] = mean * mean } else { axes[i] += mean * mean }
      }
    }
    let loud = min(open.count / 2, Tuning.windowCells)
    Self.normaliseSlowly(pairs.span.extracting(0..<(3 * cells)), energies: axes.span, into: &result.axes)
    Self.normaliseSlowly(pairs.span.extracting((3 * cells)...), energies: magnitude.span, into: &result.magnitude)
    result.axesAmplitude = Self.amplitude(axes.span.extracting(0..<loud))
    result.magnitudeAmplitude = Self.amplitude(magnitude.span.extracting(0..<loud))
  }

  /// The root of the mean of some energies.
  private static func amplitude(_ energies: Span<Float>) -> Float {
    var sum: Float = 0
    for i in energies.indices { sum += energies[i] }
    return (sum / Float(max(1, energies.count))).squareRoot()
  }

  /// Correlates the newest 24 cells of some channels with the cells before them.
  private static func normaliseSlowly(
    _ channels: Span<Float>, energies: Span<Float>, into lags: inout Correlation.Lags
  ) {
    var sums = LagSums()
    for channel in stride(from: 0, to: channels.count, by: energies.count) {
      for block in stride(from: 0, to: Tuning.windowCells, by: Tuning.blockCells) {
        // In bounds: the longest lag of the oldest cell of the window is the last of the channel.
        unsafe sums.add(channels, from: channel + block)
      }
    }
    // By lag, the energy of the cells that are in the window and in the window of that lag. Only added up, never
    // subtracted.
    var shared = InlineArray<25, Float>(repeating: 0)
    for i in Swift.stride(from: Tuning.windowCells - 1, through: 0, by: -1) { shared[i] = shared[i + 1] + energies[i] }
    let now = shared[0]
    var older: Float = 0
    for lag in 1...Tuning.longestLag {
      older += energies[Tuning.windowCells + lag - 1]
      let then = shared[lag] + older
      lags[lag / 4][lag % 4] = now > 1e-9 && then > 1e-9 ? sums[lag] / (now * then).squareRoot() : 0
    }
  }

  /// Moves the data that is still needed to the ends of the channels.
  /// - Returns: the position of the newest cell of the next block.
  @_lifetime(store: copy store)
  private static func makeRoom(in store: inout MutableSpan<Float>, newest: Int) -> Int {
    let kept = reach - Tuning.blockCells
    // In bounds: 0 ≤ newest < the cells of a block, and from there to the end of the channel there are many more than
    // are kept.
    for channel in stride(from: 0, to: 6 &* capacity, by: capacity) {
      for i in stride(from: channel, to: channel &+ kept, by: 4) {
        let four = unsafe store.span.four(from: i &+ newest)
        unsafe store.write(four, at: i &+ capacity &- kept)
      }
    }
    return capacity - reach
  }

  /// Writes the cells of a block, newest first, and 1/√ of the energies of the windows that end with them.
  /// - Parameters:
  ///   - cells: the six cells in order of time.
  ///   - whole: the energy (axes, magnitude) of the three previous blocks.
  ///   - turn: the slot with the remainders of the block before these three, which this block overwrites with its own.
  ///   - head: the position of the newest cell of the block.
  /// - Returns: the energy of the block, and of the window that ends with it.
  @inline(__always) @_lifetime(store: copy store)
  private static func place(
    _ cells: Span<SIMD4<Float>>, after whole: SIMD2<Float>, turn: Int, in store: inout MutableSpan<Float>, at head: Int
  ) -> (block: SIMD2<Float>, window: SIMD2<Float>) {
    // The newest four cells by channel, and then the other two: (x₁, x₀, y₁, y₀) and (z₁, z₀, m₁, m₀).
    let (a, b, c, d, e, f) = (cells[5], cells[4], cells[3], cells[2], cells[1], cells[0])
    let (x, y) = (SIMD4(a.x, b.x, c.x, d.x), SIMD4(a.y, b.y, c.y, d.y))
    let (z, m) = (SIMD4(a.z, b.z, c.z, d.z), SIMD4(a.w, b.w, c.w, d.w))
    let (xy, zm) = (SIMD4(e.x, f.x, e.y, f.y), SIMD4(e.z, f.z, e.w, f.w))
    // In bounds: 0 ≤ head ≤ capacity − reach, and the cells of a block fit there.
    unsafe store.write(x, xy.lowHalf, at: head)
    unsafe store.write(y, xy.highHalf, at: head &+ capacity)
    unsafe store.write(z, zm.lowHalf, at: head &+ 2 &* capacity)
    unsafe store.write(m, zm.highHalf, at: head &+ Place.magnitude)

    // Squares of the newest four, and (axes₁, axes₀, magnitude₁, magnitude₀) of the other two.
    let (axes, magnitude) = (x * x + y * y + z * z, m * m)
    let (xy2, zm2) = (xy * xy, zm * zm)
    let early = SIMD4(lowHalf: xy2.lowHalf + xy2.highHalf + zm2.lowHalf, highHalf: zm2.highHalf)
    // The energy of the block up to and including each cell; together with the earlier cells of its window, the energy.
    let earlySums = early + SIMD4(early.y, 0, early.w, 0)
    let (axesSums, magnitudeSums) = (axes.sumsFromLast, magnitude.sumsFromLast)
    // In bounds: 0 ≤ turn & 3 < 4 blocks.
    let rests = Place.rests &+ Place.restsOfBlock &* (turn & 3)
    let axesWindows =
      unsafe store.span.four(from: rests) + (axesSums + SIMD4(repeating: earlySums.x + whole.x))
    let magnitudeWindows =
      unsafe store.span.four(from: rests &+ 4) + (magnitudeSums + SIMD4(repeating: earlySums.z + whole.y))
    let earlyWindows =
      unsafe store.span.four(from: rests &+ 8) + (earlySums + SIMD4(whole.x, whole.x, whole.y, whole.y))
    let earlyScales = earlyWindows.scale
    unsafe store.write(axesWindows.scale, earlyScales.lowHalf, at: head &+ Place.axesScale)
    unsafe store.write(magnitudeWindows.scale, earlyScales.highHalf, at: head &+ Place.magnitudeScale)

    // The energy of the block after each cell, for the block after the next three.
    unsafe store.write(axes.sumsBefore, at: rests)
    unsafe store.write(magnitude.sumsBefore, at: rests &+ 4)
    let (fourAxes, fourMagnitude) = (axesSums.x, magnitudeSums.x)
    unsafe store.write(
      SIMD4(fourAxes, fourAxes + early.x, fourMagnitude, fourMagnitude + early.z), at: rests &+ 8)
    return (
      SIMD2(axesSums.x + earlySums.x, magnitudeSums.x + earlySums.z), SIMD2(axesWindows.x, magnitudeWindows.x)
    )
  }

  /// Sums over the six cells of a block of each cell times the cell `lag` before, by lag.
  /// - Parameters:
  ///   - block: the position of the newest cell of the block, at most three blocks after the head.
  ///   - turn: the number of the block, modulo four.
  @_lifetime(store: copy store)
  private static func multiply(in store: inout MutableSpan<Float>, block: Int, turn: Int) {
    // In bounds: the longest lag of the oldest cell of the oldest block is `reach` after the head.
    let place = Place.products &+ Place.productsOfBlock &* (turn & 3)
    var axes = LagSums()
    for channel in stride(from: 0, to: 3 &* capacity, by: capacity) {
      unsafe axes.add(store.span, from: channel &+ block)
    }
    unsafe axes.write(to: &store, at: place)
    var magnitude = LagSums()
    unsafe magnitude.add(store.span, from: Place.magnitude &+ block)
    unsafe magnitude.write(to: &store, at: place &+ Tuning.longestLag)
  }

  /// Adds up the products of a window's four blocks and divides by the energies, four lags at a time.
  @inline(__always)
  private static func normalise(
    _ store: Span<Float>, _ products: Int, scales: Int, into lags: inout Correlation.Lags
  ) {
    precondition(4 * lags.count == Correlation.places)
    var lags = lags.mutableSpan
    var result = unsafe lags.mutableBytes
    // In bounds: six vectors cover the longest lag, and lag 0 precedes them.
    let now = unsafe SIMD4<Float>(repeating: store[unchecked: scales])
    for group in 0..<6 {
      let lag = 4 &* group &+ 1
      let i = products &+ 4 &* group
      let newer = unsafe store.four(from: i) + store.four(from: i &+ Place.productsOfBlock)
      let older =
        unsafe store.four(from: i &+ 2 &* Place.productsOfBlock) + store.four(from: i &+ 3 &* Place.productsOfBlock)
      let ratio = unsafe (newer + older) * (now * store.four(from: scales &+ lag))
      unsafe result.storeBytes(of: ratio, toUncheckedByteOffset: 4 &* lag, as: SIMD4<Float>.self)
    }
  }
}

/// Sums of products by lag, from 1 to 24, which stay in registers.
private struct LagSums {
  private var s0 = SIMD4<Float>.zero
  private var s1 = SIMD4<Float>.zero
  private var s2 = SIMD4<Float>.zero
  private var s3 = SIMD4<Float>.zero
  private var s4 = SIMD4<Float>.zero
  private var s5 = SIMD4<Float>.zero

  /// Adds the products of six cells with those 1 to 24 positions after them. The caller guarantees the bounds: 30
  /// values.
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

extension MutableSpan where Element: SIMDScalar & BitwiseCopyable, Element.SIMD4Storage: BitwiseCopyable {
  /// Writes four consecutive values at an index. The caller guarantees the bounds.
  @unsafe @inline(__always) @_lifetime(self: copy self)
  mutating func write(_ four: SIMD4<Element>, at index: Int) {
    var bytes = unsafe mutableBytes
    unsafe bytes.storeBytes(
      of: four, toUncheckedByteOffset: index &* MemoryLayout<Element>.stride, as: SIMD4<Element>.self)
  }
}

extension MutableSpan<Float> {
  /// Writes six consecutive values.
  @unsafe @inline(__always) @_lifetime(self: copy self)
  fileprivate mutating func write(_ four: SIMD4<Float>, _ two: SIMD2<Float>, at index: Int) {
    var bytes = unsafe mutableBytes
    unsafe bytes.storeBytes(of: four, toUncheckedByteOffset: index &* 4, as: SIMD4<Float>.self)
    unsafe bytes.storeBytes(of: two, toUncheckedByteOffset: index &* 4 &+ 16, as: SIMD2<Float>.self)
  }
}

extension SIMD4<Float> {
  /// By lane, the sum of the lanes from it to the last.
  @inline(__always)
  fileprivate var sumsFromLast: SIMD4<Float> {
    let pairs = self + SIMD4(y, z, w, 0)
    return pairs + SIMD4(pairs.z, pairs.w, 0, 0)
  }

  /// By lane, the sum of the lanes before it.
  @inline(__always)
  fileprivate var sumsBefore: SIMD4<Float> { SIMD4(0, x, y, z) + SIMD4(0, 0, x, y) + SIMD4(0, 0, 0, x) }

  /// 1/√ of energies; 0 for an energy below the noise of any sensor, so that nothing is compared with it.
  @inline(__always)
  fileprivate var scale: SIMD4<Float> { reciprocalSquareRoot.replacing(with: 0, where: self .<= 1e-9) }

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
