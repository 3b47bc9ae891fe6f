/// A coordinate system in a picture.
struct Chart {
  let x: ClosedRange<Double>
  let y: ClosedRange<Double>
  /// Its position in the picture.
  let left: Double
  let top: Double
  let width: Double
  let height: Double

  func across(_ value: Double) -> Double {
    left + (value - x.lowerBound) / (x.upperBound - x.lowerBound) * width
  }

  func down(_ value: Double) -> Double {
    top + (y.upperBound - value) / (y.upperBound - y.lowerBound) * height
  }
}
