import Accelerometry
import Recordings
import Synchronization

/// What a recording's reader has to say when it has come to its end: rows that were skipped, damage, doubts.
package final class ReadingNotes: Sendable {
  private let found = Mutex<[String]>([])

  /// One sentence each; empty before the end.
  package var warnings: [String] { found.withLock { $0 } }

  func note(_ warnings: [String]) { found.withLock { $0 = warnings } }
}

/// A recording's reader that leaves its doubts where they can be read after it: it lives on a reading thread, and goes with
/// the sequence that made it.
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
