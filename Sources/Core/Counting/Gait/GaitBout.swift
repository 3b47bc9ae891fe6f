import Pedometry

/// The gait of a bout: steps no further apart than two seconds.
public struct GaitBout: Sendable, Hashable {
  /// The refined times of its steps, on the sensor's clock.
  public var times: [Duration]
  /// The measures.
  public var measures: GaitMeasures

  /// Its first step.
  public var start: Duration { times.first ?? .zero }
  /// Its last step.
  public var end: Duration { times.last ?? .zero }
}
