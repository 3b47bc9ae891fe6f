import Recordings
import StepDetection

/// The recordings of an index, gone through the detector as often as it takes.
struct LabelledRecordings {
  let index: RecordingIndex

  /// What must not be torn apart when a gate is tried on recordings that it was not fitted to.
  enum Fold: String, CaseIterable {
    case group, dataset
  }

  /// Every block whose class is sure.
  func blocks() throws -> [LabelledBlock] {
    try index.entries.flatMap { entry in
      let strikes = try entry.events.map { path throws(TextFileError) in try TextFile.numbers(in: path) }
      let run = try DetectorRun(RecordingReader(path: entry.path), isObserved: true)
      return LabelledBlock.all(in: run, of: entry, strikes: strikes)
    }
  }

  /// Counts every recording with one gate; `nil`: the detector as it is shipped.
  func scores(of gate: TrialGate?) throws -> CountScores { try scores { _ in gate } }

  /// Counts every recording with the gate that was fitted without its fold.
  func crossValidated(_ blocks: [LabelledBlock], leavingOut fold: Fold, inversePenalty: Double) throws -> CountScores {
    var gates: [String: TrialGate] = [:]
    for entry in index.entries {
      let key = try Self.key(of: entry, fold)
      if gates[key] != nil { continue }
      let rest = blocks.filter { (fold == .group ? $0.group : $0.dataset) != key }
      gates[key] = try GateFit(to: rest, inversePenalty: inversePenalty).gate
    }
    return try scores { entry in gates[try Self.key(of: entry, fold)] }
  }

  private func scores(_ gate: (RecordingIndex.Entry) throws -> TrialGate?) throws -> CountScores {
    var scores = CountScores()
    for entry in index.entries {
      let run = try DetectorRun(RecordingReader(path: entry.path), gate: gate(entry))
      scores.add(
        dataset: entry.dataset, trueSteps: entry.trueSteps, counted: run.steps.count, duration: run.duration)
    }
    return scores
  }

  private static func key(of entry: RecordingIndex.Entry, _ fold: Fold) throws(FoldError) -> String {
    guard let key = fold == .group ? entry.group : entry.dataset else { throw FoldError(path: entry.path) }
    return key
  }

  /// A recording that belongs to no group cannot be left out with it.
  struct FoldError: LabError, Hashable {
    var path: String
    var exitCode: Int32 { 65 }
    var description: String {
      "\(path) has no group; fill the column 'group' of index.csv, or leave out data sets with --leave-out dataset"
    }
  }
}
