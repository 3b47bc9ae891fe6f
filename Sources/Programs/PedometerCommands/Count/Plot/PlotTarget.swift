import ArgumentParser
import LiveSources
import Platform
import Recordings
import Terminals

/// The path of a picture, checked before anything is read or written: a wrong order of file names, or a wildcard after
/// `--plot`, must not overwrite a recording.
struct PlotTarget {
  let path: String

  /// The paths of several pictures: `walk.svg` becomes `walk-1.svg`, `walk-2.svg`, with as many digits as the last one
  /// needs, so that they sort.
  static func numbered(_ path: String, _ count: Int) -> [PlotTarget] {
    if count < 2 { return [PlotTarget(path: path)] }
    let digits = String(count).count
    return (1...count).map { PlotTarget(path: "\(path.dropLast(4))-\($0.padded(digits))\(path.suffix(4))") }
  }

  /// Refuses names that do not belong to a picture.
  /// - Throws: a `ValidationError`.
  func validate() throws {
    if path == "-" || path == "" {
      throw ValidationError("--plot takes a file name, such as --plot walk.svg; the count goes to standard output")
    }
    guard path.lowercased().hasSuffix(".svg") else {
      throw ValidationError(
        "--plot writes an SVG picture; give a name that ends in .svg, not '\(ScreenText.printable(path))'")
    }
  }

  /// Refuses to replace a file that is not a picture.
  /// - Throws: a ``SourceFailure`` with exit code 73, or a `RecordingWriterError`.
  func checkReplaceable() throws {
    var status = stat()
    guard unsafe stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_size > 0 else { return }
    // An unreadable file is not replaced.
    guard let bytes = readFile(path, upTo: 4096) else {
      throw RecordingWriterError.cannotCreate(path: path, errno: errno)
    }
    if !Self.isPicture(bytes[...]) {
      throw SourceFailure(
        message: "\(path) already exists and is not an SVG picture; choose another name", status: .cannotCreate)
    }
  }

  /// Whether a file with this beginning is an SVG: markup whose first few kilobytes open the root element.
  static func isPicture(_ beginning: ArraySlice<UInt8>) -> Bool {
    let text = String(decoding: beginning, as: UTF8.self).drop { $0.isWhitespace || $0 == "\u{FEFF}" }
    return text.hasPrefix("<") && text.contains("<svg")
  }
}
