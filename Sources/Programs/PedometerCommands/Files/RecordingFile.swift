import ArgumentParser
import Recordings
import SourceNames
import Terminals

/// A recording by its name on the command line: a file, or standard input.
struct RecordingFile {
  private let uri: SourceURI
  /// Its name for people.
  let title: String

  /// - Throws: a `ValidationError` for a sensor or a synthetic walk.
  init(_ name: String) throws {
    let shown = ScreenText.printable(name)
    title = name == "-" ? "standard input" : shown
    uri = try SourceArgument.parse(name)
    switch uri {
    case .file, .standardInput: break
    case .synthetic: throw ValidationError("'\(shown)' is a synthetic walk; write it with: pedometer simulate")
    default: throw ValidationError("'\(shown)' is a sensor; record it first: pedometer record \(shown) -o walk.csv")
    }
  }

  func reader(_ options: RecordingOptions) throws(RecordingError) -> RecordingReader {
    guard let reader = try RecordingReader(uri, options: options) else { preconditionFailure("checked in init") }
    return reader
  }
}

extension RecordingWriter.Format {
  /// The format of a file by its name: JSON Lines if it ends in .jsonl or .ndjson, also compressed, otherwise CSV.
  init(ofFile name: String) {
    let plain = name.hasSuffix(".gz") ? String(name.dropLast(3)) : name
    self = plain.hasSuffix(".jsonl") || plain.hasSuffix(".ndjson") ? .jsonLines : .csv
  }
}
