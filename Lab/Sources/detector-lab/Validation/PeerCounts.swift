/// The counts of another step counter on the same recordings.
struct PeerCounts {
  var name: String
  /// By the path of a recording: the name of its folder, and the path in it.
  var steps: [String: Double]

  /// The reason why a file of counts cannot be used.
  struct Failure: LabError, Hashable {
    var path: String
    var line: Int
    var exitCode: Int32 { 65 }
    var description: String { "\(path), line \(line): not a recording and a number of steps; write file,steps" }
  }

  /// Reads lines of a path and a number, after a line with the names of the columns. Paths may contain commas.
  static func read(_ path: String) throws -> [String: Double] {
    try steps(in: TextFile.read(path), path: path)
  }

  static func steps(in text: String, path: String) throws(Failure) -> [String: Double] {
    var steps: [String: Double] = [:]
    for (number, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated() {
      if number == 0 || line.trimmed.isEmpty { continue }
      guard let comma = line.lastIndex(of: ","), let count = Double(line[line.index(after: comma)...].trimmed),
        count.isFinite, count >= 0
      else { throw Failure(path: path, line: number + 1) }
      steps[line[..<comma].trimmed] = count
    }
    return steps
  }

  /// The count of a recording; `nil` if the file has none.
  subscript(entry: RecordingIndex.Entry) -> Int? {
    let folder = entry.folder.split(separator: "/").last.map(String.init) ?? ""
    return steps["\(folder)/\(entry.path.dropFirst(entry.folder.count + 1))"].map { Int($0.rounded()) }
  }
}
