import Accelerometry
import Glibc
import Recordings
import StepDetection
import TestSupport
import Testing

/// The beginning of a recording of a walk. The first second used to determine the unit.
enum Beginning: String, CaseIterable, Sendable {
  case standing, walkingAtOnce, runningAtOnce, hardFirstSecond, freeFall, heldInHand, turned

  /// The walk, at 50 Hz, in g.
  func samples(gravityRemoved: Bool) throws -> [AccelerationSample] {
    var walk = SyntheticWalk()
    walk.gravityRemoved = gravityRemoved
    walk.duration = .seconds(30)
    walk.rate = 50
    walk.position = .pocket
    walk.orientation = .rotated(roll: 20, pitch: 70, yaw: 10)
    switch self {
    case .standing: walk.lead = .seconds(12)
    case .runningAtOnce: (walk.activity, walk.position) = (.running, .lowerBack)
    case .heldInHand: (walk.lead, walk.position) = (.seconds(4), .hand)
    case .walkingAtOnce, .hardFirstSecond, .freeFall, .turned: break
    }
    var reader = try walk.reader()
    var samples: [AccelerationSample] = []
    var batch: [AccelerationSample] = []
    while reader.read(into: &batch) { samples += batch }
    switch self {
    case .hardFirstSecond: return Self.replaced(samples, upTo: 0.9) { _ in [0.4, 2.5, 0.3] }
    case .freeFall: return Self.replaced(samples, upTo: 0.9) { _ in [0.02, 0.15, 0.05] }
    // Half a turn about x in the first two seconds, as of a phone that is put away.
    case .turned where !gravityRemoved:
      return Self.replaced(samples, upTo: 2) { sample in
        let angle = Float.pi * (1 - Float(sample.nanoseconds) / 2e9)
        let a = sample.acceleration
        return [a.x, a.y * cosf(angle) - a.z * sinf(angle), a.y * sinf(angle) + a.z * cosf(angle)]
      }
    default: return samples
    }
  }

  private static func replaced(
    _ samples: [AccelerationSample], upTo seconds: Double, by acceleration: (AccelerationSample) -> SIMD3<Float>
  ) -> [AccelerationSample] {
    samples.map { sample in
      Double(sample.nanoseconds) >= seconds * 1e9
        ? sample : AccelerationSample(nanoseconds: sample.nanoseconds, acceleration: acceleration(sample))
    }
  }
}

/// The format in which a program writes it, without the unit.
struct Writing: Sendable, CustomTestStringConvertible {
  var name: String
  var unit: AccelerationUnit
  var gravityRemoved = false
  var header = ""
  var row: @Sendable (_ nanoseconds: Int64, _ x: String, _ y: String, _ z: String) -> String
  var testDescription: String { name }

  func text(_ samples: [AccelerationSample]) -> String {
    let scale = Float(1 / unit.inG)
    let isWhole = if case .raw = unit { true } else { unit == .milliG }
    var text = header
    for sample in samples {
      let numbers = (0..<3).map { axis in
        let value = Double(sample.acceleration[axis] * scale)
        return isWhole ? "\(Int(value.rounded()))" : "\((value * 1e5).rounded() / 1e5)"
      }
      text += row(sample.nanoseconds, numbers[0], numbers[1], numbers[2]) + "\n"
    }
    return text
  }
}

private func seconds(_ nanoseconds: Int64) -> String { "\(Double(nanoseconds / 1000) / 1e6)" }

private let writings: [Writing] = [
  Writing(
    name: "Sensor Logger, Accelerometer.csv", unit: .metresPerSecondSquared, gravityRemoved: true,
    header: "time,seconds_elapsed,z,y,x\n"
  ) { "\(1_700_000_000_000_000_000 + $0),\(seconds($0)),\($3),\($2),\($1)" },
  Writing(
    name: "Sensor Logger, TotalAcceleration.csv", unit: .metresPerSecondSquared, header: "time,seconds_elapsed,z,y,x\n"
  ) { "\(1_700_000_000_000_000_000 + $0),\(seconds($0)),\($3),\($2),\($1)" },
  Writing(name: "g without gravity", unit: .g, gravityRemoved: true, header: "t,x,y,z\n") {
    "\(seconds($0)),\($1),\($2),\($3)"
  },
  Writing(name: "g", unit: .g, header: "t,x,y,z\n") { "\(seconds($0)),\($1),\($2),\($3)" },
  Writing(name: "mg", unit: .milliG, header: "ts,ax,ay,az\n") { "\($0 / 1_000_000),\($1),\($2),\($3)" },
  Writing(name: "counts", unit: .raw(countsPerG: 16_384), header: "timestamp;x;y;z\n") {
    "\($0 / 1_000_000);\($1);\($2);\($3)"
  },
  Writing(name: "headerless g", unit: .g) { "\(seconds($0)),\($1),\($2),\($3)" },
  Writing(name: "headerless m/s² without gravity", unit: .metresPerSecondSquared, gravityRemoved: true) {
    "\(seconds($0)) \($1) \($2) \($3)"
  },
  Writing(name: "iio_generic_buffer", unit: .metresPerSecondSquared) {
    "\($1) \($2) \($3) \(1_700_000_000_123_456_789 + $0) "
  },
  Writing(name: "JSON Lines", unit: .metresPerSecondSquared) {
    "{\"t\":\(seconds($0)),\"acc\":{\"x\":\($1),\"y\":\($2),\"z\":\($3)}}"
  },
]

