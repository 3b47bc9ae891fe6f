import Accelerometry
import Recordings

extension SyntheticWalk {
  /// A walk with settings specified by a test.
  public init(_ change: (inout SyntheticWalk) -> Void) {
    self.init()
    change(&self)
  }

  /// All its samples.
  public func samples() throws -> [AccelerationSample] {
    var reader = try reader()
    var all: [AccelerationSample] = []
    var some: [AccelerationSample] = []
    while reader.read(into: &some) { all += some }
    return all
  }

  /// The five positions that one setting of the detector must support.
  public static let positions: [SensorPlacement] = [.wrist, .hand, .pocket, .lowerBack, .foot]
}
