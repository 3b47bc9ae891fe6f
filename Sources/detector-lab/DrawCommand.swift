import ArgumentParser
import Recordings

/// `detector-lab draw`: the pictures of the article about the algorithm.
struct DrawCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "draw",
    abstract: "Draw the article's pictures as SVG",
    discussion: """
      Every picture shows the detector at work on a synthetic walk: the same code gives the same picture, and a change \
      of the detector shows in it.

      EXAMPLE
        detector-lab draw Sources/StepDetection/StepDetection.docc/Resources
      """)

  @Argument(help: "The folder for the pictures; it must exist.")
  var folder: String

  /// All pictures by file name.
  static let pictures: [(name: String, draw: @Sendable () throws -> String)] = [
    ("cells.svg", SignalPictures.cells),
    ("peaks.svg", SignalPictures.peaks),
    ("autocorrelation.svg", SignalPictures.autocorrelation),
    ("evidence.svg", DecisionPictures.evidence),
    ("phase.svg", DecisionPictures.phase),
    ("start.svg", DecisionPictures.start),
  ]

  func run() throws {
    for picture in Self.pictures {
      try TextFile.write(picture.draw(), to: "\(folder)/\(picture.name)")
      Output.complain("\(folder)/\(picture.name)")
    }
  }
}
