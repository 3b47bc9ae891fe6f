import ArgumentParser

@testable import Recordings

/// `detector-lab draw`: draws the pictures of the article about the algorithm.
struct DrawCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "draw",
    abstract: "Draw the pictures of the article as SVG",
    discussion: """
      Each picture shows the detector on a synthetic walk. The same code gives the same pictures, and changes of the \
      detector are visible in them.

      EXAMPLE
        detector-lab draw Sources/Core/StepDetection/StepDetection.docc/Resources
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
