import Accelerometry
import Testing

@testable import Recordings

@Suite("Searching for the unit beyond the beginning", .timeLimit(.minutes(30)))
struct UnitSurveyTests {
  /// Rows of a recording in m/s² without gravity: quiet up to a row, then a walk.
  private func rows(_ count: Int, quietUntil start: Int, until end: Int = .max) -> String {
    (0..<count).map { index in
      let isWalk = index >= start && index < end
      let (a, b) = isWalk ? (index / 13 % 2 == 0 ? "4.5" : "-4.5", "1.25") : ("0.0\(index % 3)", "-0.0\(index % 2)")
      return "\(Double(index) / 50),\(a),\(index % 2 == 0 ? "" : "-")\(b.drop { $0 == "-" }),0.01\n"
    }.joined()
  }

  @Test("a walk in the middle of a long file is found before the first sample, plain or compressed")
  func middle() {
    let text = "t,x,y,z\n" + rows(40_000, quietUntil: 18_000, until: 30_000)
    for bytes in [Array(text.utf8), gzip(Array(text.utf8))] {
      let read = ReadRecording(bytes)
      #expect(read.summary.unit == .metresPerSecondSquared && read.summary.gravityRemoved)
      #expect(read.samples.count == 40_000)
      #expect(read.samples.first { $0.acceleration.x > 0.1 }?.acceleration.x == Float(4.5 / 9.80665))
      #expect(read.warnings.count == 1, "\(read.warnings)")
    }
  }

  @Test("a file larger than the search limit is searched in pieces up to its end")
  func pieces() {
    // 4 MB, of which the last fifth moves.
    let text = "t,x,y,z\n" + rows(180_000, quietUntil: 144_000)
    #expect(text.utf8.count > 3 << 20)
    let read = ReadRecording(text)
    #expect(read.summary.unit == .metresPerSecondSquared)
    #expect(read.warnings.first?.contains("the mean acceleration of a second is") == true, "\(read.warnings)")
  }

  @Test("a file opened at an offset is searched from there on")
  func offset() {
    let other = Array(plainRows(20_000).utf8)
    let read = ReadRecording(other + Array(rows(3000, quietUntil: 100).utf8), from: other.count)
    #expect(read.samples.count == 3000)
    #expect(read.summary.unit == .metresPerSecondSquared)
    #expect(read.warnings.first?.contains("the mean acceleration of a second is") == true, "\(read.warnings)")
  }

  @Test("on a pipe a quiet beginning is not decisive: the walk's first samples have the unit that it shows")
  func pipe() {
    let text = "t,x,y,z\n" + rows(3000, quietUntil: 2000)
    let read = ReadRecording(Array(text.utf8), pieces: 4000)
    #expect(read.summary.unit == .metresPerSecondSquared && read.summary.gravityRemoved)
    #expect(read.samples.count == 3000)
    let walk = read.samples.dropFirst(2000).map { abs($0.acceleration.x) }
    #expect(walk.allSatisfy { abs($0 - Float(4.5 / 9.80665)) < 1e-6 })
    #expect(read.warnings.count == 1 && read.warnings[0].contains("m/s² from the samples after the beginning"))
    #expect(read.nanoseconds == (0..<3000).map { $0 * 20_000_000 })
  }

  @Test(
    "a unit that is found late replaces only the doubt about the unit, however the pipe is cut",
    arguments: [1000, 1 << 20])
  func lateDoubt(_ size: Int) {
    let quiet = (0..<1000).map { "\(Double($0) / 50),0.0\($0 % 9),0,0\n" }.joined()
    let walk = (0..<1000).map { "\(20_000 + $0 * 20),\($0 / 13 % 2 == 0 ? 4.5 : -4.5),0,0.0\($0 % 3)\n" }.joined()
    let read = ReadRecording(Array(("t,x,y,z\n" + quiet + walk).utf8), pieces: size)
    #expect(read.summary.unit == .metresPerSecondSquared && read.samples.count == 2000)
    #expect(read.warnings.count == 2, "\(read.warnings)")
    #expect(read.warnings.contains { $0.contains("from seconds to milliseconds") })
    #expect(read.warnings.contains { $0.contains("m/s² from the samples after the beginning") })
  }

  @Test("on a pipe a walk in g without gravity stays in g")
  func pipeInG() {
    let text =
      "t,x,y,z\n"
      + (0..<2000).map {
        "\(Double($0) / 50),\($0 < 500 ? "0.01" : $0 / 13 % 2 == 0 ? "0.5" : "-0.5"),0,0.0\($0 % 3)\n"
      }
      .joined()
    let read = ReadRecording(Array(text.utf8), pieces: 4000)
    #expect(read.summary.unit == .g && read.samples.count == 2000)
    #expect(read.samples.last.map { abs($0.acceleration.x) } == 0.5)
  }

  @Test("a file in g without gravity and with a few seconds of running stays in g")
  func burst() {
    let text =
      "t,x,y,z\n"
      + (0..<6000).map { index in
        let height = (3000..<3250).contains(index) ? "2.4" : "0.5"
        return "\(Double(index) / 50),\(index / 13 % 2 == 0 ? "" : "-")\(height),0,0.0\(index % 3)\n"
      }.joined()
    let read = ReadRecording(text)
    #expect(read.summary.unit == .g && read.samples.count == 6000)
    #expect(read.samples.last.map { abs($0.acceleration.x) } == 0.5)
  }

