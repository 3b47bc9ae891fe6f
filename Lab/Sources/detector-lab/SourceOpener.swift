import ArgumentParser

@testable import Accelerometry
@testable import Recordings
@testable import SourceNames

/// Opens the lab's sources: recordings and synthetic walks.
enum SourceOpener {
  static func open(_ text: String) throws -> any SampleReader {
    let source: SourceURI
    do { source = try SourceURI(parsing: text) } catch { throw ValidationError("\(error)") }
    switch source {
    case .file(let path): return try RecordingReader(path: path)
    case .standardInput: return RecordingReader(fileDescriptor: 0, name: "standard input")
    case .synthetic(let settings):
      do { return try SyntheticWalk(settings: settings).reader() } catch { throw ValidationError("\(error)") }
    default:
      throw ValidationError("'\(text)' is a live sensor; record it first, and give the recording's path")
    }
  }
}
