import Accelerometry
import Foundation
import Pedometry
import Recordings
import TestSupport
import Testing

@testable import StepDetection

/// The results of the slow reference implementation for synthetic walks, computed once.
enum Reference {
  static let walks = [
    "wrist-50hz", "hand-25hz", "pocket-100hz-jitter", "lower-back-lost-samples", "foot-100hz", "gravity-removed",
    "bouts-and-teeth", "ten-hertz",
  ]

  static let folder = Repository.path("Fixtures/reference/")

  static func samples(of walk: String) throws -> [AccelerationSample] {
    let reader = try RecordingReader(path: folder + walk + ".csv.gz")
    var all: [AccelerationSample] = []
    var some: [AccelerationSample] = []
    while try reader.read(into: &some) { all += some }
    return all
  }

  private static func text(of path: String) throws -> String {
    try String(contentsOfFile: path, encoding: .utf8)
  }

  /// The rows of a table of numbers, without its heading.
  static func table(_ name: String) throws -> [[Double]] {
    let text = try text(of: folder + name)
    return text.split(separator: "\n").compactMap { line in
      let cells = line.split(separator: ",").map { Double($0) }
      return cells.contains(nil) ? nil : cells.compactMap { $0 }
    }
  }
}

@Suite("Compared with the reference", .timeLimit(.minutes(30)))
struct ReferenceTests {
  @Test("the same steps, 99.5 % of them within 10 ms of their peaks", arguments: Reference.walks)
  func steps(walk: String) throws {
    let expected = try Reference.table(walk + ".steps.txt").map { $0[0] }
    var detector = StepDetector()
    var steps: [Step] = []
    try Self.process(walk, in: &detector, into: &steps)
    // The reference stamps a step at the peak, this detector at the strike before it.
    let found = steps.map { $0.timestamp.inSeconds + Tuning.strikeLead }
    // Their gates have other weights, which may tell at the ends of a walk.
    #expect(abs(found.count - expected.count) <= 1)
    let near = found.count { time in expected.contains { abs($0 - time) < 0.010 } }
    // Restored gravity may have either sign, which moves the peaks by half a step.
    if walk == "gravity-removed" { return }
    // A step at the longest delay, and the very first of a recording, may be slightly later. Bouts begin with other
    // peaks than those of the reference, which finds their beginnings later.
    let share = walk == "bouts-and-teeth" ? 0.8 : 0.995
    #expect(Double(near) >= share * Double(expected.count) - 1)
  }

  /// Counts with cells from the first sample on, as the reference has them, and not from the first that moves.
  private static func process(_ walk: String, in detector: inout StepDetector, into steps: inout [Step]) throws {
    let samples = try Reference.samples(of: walk)
    detector.run.signal.begin(at: samples[0])
    detector.run.signal.endRest()
    detector.process(samples.span, into: &steps)
    detector.finish(into: &steps)
  }

  @Test("the same cells and the same band-passed magnitude")
  func cells() throws {
    let expected = try Reference.table("wrist-50hz.cells.csv")
    let samples = try Reference.samples(of: "wrist-50hz")
    var resampler = CellResampler()
    resampler.begin(at: samples[0])
    var (gravity, first, second) = (GravityRestorer(), Biquad<Float>.silence, Biquad<Float>.silence)
    var cells: [SIMD4<Float>] = []
    var index = 1
    while cells.count < expected.count {
      var buffer = CellBuffer()
      guard case .full = resampler.fill(&buffer, from: samples.span, at: &index) else { break }
      for i in 0..<buffer.count { cells.append(buffer[i].cell) }
    }
    try #require(cells.count >= expected.count)
    let origin = cells[0].squaredLength.squareRoot()
    for (row, cell) in zip(expected, cells) {
      let magnitude = gravity.magnitude(of: cell, squared: cell.squaredLength)
      let y = Tuning.bandPass.1.apply(Tuning.bandPass.0.apply(magnitude - origin, &first), &second)
      let got = [Double(cell.x), Double(cell.y), Double(cell.z), Double(y)]
      #expect(zip(row[1...], got).allSatisfy { abs($0 - $1) < 2e-5 }, "cell \(row[0])")
    }
  }

  @Test("the same candidate peaks")
  func peaks() throws {
    let expected = try Reference.table("wrist-50hz.peaks.csv")
    let samples = Array(try Reference.samples(of: "wrist-50hz").prefix(1500))
    var resampler = CellResampler()
    resampler.begin(at: samples[0])
    var (gravity, finder) = (GravityRestorer(), PeakFinder())
    var (index, cellCount) = (1, 0)
    while true {
      var buffer = CellBuffer()
      let stop = resampler.fill(&buffer, from: samples.span, at: &index)
      for i in 0..<buffer.count {
        let magnitude = gravity.magnitude(of: buffer[i].cell, squared: buffer[i].squared)
        finder.process(magnitude, cell: cellCount, counted: -.infinity)
        cellCount += 1
      }
      if case .exhausted = stop { break }
    }
    for row in expected {
      let found = (0..<finder.peaks.count).contains { i in
        abs(finder.peaks[i].time - row[0]) < 0.002 && abs(Double(finder.peaks[i].height) - row[1]) < 1e-4
      }
      #expect(found, "peak at \(row[0]) s")
    }
  }

  @Test("the same features, block by block")
  func blocks() throws {
    let expected = try Reference.table("wrist-50hz.blocks.csv")
    var detector = StepDetector()
    detector.observations = []
    var steps: [Step] = []
    try Self.process("wrist-50hz", in: &detector, into: &steps)
    let observed = try #require(detector.observations)
    // The reference has a block every 0.96 s, this detector one every 0.48 s, over the same windows of 1.92 s.
    #expect(observed.count >= 2 * expected.count - 1)
    var (others, found) = (0, 0)
    for row in expected {
      guard let block = observed.first(where: { abs($0.end - row[0]) < 1e-9 }) else { continue }
      found += 1
      #expect(abs(row[1] - block.centre) < 1e-9)
      // Below the quiet amplitude this detector compares nothing, since the result is not used.
      guard block.features.amplitude >= Tuning.quietAmplitude else { continue }
      let got = [
        block.features.logCadence, block.features.strideScore,
        block.features.halfStride, block.features.logAmplitude, block.features.logShare, block.features.shaking,
      ]
      let wanted = [log(row[2])] + row[3...7]
      if zip(wanted, got).contains(where: { abs($0 - Double($1)) >= 5e-3 }) { others += 1 }
    }
    #expect(found == expected.count)
    // This detector interpolates between cells, the reference compares whole cells, so it occasionally chooses another
    // stride.
    #expect(others <= 3)
  }
}
