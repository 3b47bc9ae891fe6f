/// A coordinate system in a picture.
package struct Chart {
  package let x: ClosedRange<Double>
  package let y: ClosedRange<Double>
  /// Its position in the picture.
  package let left: Double
  package let top: Double
  package let width: Double
  package let height: Double

  package init(
    x: ClosedRange<Double>, y: ClosedRange<Double>, left: Double, top: Double, width: Double, height: Double
  ) {
    (self.x, self.y, self.left, self.top) = (x, y, left, top)
    (self.width, self.height) = (width, height)
  }

  package func across(_ value: Double) -> Double {
    left + (value - x.lowerBound) / (x.upperBound - x.lowerBound) * width
  }

  package func down(_ value: Double) -> Double { top + (y.upperBound - value) / (y.upperBound - y.lowerBound) * height }
}
