import ArgumentParser

@testable import Accelerometry
@testable import Drawing
@testable import Recordings
@testable import StepDetection

/// `detector-lab trace`: prints the detector's view of every block.
struct TraceCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "trace",
    abstract: "Print all blocks of the detector as CSV",
    discussion: """
      One line per block of 0.48 s: the centre of its window in seconds since the first sample, the cadence in \
      steps/s, the five features of the gate, the magnitude's r.m.s. in g, the evidence (log-odds of walking), the \
      accumulated evidence, whether it indicates walking, and the inputs of the objections: the axes' correlation at \
      one and at three cells, the magnitude's at the step and at half a step.

      EXAMPLES
        detector-lab trace walk.csv
        detector-lab trace synthetic:activity=brushingTeeth,duration=60,position=wrist
      """)

  @Argument(help: "A recording, - for standard input, or synthetic:key=value,…")
  var source: String

  func run() throws {
    let run = try DetectorRun(SourceOpener.open(source), isObserved: true)
    try Output.write(Self.header + Self.lines(of: run).joined())
  }

  static let header =
    (["time", "cadence"] + BlockFeatures.names + ["amplitude", "evidence", "balance", "walking"])
    .joined(separator: ",") + "\n"

  /// One line per block.
  static func lines(of run: DetectorRun) -> [String] {
    run.blocks.map { seen in
      let block = seen.block
      let numbers: [Double] =
        [Double(block.cadence)] + block.features.list.map(Double.init)
        + [Double(block.features.amplitude), Double(block.evidence), Double(block.balance)]
      let cells = [seen.centre.fixed(3)] + numbers.map { $0.fixed(4) } + [block.isWalking ? "1" : "0"]
      return cells.joined(separator: ",") + "\n"
    }
  }
}
