import CXMLReader
import Foundation
import History
import JSONLines
import Platform

/// The file `export.xml` of Apple's app Health: `<Record type="HKQuantityTypeIdentifierStepCount" sourceName="…"
/// startDate="2026-05-06 10:00:00 +0200" endDate="…" value="12"/>`, among millions of other records.
enum AppleHealth {
  static func read(_ input: InputFile, now: Date) throws -> ImportedFile {
    let path = input.path
    guard xml_reader_load() else {
      throw ImportFailure(at: path, "XML needs the library libxml2; install the package libxml2")
    }
    let limits = xml_limits(
      token: InputLimits.token, attributes: Int32(InputLimits.attributes), names: Int32(InputLimits.names))
    guard let reader = unsafe xml_reader_new(input.descriptor, nil, 0, limits) else {
      throw ImportFailure(at: path, "no memory")
    }
    defer { unsafe xml_reader_free(reader) }
    var file = ImportedFile()
    var (isHealth, elements) = (false, 0)
    var carried: [String: Double] = [:]
    while true {
      let status = unsafe xml_reader_next(reader)
      // The parser is a few lines ahead of the element.
      let place = unsafe "\(path), near line \(xml_reader_line(reader))"
      if status == XML_READER_ENDED { break }
      guard status == XML_READER_ELEMENT else { throw ImportFailure(at: place, trouble(status)) }
      elements += 1
      if elements % 1024 == 0 { try input.cost.check(path) }
      let name = unsafe String(cString: xml_reader_name(reader))
      let attribute = { (name: String) in unsafe xml_reader_attribute(reader, name).map { unsafe String(cString: $0) } }
      if !isHealth {
        guard name == "HealthData" else {
          throw ImportFailure(at: place, "<\(name)> is not an export of Apple Health; give its export.xml")
        }
        isHealth = true
      }
      guard name == "Record", attribute("type") == "HKQuantityTypeIdentifierStepCount" else { continue }
      try input.cost.takeRow(of: path)
      let (begin, value) = (attribute("startDate").flatMap(date), attribute("value").flatMap { Double($0) })
      guard let start = begin, let end = attribute("endDate").flatMap(date), let steps = value, steps.magnitude < 1e9
      else {
        file.skip(
          value.flatMap { Int(exactly: $0) }, at: "near line \(unsafe xml_reader_line(reader))", of: place, time: begin,
          "a step record has no valid startDate, endDate or value")
        continue
      }
      let names = [attribute("sourceName") ?? "Health", attribute("device").flatMap(hardware)]
      let source = HistorySource.imported(("apple-health", "Apple Health"), names, names)
      // Fractions of steps add up to whole ones.
      let exact = steps + (carried[source.identity] ?? 0)
      carried[source.identity] = exact - exact.rounded()
      file.add(
        ImportedPeriod(start: start, end: end, steps: Int(bounded: exact), source: source),
        at: "near line \(unsafe xml_reader_line(reader))", now: now)
    }
    try file.requireEntries()
    var line = 0
    let replaced = unsafe xml_reader_replaced(reader, &line)
    if replaced > 0 {
      file.notices.append(
        "characters that XML does not allow were replaced: \(replaced), the first in line \(line); all records were read"
      )
    }
    return file
  }

  private static func trouble(_ status: Int32) -> String {
    switch Int(status) {
    case XML_READER_ENTITIES: "the XML declares entities, which no export does; check where the file is from"
    case XML_READER_EXCESSIVE: "a tag is longer than any of an export, or there are too many names; check the file"
    default: "the XML is damaged or incomplete; export it again"
    }
  }

  /// The hardware in `<<HKDevice: 0x28…>, name:iPhone, …, hardware:iPhone15,2, software:17.4.1>`, which stays the same and
  /// differs between devices of one name.
  private static func hardware(_ device: String) -> String? {
    guard let start = device.range(of: "hardware:")?.upperBound else { return nil }
    let rest = device[start...]
    let text = rest[..<(rest.range(of: ", ")?.lowerBound ?? rest.lastIndex(of: ">") ?? rest.endIndex)]
    return text.isEmpty ? nil : String(text)
  }

  /// Reads `2026-05-06 10:00:00 +0200`.
  static func date(_ text: String) -> Date? {
    guard text.utf8.count == 25, text.utf8.dropFirst(19).first == UInt8(ascii: " ") else { return nil }
    return RFC3339.secondsSince1970("\(text.prefix(19))\(text.dropFirst(20).prefix(3)):\(text.suffix(2))")
      .map(Date.init(timeIntervalSince1970:))
  }
}
