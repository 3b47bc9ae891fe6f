import Accelerometry
import Recordings

extension SyntheticWalk {
  /// A walk whose settings a test spells out.
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

  /// The five places that one setting of the detector must serve.
  public static let positions: [SensorPlacement] = [.wrist, .hand, .pocket, .lowerBack, .foot]
}
