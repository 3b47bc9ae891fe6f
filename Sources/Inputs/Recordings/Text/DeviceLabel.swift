/// A line that names the device of the rows below it: `Device: left wrist`, `# Serial number: 00107`, `MAC;AA:01`.
struct DeviceLabel: Hashable {
  /// What is named, in lower-case letters: `device`, `serialnumber`.
  var key: String
  var name: String

  /// In bytes.
  private static let longest = 128
  private static let separators: [UInt8] = [":", "=", ";", ",", "\t"].map { (mark: Unicode.Scalar) in UInt8(mark.value)
  }

  /// - Returns: `nil` for any other line. Behind a delimiter of tables nothing else may follow, as it does in a header.
  init?(_ bytes: Span<UInt8>, _ line: Range<Int>) {
    guard line.count <= Self.longest, let mark = line.first(where: { Self.separators.contains(bytes[$0]) }) else {
      return nil
    }
    let key = String(decoding: (line.lowerBound..<mark).map { bytes[$0] }, as: UTF8.self).lowercased().filter(
      \.isLetter)
    guard TaggedTable.namesOfDevices.contains(key) else { return nil }
    var text = String(decoding: (mark + 1..<line.upperBound).map { bytes[$0] }, as: UTF8.self)[...]
    let isEdge = { (character: Character) in character.isWhitespace || "\",;".contains(character) }
    text = text.drop(while: isEdge)
    while let last = text.last, isEdge(last) { text.removeLast() }
    guard !text.isEmpty, bytes[mark] == Self.separators[0] || !text.contains(where: { ",;\t".contains($0) }) else {
      return nil
    }
    (self.key, name) = (key, String(text))
  }

  func isOf(_ device: String) -> Bool { name.lowercased() == device.lowercased() }
}

/// Leaves out the rows of other devices, which stand in blocks under a line with their name.
///
/// A line with another name is only a message, such as `sensor: ready`, unless names of columns stand behind it, or the time goes back.
struct DeviceBlocks {
  private enum State { case own, maybeOther, other }

  let own: DeviceLabel
  private var state = State.own
  private var rows = 0
  private var firstLine = 0
  private var latest = ""
  private var names: [String] = []

  private static let mostNames = 8

  init(_ own: DeviceLabel) { self.own = own }

  /// Whether the next rows may be of another device.
  var isInterrupted: Bool { state != .own }

  /// Notes a line that is no row.
  /// - Returns: whether it is part of the lines above a block.
  mutating func note(_ bytes: Span<UInt8>, _ line: Range<Int>) -> Bool {
    guard let label = DeviceLabel(bytes, line), label.key == own.key else {
      if state == .maybeOther, !HeaderCandidates.layouts(bytes, line).isEmpty { state = .other }
      return state != .own
    }
    if label.name == own.name {
      state = .own
    } else {
      latest = label.name
      if state == .own { state = .maybeOther }
    }
    return true
  }

  /// Whether a row is of another device.
  /// - Parameter goesBack: whether its time is before that of the row above.
  mutating func leavesOut(line: Int, goesBack: Bool) -> Bool {
    if state == .maybeOther { state = goesBack ? .other : .own }
    guard state == .other else { return false }
    if rows == 0 { firstLine = line }
    rows += 1
    if !names.contains(latest), names.count <= Self.mostNames { names.append(latest) }
    return true
  }

  /// What was left out, in a sentence.
  var remark: String? {
    guard rows > 0 else { return nil }
    return "only the rows of \(own.name) were used; \(rows) rows of other devices"
      + " (\(names.listed(most: Self.mostNames))) were not, the first in line \(firstLine); select others with \(option: .deviceOfRows)"
  }
}
