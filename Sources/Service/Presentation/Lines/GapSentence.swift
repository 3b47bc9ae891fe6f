import Accelerometry
import JSONLines

extension SampleBatch.Gap {
  /// A sentence about the loss, for people.
  package var sentence: String {
    switch self {
    case .overflow: "samples were lost: they were not read in time"
    case .interruption(let time): "no samples for \(Decimals.duration(time))"
    }
  }
}
