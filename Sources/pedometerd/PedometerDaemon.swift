import ArgumentParser
import PedometerService

/// `pedometerd`: counts all day and serves what was walked.
@main
struct PedometerDaemon: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "pedometerd", abstract: "Count all day, remember and serve")

  func run() async throws {}
}
