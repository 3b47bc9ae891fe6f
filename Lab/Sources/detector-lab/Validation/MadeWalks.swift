@testable import Drawing
@testable import Recordings
@testable import StepDetection

/// Made walks and runs, none of which is in the fit: how many are counted within 3 %, and how many are lost.
struct MadeWalks {
  private(set) var all = 0
  private(set) var close = 0
  private(set) var lost = 0

  /// - Parameter seed: the fit has those of seed 1.
  init(_ count: Int, seed: UInt64 = 2, models: GateModels) {
    for number in 0..<UInt64(count) {
      let gait = HarmonicGait(seed: seed, number: number)
      let counted = Double(DetectorRun(gait.samples, models: models).steps.count) / Double(gait.strikes.count)
      all += 1
      if abs(counted - 1) <= 0.03 { close += 1 }
      if counted < 0.5 { lost += 1 }
    }
  }

  var summary: String {
    let share = { (part: Int) in (100 * Double(part) / Double(max(1, all))).fixed(1) }
    return "of \(all) made walks and runs, \(share(close)) % are counted within 3 %, and \(share(lost)) % are lost"
  }
}
