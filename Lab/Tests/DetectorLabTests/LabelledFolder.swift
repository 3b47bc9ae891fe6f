@testable import Accelerometry
@testable import Recordings
@testable import detector_lab

/// A folder of labelled recordings: two walks, brushed teeth and typing, of 20 s each, by four people and of two sources.
struct LabelledFolder {
  private let folder: TemporaryFolder
  /// The true strikes of the first walk.
  let strikes: [Double]

  var path: String { folder.path }

  init() throws {
    folder = try TemporaryFolder()
    var index = "file,true_steps,activity,group,source,position,events\n"
    var first: [Double]?
    for (i, activity) in [SyntheticWalk.Activity.walking, .walking, .brushingTeeth, .typing].enumerated() {
      var walk = SyntheticWalk()
      (walk.activity, walk.seed, walk.duration, walk.rate) = (activity, UInt64(i + 40), .seconds(20), 25)
      var reader = try walk.reader()
      var (text, samples) = ("t,x,y,z\n", [AccelerationSample]())
      while reader.read(into: &samples) {
        for sample in samples {
          let a = sample.acceleration
          text += "\(Double(sample.nanoseconds) * 1e-9),\(a.x),\(a.y),\(a.z)\n"
        }
      }
      try folder.write(text, to: "\(i).csv")
      let steps = activity.isGait ? try walk.steps.map { Double($0.wholeNanoseconds) * 1e-9 } : []
      first = first ?? steps
      if i == 0 { try folder.write(steps.map { "\($0)\n" }.joined(), to: "0.txt") }
      index += "\(i).csv,\(steps.count),\(activity.rawValue),p\(i),s\(i % 2),"
      index += "\(["left wrist", "trouser pocket", "wrist", ""][i]),\(i == 0 ? "0.txt" : "")\n"
    }
    try folder.write(index, to: "index.csv")
    strikes = first ?? []
  }
}