  @Test("on a pipe, apparent gravity that turns out to be motion is motion from then on")
  func noGravity() {
    // Five seconds of acceleration in one direction, as of a walker who sets off; it does not last longer.
    let text =
      "t,x,y,z\n"
      + (0..<1500).map { index in
        "\(Double(index) / 50),\(index / 13 % 2 == 0 ? 4 : -4),\(index < 250 ? "1.5" : "0.1"),0.0\(index % 3)\n"
      }.joined()
    let read = ReadRecording(Array(text.utf8), pieces: 2000)
    #expect(read.summary.unit == .metresPerSecondSquared && read.samples.count == 1500)
    #expect(read.samples.last.map { abs($0.acceleration.x) } == Float(4 / 9.80665))
  }

  /// Rows of an arm that boxes, in a unit of this many to a g, at rest in one second in ten from the given one on.
  private func boxing(seconds: Int, restingFrom start: Int, size: Double) -> String {
    (0..<(seconds * 50)).map { row in
      let second = row / 50
      let isRest = second >= start && second % 10 == start % 10
      let (x, y) = isRest ? (1.0, 0.0) : (0.2, row % 2 == 0 ? 2.8 : -2.8)
      return "\(Double(row) / 50),\(x * size),\(y * size),\(0.01 * Double(row % 3) * size)\n"
    }.joined()
  }

  private func length(_ sample: AccelerationSample) -> Float {
    (sample.acceleration * sample.acceleration).sum().squareRoot()
  }

  @Test(
    "on a pipe that begins in hard movement, the first second of rest shows gravity and its unit",
    arguments: [(1, AccelerationUnit.g), (9.80665, .metresPerSecondSquared), (1000, .milliG)], [700, 1 << 16])
  func restOnPipe(_ unit: (size: Double, name: AccelerationUnit), piece: Int) {
    let text = "t,x,y,z\n" + boxing(seconds: 40, restingFrom: 12, size: unit.size)
    let read = ReadRecording(Array(text.utf8), pieces: piece)
    #expect(read.summary.unit == unit.name && !read.summary.gravityRemoved && read.samples.count == 2000)
    #expect(read.samples.dropFirst(13 * 50 + 1).allSatisfy { (0.9...2.9).contains(length($0)) })
    #expect(read.warnings.count == 1 && read.warnings[0].contains("from the samples after the beginning"))
    let file = ReadRecording(text)
    #expect(file.summary.unit == unit.name && !file.summary.gravityRemoved && file.warnings.isEmpty)
    #expect(file.samples.allSatisfy { (0.9...2.9).contains(length($0)) })
  }

  @Test("on a pipe in m/s² without gravity, a rest without gravity ends the search")
  func restWithoutGravity() {
    let text =
      "t,x,y,z\n"
      + (0..<2000).map { row in
        let isRest = (600..<700).contains(row)
        // Something slides evenly later on; it is no gravity.
        let isEven = (900..<1000).contains(row)
        let x = isRest ? "0.001" : isEven ? "1.0" : row / 13 % 2 == 0 ? "4" : "-4"
        return "\(Double(row) / 50),\(x),0.0\(row % 3),0\n"
      }.joined()
    let read = ReadRecording(Array(text.utf8), pieces: 3000)
    #expect(read.summary.unit == .metresPerSecondSquared && read.summary.gravityRemoved)
    #expect(read.samples.last.map { abs($0.acceleration.x) } == Float(4 / 9.80665))
  }

  @Test("a stated unit is not searched for, on a pipe or in a file")
  func stated() {
    let text = "t,x,y,z\n" + rows(3000, quietUntil: 2000)
    let options = RecordingOptions(unit: .g)
    for read in [ReadRecording(text, options), ReadRecording(Array(text.utf8), pieces: 4000, options)] {
      #expect(read.summary.unit == .g)
      #expect(read.samples.last.map { abs($0.acceleration.x) } == 4.5)
    }
  }

  @Test(
    "a bad sample every five seconds changes neither unit nor gravity, in a file and on a pipe",
    arguments: ["1000", "1e6", "1e12", "1e30"])
  func spikes(value: String) {
    let rows = (0..<3000).map {
      "\(Double($0) / 50),\($0 % 250 == 20 ? value : "0.1"),0.\($0 % 4),0.98\n"
    }.joined()
    for read in [ReadRecording("t,x,y,z\n" + rows), ReadRecording(Array(("t,x,y,z\n" + rows).utf8), pieces: 4000)] {
      #expect(read.error == nil && read.summary.unit == .g && !read.summary.gravityRemoved)
      #expect(read.samples.count > 2900)
    }
  }

  @Test("compressed data that ends in garbage is read up to the garbage", arguments: [0.3, 0.5, 0.7, 0.9])
  func damagedGzip(place: Double) {
    var bytes = gzip(Array(("t,x,y,z\n" + plainRows(20_000)).utf8))
    bytes[Int(Double(bytes.count) * place)] ^= 0xFF
    let read = ReadRecording(bytes)
    #expect(read.summary.damage != nil)
    #expect(read.error == nil && read.summary.unit == .g && !read.summary.gravityRemoved)
    #expect(Double(read.samples.count) > 20_000 * place * 0.7, "\(read.samples.count)")
  }
}
