import Accelerometry
import Recordings
import StepDetection
import TestSupport

/// A minute's walk as written by this program, for tests to damage.
struct WrittenWalk: Sendable {
  let samples: [AccelerationSample]
  /// The lines below the header, with line breaks.
  let rows: [String]
  /// The times of the true steps.
  let strikes: [Duration]

  static let header = "t,x,y,z\n"

  init(_ walk: SyntheticWalk) throws {
    samples = try walk.samples()
    strikes = try walk.steps
    let directory = try TemporaryDirectory()
    rows = try TemporaryDirectory.text(of: Self.write(samples, to: directory, "walk.csv"))
      .split(separator: "\n").dropFirst().map { $0 + "\n" }
  }

  /// 110 steps per minute at 50 Hz, on the wrist.
  static func minute() throws -> WrittenWalk { try whole.get() }
  private static let whole = Result { try WrittenWalk(SyntheticWalk()) }

  /// Header and rows.
  var text: String { Self.header + rows.joined() }

  /// Header and rows, with an insertion before a row.
  func text(_ inserted: String, before row: Int) -> String {
    Self.header + rows[..<row].joined() + inserted + rows[row...].joined()
  }

  /// Writes samples without loss of precision.
  /// - Returns: the file's path.
  @discardableResult
  static func write(_ samples: [AccelerationSample], to directory: TemporaryDirectory, _ name: String) throws -> String
  {
    let path = directory.path + "/" + name
    var options = RecordingWriter.Options()
    options.format = name.contains(".jsonl") ? .jsonLines : .csv
    options.significantDigits = 9
    var writer = try RecordingWriter(to: .file(path: path), options: options)
    try writer.write(samples)
    try writer.finish()
    return path
  }

  /// The same samples at a later time.
  static func shifted(_ samples: [AccelerationSample], by time: Duration) -> [AccelerationSample] {
    samples.map {
      AccelerationSample(
        nanoseconds: $0.nanoseconds + time.components.seconds * 1_000_000_000, acceleration: $0.acceleration)
    }
  }

  /// The number of steps in samples, counted in this process.
  static func steps(in samples: some Collection<AccelerationSample>) -> Int { stepTimes(in: samples).count }

  /// The times of the steps in samples, in seconds.
  static func stepTimes(in samples: some Collection<AccelerationSample>) -> [Double] {
    var counter = WalkCounter()
    let steps = counter.process(Array(samples).span) + counter.finish()
    return steps.map { $0.timestamp / .seconds(1) }
  }
}
