import Accelerometry
import Recordings
import Synchronization

/// Warnings that a recording's reader reports at its end: skipped rows, damage, ambiguities.
package final class ReadingNotes: Sendable {
  private let found = Mutex<[String]>([])

  /// One sentence each; empty before the end.
  package var warnings: [String] { found.withLock { $0 } }

  func note(_ warnings: [String]) { found.withLock { $0 = warnings } }
}

/// A recording's reader that stores its warnings for later. It belongs to a reading thread, and is released with the
/// sequence that created it.
struct NotedReader: SampleReader {
  private var reader: RecordingReader
  private let notes: ReadingNotes

  init(_ reader: RecordingReader, _ notes: ReadingNotes) { (self.reader, self.notes) = (reader, notes) }

  var profile: SensorProfile { reader.profile }

  mutating func read(into samples: inout [AccelerationSample]) throws -> Bool {
    let hasMore = try reader.read(into: &samples)
    if !hasMore {
      let refusal = reader.summary.refusal(path: reader.profile.name)
      notes.note(reader.summary.warnings + (refusal.map { ["\($0)"] } ?? []))
    }
    return hasMore
  }
}
