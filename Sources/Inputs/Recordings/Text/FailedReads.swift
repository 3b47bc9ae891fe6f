/// Finds a value that a program writes on all axes when it could not read the sensor, or had nothing new to read, such as 0, -1
/// or 65535.
///
/// Such rows stand among samples that are far away from them, on both sides. A sensor in free fall passes 0, too, but the
/// samples around that are near. Longer stretches of one value are no failed reads, but a sensor that is off: the detector
/// counts on over a second of them, and would not over a second without samples.
struct FailedReads {
  private struct Found {
    var (rows, runs, far) = (0, 0, 0)
    /// The number of rows of the first run, and the runs that have as many.
    var (length, regular) = (0, 0)
  }

  private var counts: [Float: Found] = [:]
  private var samples = 0
  private var sizes = 0.0
  private var run: (value: Float, begins: Float?, rows: Int)?
  private var last: SIMD3<Float>?

  /// Takes the next row's values, in the recording's unit.
  mutating func add(_ values: SIMD3<Float>) {
    samples += 1
    let isEqual = values.x == values.y && values.y == values.z
    if let run, !isEqual || values.x != run.value {
      end(run, distance: Self.distance(values, run.value))
      self.run = nil
    }
    if isEqual {
      guard counts.count < Self.mostValues || counts[values.x] != nil else { return }
      if run == nil { run = (values.x, last.map { Self.distance($0, values.x) }, 0) }
      run?.rows += 1
      counts[values.x, default: Found()].rows += 1
    } else {
      sizes += Double((values * values).sum().squareRoot())
      last = values
    }
  }

  private mutating func end(_ run: (value: Float, begins: Float?, rows: Int), distance: Float) {
    var found = counts[run.value] ?? Found()
    // The mean of the samples, not of the rows between them.
    let size = Float(sizes / Double(max(1, samples - found.rows)))
    found.runs += 1
    if min(run.begins ?? distance, distance) > 0.5 * max(size, abs(run.value) * 0.5) { found.far += 1 }
    // A piece of a file may begin inside the first run.
    if run.begins != nil {
      if found.length == 0 { found.length = run.rows }
      if run.rows == found.length { found.regular += 1 }
    }
    counts[run.value] = found
  }

  /// Ends a piece of a file: the next row does not follow the last one.
  mutating func endPiece() { (run, last) = (nil, nil) }

  private static let mostValues = 64
  private static let fewestRows = 3
  /// On average.
  private static let longestRun = 8

  private static func distance(_ values: SIMD3<Float>, _ value: Float) -> Float {
    let difference = values - SIMD3(repeating: value)
    return (difference * difference).sum().squareRoot()
  }

  /// Whether a value fills the rows between samples that come more seldom than rows, as a board writes that has sensors of
  /// several rates: as many rows each time, around one sample.
  private func isFiller(_ found: Found) -> Bool {
    found.runs >= Self.fewestFillings && found.regular * 10 >= found.runs * 9 && found.length <= Self.longestFilling
      && (samples - found.rows) * 10 <= found.runs * 11
  }

  private static let fewestFillings = 8
  private static let longestFilling = 64

  var value: Float? {
    let found = counts.filter { entry in
      let found = entry.value
      guard found.rows >= Self.fewestRows, found.runs > 0, found.far * 5 >= found.runs * 4 else { return false }
      return found.rows * 3 < samples && found.rows <= found.runs * Self.longestRun || isFiller(found)
    }
    return found.max { $0.value.rows < $1.value.rows }?.key
  }
}
