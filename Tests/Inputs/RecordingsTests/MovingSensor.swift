import Accelerometry

@testable import Recordings

/// The samples of a sensor that moves, in the rows of a suite's tables.
protocol MovingSensor {}

extension MovingSensor {
  /// A moving sensor in g, at rest for no longer than a moment.
  func axes(_ row: Int, _ factor: Double = 1) -> [String] {
    [Double(100 + row * 7 % 90), -Double(100 + row * 5 % 80), Double(900 + row * 11 % 99)].map {
      "\(($0 * factor).rounded() / 1000)"
    }
  }

  func turn(_ row: Int) -> String { "\(row % 61 - 30).5,\(row % 17 - 8).25,\(row % 23 - 11).75" }

  func row(_ row: Int, _ separator: String = ",") -> String { axes(row).joined(separator: separator) }

  /// The time of a row at 50 Hz, in seconds with two decimals.
  func seconds(_ row: Int) -> String { "\(row / 50)." + (row % 50 < 5 ? "0" : "") + "\(row % 50 * 2)" }

  func table(_ header: String, _ rows: Int = 400, _ line: (Int) -> String) -> String {
    header + (0..<rows).map { line($0) + "\n" }.joined()
  }

  /// What a plain table of the same samples gives.
  func plain(_ rows: Int = 400) -> ReadRecording {
    ReadRecording(table("time,x,y,z\n", rows) { "\(seconds($0)),\(row($0))" })
  }

  /// The times of the samples, from the first one on.
  func times(_ read: ReadRecording) -> [Int64] { read.nanoseconds.map { $0 - (read.nanoseconds.first ?? 0) } }
}