@Suite("The unit of walks that do not state it", .timeLimit(.minutes(30)))
struct UnitOfWalksTests {
  private struct Count {
    var steps: Int
    var summary: RecordingSummary
  }

  private func count(_ reader: RecordingReader) throws -> Count {
    var counter = WalkCounter(stepLength: .fixed(0.7))
    var samples: [AccelerationSample] = []
    while try reader.read(into: &samples) { counter.process(samples.span) }
    counter.finish()
    return Count(steps: counter.steps, summary: reader.summary)
  }

  private func count(file text: String, _ options: RecordingOptions = RecordingOptions()) throws -> Count {
    let folder = try TemporaryDirectory()
    let path = try folder.write(Array(text.utf8), to: "walk.csv")
    return try count(try RecordingReader(path: path, options: options))
  }

  private func count(pipe text: String) throws -> Count {
    let packets = PacketWriter(Array(text.utf8), pieces: 1000)
    defer { packets.join() }
    return try count(RecordingReader(fileDescriptor: packets.output, name: "pipe", handingOver: true))
  }

  @Test("a file's unit is detected for any beginning, and its steps counted", arguments: Beginning.allCases, writings)
  func file(beginning: Beginning, writing: Writing) throws {
    let text = writing.text(try beginning.samples(gravityRemoved: writing.gravityRemoved))
    let truth = try count(file: text, RecordingOptions(unit: writing.unit))
    let found = try count(file: text)
    #expect(found.summary.unit == writing.unit, "\(found.summary.warnings)")
    #expect(found.summary.gravityRemoved == writing.gravityRemoved)
    #expect(found.steps == truth.steps)
    #expect(found.steps > 35)
  }

  @Test(
    "a pipe's unit is found however it begins, or a warning says what to state", arguments: Beginning.allCases, writings
  )
  func pipe(beginning: Beginning, writing: Writing) throws {
    let text = writing.text(try beginning.samples(gravityRemoved: writing.gravityRemoved))
    let truth = try count(file: text, RecordingOptions(unit: writing.unit))
    let found = try count(pipe: text)
    let isSaid = found.summary.warnings.contains { $0.contains("--units") }
    #expect(found.summary.unit == writing.unit || isSaid)
    #expect(abs(found.steps - truth.steps) * 10 <= truth.steps || isSaid, "\(found.steps) of \(truth.steps)")
    if !writing.gravityRemoved { #expect(found.summary.unit == writing.unit && found.steps == truth.steps) }
  }

  @Test("a walk in m/s² without gravity with a quiet beginning on a pipe is counted as with a stated unit")
  func quietPipe() throws {
    let text = writings[0].text(try Beginning.standing.samples(gravityRemoved: true))
    let truth = try count(file: text, RecordingOptions(unit: .metresPerSecondSquared))
    let found = try count(pipe: text)
    #expect(found.summary.unit == .metresPerSecondSquared)
    #expect(abs(found.steps - truth.steps) <= 1, "\(found.steps) of \(truth.steps)")
    #expect(found.summary.warnings.contains { $0.contains("guessed to be m/s²") }, "\(found.summary.warnings)")
  }

  @Test("an invalid sample every five seconds costs at most one step", arguments: ["1000", "1e6", "1e30"])
  func spikes(value: String) throws {
    let samples = try Beginning.walkingAtOnce.samples(gravityRemoved: false)
    let plain = try count(file: writings[3].text(samples))
    let lines = writings[3].text(samples).split(separator: "\n").enumerated().map { index, line in
      let fields = line.split(separator: ",")
      return (index % 250 == 21 ? [fields[0], Substring(value), fields[2], fields[3]] : fields).joined(separator: ",")
    }
    let text = lines.joined(separator: "\n") + "\n"
    for found in [try count(file: text), try count(pipe: text)] {
      #expect(found.summary.unit == .g && !found.summary.gravityRemoved)
      #expect(abs(found.steps - plain.steps) <= 1, "\(found.steps) of \(plain.steps)")
    }
  }
}
