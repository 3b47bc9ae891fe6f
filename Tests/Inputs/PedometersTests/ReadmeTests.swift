import Accelerometry
import Foundation
import Recordings
import StepDetection
import TestSupport
import Testing

/// The README's example, compiled and run, and compared with the README line by line.
@Suite("The README's example", .timeLimit(.minutes(30)))
struct ReadmeTests {
  private static let root = URL(filePath: Repository.root)

  @Test("counts the demo's recording")
  func counts() {
    do {
      let reader = try RecordingReader(path: Self.root.path + "/Fixtures/day-in-five-minutes.csv.gz")
      var counter = WalkCounter(stepLength: .walkRatio(height: 1.70), latency: StepDetector.longestRevision)
      var samples: [AccelerationSample] = []
      while try reader.read(into: &samples) { counter.process(samples.span) }
      counter.finish()
      let (metres, cadence) = (counter.distanceTravelled, (counter.meanCadence ?? 0) * 60)
      let printed = "\(counter.steps) steps, \(Int(metres.rounded())) m, \(Int(cadence.rounded())) steps/min"
      #expect(try String(contentsOf: Self.root.appending(path: "README.md"), encoding: .utf8).contains("`\(printed)`"))
      let truth = try String(
        contentsOf: Self.root.appending(path: "Fixtures/day-in-five-minutes.steps.txt"), encoding: .utf8)
      let strikes = truth.split(separator: "\n").count
      #expect(abs(counter.steps - strikes) <= strikes / 50)
      #expect((120...220).contains(counter.distanceTravelled / Double(strikes) * 200))
    } catch {
      Issue.record("\(error)")
    }
  }

  @Test("is the same in the README")
  func same() throws {
    let readme = try String(contentsOf: Self.root.appending(path: "README.md"), encoding: .utf8)
    let source = try String(contentsOf: URL(filePath: #filePath), encoding: .utf8)
    let code = try #require(
      readme.components(separatedBy: "```swift\n").dropFirst().first?.components(separatedBy: "```").first)
    let lines = code.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
    #expect(lines.count >= 8)
    for line in lines where !line.contains("walk.csv") && !line.hasPrefix("print") {
      #expect(source.contains(line), "\(line)")
    }
  }
}
