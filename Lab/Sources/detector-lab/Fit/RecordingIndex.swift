/// The reason why an `index.csv` cannot be used.
enum RecordingIndexError: LabError, Hashable {
  case empty(path: String)
  case missingColumn(path: String, name: String, found: [String])
  case wrongCount(path: String, line: Int, found: Int, expected: Int)
  case notACount(path: String, line: Int, text: String)
  case noFile(path: String, line: Int)
  case openQuote(path: String, line: Int)

  var exitCode: Int32 { 65 }

  var description: String {
    switch self {
    case .empty(let path): "\(path) lists no recordings; write a header with file,true_steps and one line for each"
    case .missingColumn(let path, let name, let found):
      "\(path) has no column '\(name)' (it has: \(found.joined(separator: ", "))); add it"
    case .wrongCount(let path, let line, let found, let expected):
      "\(path), line \(line): \(found) fields instead of \(expected); put fields with commas in quotes"
    case .notACount(let path, let line, let text):
      "\(path), line \(line): true_steps is '\(text.prefix(40))'; write a number from 0"
    case .noFile(let path, let line): "\(path), line \(line): the field 'file' is empty; give the recording's path"
    case .openQuote(let path, let line): "\(path), line \(line): a quote is not closed; close it"
    }
  }
}

/// A folder of labelled recordings: `index.csv` with the columns `file` and `true_steps`, and if known `dataset`,
/// `activity`, `group`, `source`, `position`, `events`, `lower` and `upper`.
///
/// `group` names the unit that must not be split in cross-validation (a person); `events` is the path of a file with
/// one true foot strike per line, in seconds since the recording's first sample. Paths are relative to the folder. A
/// walk without a reference count has no `true_steps`, but the range from `lower` to `upper` of plausible counts.
struct RecordingIndex {
  struct Entry: Hashable {
    var path: String
    /// `nil` for a walk without a reference count.
    var trueSteps: Double?
    /// The plausible numbers of steps of an uncounted walk; `nil` if unknown.
    var bounds: ClosedRange<Double>?
    var dataset: String
    var activity: String
    var group: String?
    /// The source of the recording: groups of one source with the same name are the same person.
    var source: String?
    var events: String?
    /// Where the sensor was worn.
    var position: String?
    /// The folder of the index.
    var folder = ""

    /// Whether it contains walking.
    var isWalk: Bool { trueSteps != 0 }
    /// The data set and the activity.
    var stratum: String { "\(dataset)|\(activity)" }
    /// Where the recording comes from, without the revision that follows an `@`: the unit of cross-validation by source.
    var origin: String { source.map { String($0.prefix { $0 != "@" }) } ?? dataset }
    /// The unit of cross-validation by person.
    var person: String { "\(origin)|\(group ?? "")" }
    /// The unit of cross-validation by kind of movement.
    var kind: MovementKind { isWalk ? .gait : MovementKind(activity: activity) }
    /// Whether it is easily taken for the other class: a blow for a step, or a walk with a held hand, with dragged feet or
    /// at the lower leg for another movement.
    var isHard: Bool {
      if !isWalk { return kind.isHard }
      let (what, place) = (activity.lowercased(), position?.lowercased() ?? "")
      return ["shuffl", "stick", "brace"].contains { what.contains($0) }
        || ["shank", "lower leg", "knee"].contains { place.contains($0) }
        || (what.contains("treadmill") && place.contains("wrist"))
    }
    /// The unit of cross-validation by activity, regardless of its details: the activity's first word.
    var family: String { String(activity.prefix { $0.isLetter || $0 == "_" || $0 == "-" }) }
  }

  var entries: [Entry]

  /// Reads `index.csv` of a folder.
  init(folder: String) throws {
    let path = folder + "/index.csv"
    try self.init(text: TextFile.read(path), path: path, folder: folder)
  }

  /// Reads the indices of several folders.
  /// - Parameter joined: sources with such a text in their names share people, and count as one.
  init(folders: [String], joined: [String] = []) throws {
    entries = try folders.flatMap { try Self(folder: $0).entries }
    for (i, entry) in entries.enumerated() {
      let name = entry.origin.lowercased()
      if let text = joined.first(where: { name.contains($0.lowercased()) }) { entries[i].source = text }
    }
  }

  /// - Parameter path: the path of the index, for errors.
  init(text: String, path: String, folder: String) throws(RecordingIndexError) {
    let table = try Self.fields(of: text, path: path)
    guard let header = table.first?.fields.map(\.trimmed), table.count > 1 else { throw .empty(path: path) }
    let place = { (name: String) in header.firstIndex(of: name) }
    guard let file = place("file") else { throw .missingColumn(path: path, name: "file", found: header) }
    guard let steps = place("true_steps") else { throw .missingColumn(path: path, name: "true_steps", found: header) }
    entries = []
    for (line, fields) in table.dropFirst() {
      guard fields.count == header.count else {
        throw .wrongCount(path: path, line: line, found: fields.count, expected: header.count)
      }
      let given = { (name: String) in place(name).map { fields[$0].trimmed }.flatMap { $0.isEmpty ? nil : $0 } }
      var bounds: ClosedRange<Double>?
      if let lower = given("lower").flatMap(Double.init), let upper = given("upper").flatMap(Double.init),
        lower <= upper
      {
        bounds = lower...upper
      }
      let count = Double(fields[steps].trimmed)
      // A walk without a reference count has no true steps, but a range of plausible ones.
      let isUncounted = fields[steps].trimmed.isEmpty && bounds != nil
      guard isUncounted || count.map({ $0.isFinite && $0 >= 0 }) == true else {
        throw .notACount(path: path, line: line, text: fields[steps])
      }
      guard !fields[file].trimmed.isEmpty else { throw .noFile(path: path, line: line) }
      let inFolder = { (name: String) in name.hasPrefix("/") ? name : "\(folder)/\(name)" }
      entries.append(
        Entry(
          path: inFolder(fields[file].trimmed), trueSteps: count, bounds: bounds,
          dataset: given("dataset") ?? "all",
          activity: given("activity") ?? (count == 0 ? "not walking" : "walking"), group: given("group"),
          source: given("source"), events: given("events").map(inFolder), position: given("position"),
          folder: folder))
    }
  }

  /// The fields of comma-separated values according to RFC 4180: quotes may contain commas, line breaks and doubled
  /// quotes.
  private static func fields(of text: String, path: String) throws(RecordingIndexError) -> [(
    line: Int, fields: [String]
  )] {
    var rows: [(line: Int, fields: [String])] = []
    var (fields, field) = ([String](), "")
    var (line, rowLine, quoteLine) = (1, 1, 0)
    var isQuoted = false
    var previous: Character?
    for character in text.drop(while: { $0 == "\u{FEFF}" }) {
      if character == "\"" {
        // The second of two quotes inside quotes is a quote character.
        if !isQuoted, previous == "\"" { field.append("\"") }
        isQuoted.toggle()
        if isQuoted { quoteLine = line }
      } else if isQuoted {
        field.append(character)
      } else if character == "," {
        fields.append(field)
        field = ""
      } else if character.isNewline {
        if !fields.isEmpty || !field.isEmpty { rows.append((rowLine, fields + [field])) }
        (fields, field, rowLine) = ([], "", line + 1)
      } else {
        field.append(character)
      }
      if character.isNewline { line += 1 }
      previous = character
    }
    if isQuoted { throw .openQuote(path: path, line: quoteLine) }
    if !fields.isEmpty || !field.isEmpty { rows.append((rowLine, fields + [field])) }
    return rows
  }
}
