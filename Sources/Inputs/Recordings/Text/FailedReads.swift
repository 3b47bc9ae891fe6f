/// Finds a value that a program writes on all axes when it could not read the sensor, such as 0, -1 or 65535.
///
/// Such rows stand among samples that are far away from them, on both sides. A sensor in free fall passes 0, too, but the
/// samples around that are near. Longer stretches of one value are no failed reads, but a sensor that is off: the detector
/// counts on over a second of them, and would not over a second without samples.
struct FailedReads {
  private var counts: [Float: (rows: Int, runs: Int, far: Int)] = [:]
  private var samples = 0
  private var sizes = 0.0
  private var run: (value: Float, begins: Float?)?
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
      if run == nil { run = (values.x, last.map { Self.distance($0, values.x) }) }
      counts[values.x, default: (0, 0, 0)].rows += 1
    } else {
      sizes += Double((values * values).sum().squareRoot())
      last = values
    }
  }

  private mutating func end(_ run: (value: Float, begins: Float?), distance: Float) {
    let size = Float(sizes / Double(max(1, samples)))
    counts[run.value, default: (0, 0, 0)].runs += 1
    if min(run.begins ?? distance, distance) > 0.5 * max(size, abs(run.value) * 0.5) { counts[run.value]?.far += 1 }
  }

  private static let mostValues = 64
  private static let fewestRows = 3
  /// On average.
  private static let longestRun = 8

  private static func distance(_ values: SIMD3<Float>, _ value: Float) -> Float {
    let difference = values - SIMD3(repeating: value)
    return (difference * difference).sum().squareRoot()
  }

  /// The value, if there is one.
  var value: Float? {
    let found = counts.filter { entry in
      let (rows, runs, far) = entry.value
      return rows >= Self.fewestRows && rows * 3 < samples && runs > 0 && far * 5 >= runs * 4
        && rows <= runs * Self.longestRun
    }
    return found.max { $0.value.rows < $1.value.rows }?.key
  }
}
