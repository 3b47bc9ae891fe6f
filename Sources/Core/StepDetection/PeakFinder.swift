/// A local maximum of the band-passed magnitude, which may be a foot strike.
struct Peak: Sendable {
  /// Seconds since the start of the run, with the delay of the filter subtracted.
  var time: Double
  /// Height in g, by the parabola through three cells.
  var height: Float
}

/// The latest peaks, oldest first.
///
/// An array of reserved capacity, not inline storage, so that a copy takes a reference instead of a kilobyte. Between 128 and 256
/// peaks are kept. They are at least 0.2 s apart, so these cover the last 25.6 s, and no decision looks back further than 20 s.
struct PeakHistory: Sendable {
  static let capacity = 256
  private var storage: [Peak] = []

  init() { storage.reserveCapacity(Self.capacity) }

  var count: Int { storage.count }

  subscript(index: Int) -> Peak { storage[index] }

  var last: Peak? { storage.last }

  mutating func append(_ peak: Peak) {
    if storage.count == Self.capacity { storage.removeFirst(Self.capacity / 2) }
    storage.append(peak)
  }

  mutating func replaceLast(_ peak: Peak) { storage[storage.count - 1] = peak }

  /// The index of the first peak later than a time; ``count`` when there is none.
  func firstIndex(after time: Double) -> Int {
    var i = storage.count
    while i > 0, storage[i - 1].time > time { i -= 1 }
    return i
  }

  /// The upper median of the heights between two times, ends included; `nil` without a peak there.
  func medianHeight(from: Double, to: Double) -> Float? {
    var heights = InlineArray<64, Float>(repeating: 0)
    var n = 0
    for i in 0..<count where storage[i].time >= from && storage[i].time <= to {
      var slot = n
      while slot > 0, heights[slot - 1] > storage[i].height {
        heights[slot] = heights[slot - 1]
        slot -= 1
      }
      heights[slot] = storage[i].height
      n += 1
    }
    return n > 0 ? heights[n / 2] : nil
  }
}

/// Band-passes the magnitude and finds its local maxima.
struct PeakFinder: Sendable {
  /// The filter state alone: a loop over many magnitudes filters with a copy, which the compiler keeps in registers.
  struct BandPass: Sendable {
    private var first = Biquad<Float>.silence
    private var second = Biquad<Float>.silence
    /// The first value of the magnitude, subtracted so that the filter starts at rest.
    private var origin: Float = 0
    private var hasOrigin = false

    /// Takes the first magnitude of a run as the origin and ignores later ones.
    @inline(__always)
    mutating func begin(at magnitude: Float) {
      if hasOrigin { return }
      (hasOrigin, origin) = (true, magnitude)
    }

    @inline(__always)
    mutating func apply(_ magnitude: Float) -> Float {
      Tuning.bandPass.1.apply(Tuning.bandPass.0.apply(magnitude - origin, &first), &second)
    }
  }

  var bandPass = BandPass()
  /// The band-passed magnitude one and two cells ago.
  private var y1: Float = 0
  private var y2: Float = 0

  private(set) var peaks = PeakHistory()

  /// Takes the magnitude of cell `n` of the run after filtering by ``BandPass``.
  /// - Parameter counted: the time of the latest peak that was turned into a step; it may no longer be replaced.
  @inline(__always)
  mutating func look(at y: Float, cell n: Int, counted: Double) {
    if y1 > Tuning.lowestPeak, y1 >= y, y1 > y2 { addPeak(before: y2, top: y1, after: y, cell: n, counted: counted) }
    y2 = y1
    y1 = y
  }

  private mutating func addPeak(before: Float, top: Float, after: Float, cell n: Int, counted: Double) {
    let offset = 0.5 * (before - after) / (before - 2 * top + after)
    let peak = Peak(
      time: (Double(n - 1) + Double(offset)) / Tuning.cellFrequency - Tuning.peakDelay,
      height: top - 0.25 * (before - after) * offset)
    guard let last = peaks.last, peak.time - last.time < Tuning.peakSpacing else {
      peaks.append(peak)
      return
    }
    if peak.height > last.height, last.time > counted { peaks.replaceLast(peak) }
  }
}
