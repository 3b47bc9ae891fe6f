import Accelerometry
import JSONLines

extension [AccelerationSample] {
  /// The samples cut where more than so many nanoseconds would come together.
  package func slices(within length: Int64) -> [ArraySlice<AccelerationSample>] {
    guard let first, let last, last.nanoseconds &- first.nanoseconds > length else { return [self[...]] }
    var slices: [ArraySlice<AccelerationSample>] = []
    var start = startIndex
    for index in indices where self[index].nanoseconds &- self[start].nanoseconds > length {
      slices.append(self[start..<index])
      start = index
    }
    return slices + [self[start...]]
  }
}

extension SampleBatch.Gap {
  /// What was lost, for people.
  package var sentence: String {
    switch self {
    case .overflow: "samples were lost: nobody read them in time"
    case .interruption(let time): "no samples for \(Decimals.duration(time))"
    }
  }
}
