import Accelerometry
import Foundation

@testable import Recordings

extension SyntheticWalk {
  /// A walk with settings specified by a test.
  init(_ change: (inout SyntheticWalk) -> Void) {
    self.init()
    change(&self)
  }

  /// All its samples.
  func samples() throws -> [AccelerationSample] {
    var reader = try reader()
    var (all, some) = ([AccelerationSample](), [AccelerationSample]())
    while reader.read(into: &some) { all += some }
    return all
  }
}

/// A new folder for a test, removed with its contents when it is released.
final class TemporaryFolder {
  let path = FileManager.default.temporaryDirectory.appendingPathComponent("lab-\(UUID())").path

  init() throws { try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true) }
  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// Writes a file, and makes its folder if there is none.
  func write(_ text: String, to name: String) throws {
    let file = URL(fileURLWithPath: path + "/" + name)
    try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: file)
  }
}
