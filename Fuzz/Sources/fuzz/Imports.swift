import Foundation
import History

@testable import HistoryImport
@testable import Recordings
@testable import ServiceSettings

/// A configuration file: what is read, and written with quotes, is read again.
func checkSettings(_ bytes: [UInt8]) {
  let text = String(decoding: bytes, as: UTF8.self)
  checkWords(text)
  guard let given = read(text) else { return }
  var options = GivenSettings()
  for key in SettingKey.allCases { options.give(key, option: given[key].map(\.text)) }
  require(haveSameTexts(options.over(given), given), "an option has a different value")
  let lines = SettingKey.allCases.compactMap { key -> (group: String?, line: String)? in
    let values = given[key].map { quoted($0.text) }
    guard !values.isEmpty else { return nil }
    let name = key.group.map { String(key.rawValue.dropFirst($0.count + 1)) } ?? key.rawValue
    return (key.group, "\(name): " + (values.count == 1 ? values[0] : "[\(values.joined(separator: ", "))]"))
  }
  var written = lines.filter { $0.group == nil }.map(\.line)
  for (group, lines) in Dictionary(grouping: lines.filter { $0.group != nil }, by: { $0.group ?? "" }) {
    written.append("\(group):")
    written += lines.map { "  " + $0.line }
  }
  guard let again = read(written.joined(separator: "\n")) else { fail("what was read is refused") }
  require(haveSameTexts(again, given), "a setting is read differently")
}

/// Whether settings have the same values, wherever they were given.
private func haveSameTexts(_ one: GivenSettings, _ other: GivenSettings) -> Bool {
  SettingKey.allCases.allSatisfy { one[$0].map(\.text) == other[$0].map(\.text) }
}

/// Options for recordings as the settings and the command line state them: a window ends behind its start.
private func checkWords(_ text: String) {
  let words = text.split(separator: "\n", omittingEmptySubsequences: false).prefix(6).map(String.init)
  guard words.count >= 5 else { return }
  let options = try? RecordingOptions(
    format: "auto", units: words[0], rate: Double(words[1]), columns: words[2], start: words[3], end: words[4])
  guard let options else { return }
  require(options.columns?.count ?? 3 >= 3, "too few columns")
  if case .unix(let start)? = options.window?.start, case .unix(let end)? = options.window?.end {
    require(start <= end, "a window ends before it begins")
  }
}

private func read(_ text: String) -> GivenSettings? {
  do { return try ConfigurationFile.parse(text, path: "fuzz") } catch {
    require(!"\(error)".isEmpty)
    return nil
  }
}

private func quoted(_ text: String) -> String {
  var quoted = "\""
  for scalar in text.unicodeScalars {
    switch scalar {
    case "\"", "\\": quoted += "\\\(scalar)"
    case " "..."~": quoted += "\(scalar)"
    default: quoted += String(format: "\\U%08X", scalar.value)
    }
  }
  return quoted + "\""
}

private let now = Date(timeIntervalSince1970: 1_780_000_000)
private let path = "\(FileManager.default.temporaryDirectory.path)/fuzz-import-\(getpid())"

/// A file of any program: its minutes are possible, it adds no more than it contains, and adds nothing if it is imported
/// again.
func checkImport(_ bytes: [UInt8]) {
  var bytes = bytes
  // Random changes rarely meet the checksum of a FIT file.
  if GarminMonitoring.isFIT(bytes), bytes.count > 16 {
    let size = UInt32(max(0, bytes.count - 2 - Int(bytes[0])))
    for i in 0..<4 { bytes[4 + i] = UInt8(truncatingIfNeeded: size >> (8 * i)) }
    let sum = FITChecksum.checksum(bytes.dropLast(2))
    (bytes[bytes.count - 2], bytes[bytes.count - 1]) = (UInt8(sum & 255), UInt8(sum >> 8))
  }
  require(FileManager.default.createFile(atPath: path, contents: Data(bytes)))
  defer { unlink(path) }
  let file: ImportedFile
  do { file = try ImportFile.read(path, now: now) } catch {
    require(!"\(error)".isEmpty)
    return
  }
  // Periods of a day take 1440 minutes each.
  guard file.periods.count < 200 else { return }
  var plan = ImportPlan()
  let results = plan.take([file])
  var again = ImportPlan()
  for result in results {
    require(result.new <= result.steps, "more steps than the file contains")
    for minute in result.minutes {
      require((0...300).contains(minute.totals.steps), "too many steps in a minute")
      require(minute.totals.activeTime <= OwnExport.longestActiveTime, "too long an active time in a minute")
      require(minute.totals.distanceTravelled.isFinite, "a distance without a number")
      again.know(minute)
    }
  }
  let repeated = again.take([file])
  require(repeated.allSatisfy { $0.new == 0 }, "an import that is repeated adds steps")
}
