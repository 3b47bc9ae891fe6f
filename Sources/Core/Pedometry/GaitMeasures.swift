/// How evenly someone walks: times of steps and strides, their variability, and how alike steps are.
///
/// A step lasts from a foot strike to the next one of the other foot, a stride to the next one of the same foot. They count where none
/// is missing: a step of 0.2 to 0.8 times, and a stride of 0.8 to 1.2 times the median of the eleven strides around it.
///
/// Clinical papers report these over bouts of 8 strides and more. Wrists swing freely and feet are struck one at a time, so
/// regularity and symmetry compare persons only for sensors at the same place, best at the lower back.
public struct GaitMeasures: Sendable, Hashable {
  /// A mean, and the variability within bouts.
  public struct Spread: Sendable, Hashable {
    /// How many values.
    public private(set) var count = 0
    /// Their mean; 0 without values.
    public private(set) var mean = 0.0
    /// The sum of squared deviations from the mean of each bout.
    private var squares = 0.0
    private var bouts = 0

    /// No values.
    public init() {}

    /// The standard deviation within bouts (the root of the pooled variance); `nil` before a bout has two values.
    public var deviation: Double? { count > bouts ? (squares / Double(count - bouts)).squareRoot() : nil }

    /// The coefficient of variation in percent; `nil` like ``deviation``.
    public var variation: Double? { deviation.flatMap { mean > 0 ? 100 * $0 / mean : nil } }

    /// Adds a value of the same bout (Welford 1962).
    package mutating func add(_ value: Double) {
      count += 1
      bouts = max(bouts, 1)
      let change = value - mean
      mean += change / Double(count)
      squares += change * (value - mean)
    }

    /// Adds another bout.
    package mutating func add(bout: Spread) {
      guard bout.count > 0 else { return }
      mean = (mean * Double(count) + bout.mean * Double(bout.count)) / Double(count + bout.count)
      count += bout.count
      squares += bout.squares
      bouts += bout.bouts
    }
  }

  /// A mean of values with weights.
  package struct WeightedMean: Sendable, Hashable {
    private var sum = 0.0
    private var weight = 0.0

    package mutating func add(_ value: Double, weight: Double) {
      sum += value * weight
      self.weight += weight
    }

    mutating func add(_ other: WeightedMean) {
      sum += other.sum
      weight += other.weight
    }

    var value: Double? { weight > 0 ? sum / weight : nil }
  }

  /// Seconds from a foot strike to the next one.
  public package(set) var stepTime = Spread()
  /// Seconds from a foot strike to the next one of the same foot.
  public package(set) var strideTime = Spread()
  /// The cadence of each step, in steps per minute.
  public package(set) var cadence = Spread()
  package var asymmetries = WeightedMean()
  package var stepRegularities = WeightedMean()
  package var strideRegularities = WeightedMean()

  /// Nothing measured.
  public init() {}

  /// The difference between the mean times of left and right steps in percent of the mean step time, 0 for an even walk; `nil`
  /// below 8 strides in a row, and where the sensor does not see both feet alike (``stepRegularity`` below 0.3), as on a foot.
  public var asymmetry: Double? { stepRegularity ?? 0 < 0.3 ? nil : asymmetries.value }

  /// The unbiased autocorrelation of the vertical acceleration at the step time, at most 1; `nil` below 8 strides in a row.
  ///
  /// Moe-Nilssen and Helbostad 2004, Journal of Biomechanics 37, 121–126: Ad1.
  public var stepRegularity: Double? { stepRegularities.value }

  /// The same at the stride time: Ad2.
  public var strideRegularity: Double? { strideRegularities.value }

  /// The ratio of both, Ad1/Ad2: 1 if left and right steps are alike; `nil` if a stride is not like the next one at all.
  public var symmetry: Double? {
    guard let step = stepRegularity, let stride = strideRegularity, stride > 0.05 else { return nil }
    return step / stride
  }

  /// The measures of this bout together with those of others, if there are any.
  package func adding(to others: GaitMeasures?) -> GaitMeasures {
    var sum = others ?? GaitMeasures()
    sum.add(self)
    return sum
  }

  /// Adds the measures of another bout.
  public mutating func add(_ bout: GaitMeasures) {
    stepTime.add(bout: bout.stepTime)
    strideTime.add(bout: bout.strideTime)
    cadence.add(bout: bout.cadence)
    asymmetries.add(bout.asymmetries)
    stepRegularities.add(bout.stepRegularities)
    strideRegularities.add(bout.strideRegularities)
  }
}
