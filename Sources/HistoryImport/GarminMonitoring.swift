import Foundation
import History

/// A monitoring file of a Garmin watch (folder `GARMIN/MONITOR`): Flexible and Interoperable Data Transfer, message 55.
///
/// Its steps are totals since local midnight, for each kind of activity. Walking and running are counted in steps; the
/// cycles of other kinds are revolutions and strokes.
enum GarminMonitoring {
  /// Whether a file begins like a FIT file.
  static func isFIT(_ head: some Collection<UInt8>) -> Bool { Array(head.dropFirst(8).prefix(4)) == Array(".FIT".utf8) }

  /// Reads a file.
  static func read(_ path: String, _ bytes: [UInt8], now: Date) throws -> ImportedFile {
    var messages = try FITMessages(path, bytes)
    var totals = Totals()
    var file = ImportedFile()
    while let message = try messages.next() {
      switch message.number {
      case 0:
        guard [15, 28, 32].contains(message[0] ?? 32) else {
          throw ImportFailure(
            place: path,
            reason: "the FIT file has no daily monitoring; give the files of the watch's folder GARMIN/MONITOR")
        }
        let serial = message[3].map { "\($0)" } ?? "unknown"
        totals.source = HistorySource(identity: "import:garmin:\(serial)", name: "Garmin")
      case 103: totals.beginsAtMidnight = message[0].map { $0 % 86_400 == 0 } ?? false
      case 55: if let period = totals.take(message) { file.add(period, now: now) }
      default: break
      }
    }
    if let notice = totals.notice { file.notices.append(notice) }
    return file
  }

  /// The latest totals of each kind of activity.
  private struct Totals {
    var source = HistorySource(identity: "import:garmin:unknown", name: "Garmin")
    /// Whether the file begins at local midnight, so that the first totals are new.
    var beginsAtMidnight = false
    private var latest: [UInt64: (steps: UInt64, centimetres: UInt64?)] = [:]
    private var time: UInt32?
    private var unknown: UInt64 = 0

    private static let (walking, running): (UInt64, UInt64) = (6, 1)

    var notice: String? {
      unknown == 0
        ? nil : "\(unknown) steps since midnight were taken before the file begins; give that day's other files, too"
    }

    mutating func take(_ message: FITMessages.Message) -> ImportedPeriod? {
      guard let now = message.time else { return nil }
      defer { time = now }
      let kind = message[5] ?? message[24].map { $0 & 31 }
      guard let kind, kind == Self.walking || kind == Self.running, let steps = message[3] else { return nil }
      let former = latest[kind] ?? (beginsAtMidnight ? (0, 0) : nil)
      latest[kind] = (steps, message[2])
      guard let former else {
        unknown += steps
        return nil
      }
      // At midnight the totals begin anew.
      let isNewDay = steps < former.steps
      let new = isNewDay ? steps : steps - former.steps
      guard new > 0 else { return nil }
      let end = Date(timeIntervalSince1970: FITMessages.epoch + Double(now))
      // Since the message before, from a minute to a quarter of an hour: watches write one whenever somebody walks.
      let seconds = time.map { Double(now) - Double($0) } ?? 0
      let start = end - min(900, max(60, seconds))
      var period = ImportedPeriod(start: start, end: end, steps: Int(clamping: new), source: source)
      if let present = message[2] {
        let before = isNewDay ? 0 : former.centimetres ?? present
        if present > before { period.distance = Double(present - before) / 100 }
      }
      return period
    }
  }
}

/// The messages of a FIT file, with their whole numbers.
struct FITMessages {
  /// Seconds from 1970 to the beginning of FIT's time, 1989-12-31.
  static let epoch = 631_065_600.0

  struct Message {
    var number: UInt16
    /// Seconds since FIT's epoch.
    var time: UInt32?
    fileprivate var values: [UInt8: UInt64] = [:]

    /// A field; `nil` if it is missing or has its invalid value.
    subscript(field: UInt8) -> UInt64? { values[field] }
  }

  private struct Definition {
    var number: UInt16
    var isBigEndian: Bool
    var fields: [(number: UInt8, size: Int, type: UInt8)]
    /// The size of fields of developers.
    var rest: Int
  }

  private let path: String
  private let bytes: [UInt8]
  private var place: Int
  private let end: Int
  private var definitions: [UInt8: Definition] = [:]
  private var time: UInt32?

  /// Checks header and checksum.
  init(_ path: String, _ bytes: [UInt8]) throws {
    (self.path, self.bytes) = (path, bytes)
    let size = bytes.count >= 12 ? (0..<4).reduce(0) { $0 | Int(bytes[4 + $1]) << ($1 * 8) } : 0
    place = Int(bytes.first ?? 0)
    end = place + size
    guard bytes.count >= end + 2, place >= 12, FITChecksum.checksum(bytes[..<(end + 2)]) == 0 else {
      throw ImportFailure(place: path, reason: "the FIT file is damaged or incomplete; copy it again")
    }
  }

  /// The next message; `nil` at the end.
  mutating func next() throws -> Message? {
    while place < end {
      let header = try byte()
      if header & 0xC0 == 0x40 {
        try define(header)
      } else {
        return try data(header)
      }
    }
    return nil
  }

  private mutating func byte() throws -> UInt8 {
    guard place < end else { throw ImportFailure(place: path, reason: "the FIT file ends within a message") }
    defer { place += 1 }
    return bytes[place]
  }

  private mutating func define(_ header: UInt8) throws {
    _ = try byte()
    let isBigEndian = try byte() != 0
    let (first, second) = (UInt16(try byte()), UInt16(try byte()))
    var definition = Definition(
      number: isBigEndian ? first << 8 | second : second << 8 | first, isBigEndian: isBigEndian, fields: [], rest: 0)
    for _ in 0..<(try byte()) {
      definition.fields.append((number: try byte(), size: Int(try byte()), type: try byte()))
    }
    if header & 0x20 != 0 {
      for _ in 0..<(try byte()) {
        _ = try byte()
        definition.rest += Int(try byte())
        _ = try byte()
      }
    }
    definitions[header & 15] = definition
  }

  private mutating func data(_ header: UInt8) throws -> Message {
    let isShort = header & 0x80 != 0
    guard let definition = definitions[isShort ? header >> 5 & 3 : header & 15] else {
      throw ImportFailure(place: path, reason: "the FIT file has a message without a definition")
    }
    var message = Message(number: definition.number)
    for field in definition.fields {
      let content = try (0..<field.size).map { _ in try byte() }
      // Whole numbers; other types and lists are not needed. All ones, or zero in types with a z, is no value.
      let size = [0x00: 1, 0x02: 1, 0x0A: 1, 0x0D: 1, 0x84: 2, 0x8B: 2, 0x86: 4, 0x8C: 4][field.type]
      guard let size, content.count == size else { continue }
      let digits = definition.isBigEndian ? content : content.reversed()
      let value = digits.reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
      let hasZero = [0x0A, 0x8B, 0x8C].contains(field.type)
      if hasZero ? value != 0 : value != (1 << (UInt64(size) * 8)) - 1 { message.values[field.number] = value }
    }
    for _ in 0..<definition.rest { _ = try byte() }
    if let whole = message[253] {
      time = UInt32(truncatingIfNeeded: whole)
    } else if isShort, let former = time {
      // The lowest five bits.
      time = former &+ (UInt32(header & 31) &- former) & 31
    } else if definition.number == 55, let low = message[26], let former = time {
      // The lowest sixteen bits.
      time = former &+ (UInt32(truncatingIfNeeded: low) &- former) & 0xFFFF
    }
    message.time = time
    return message
  }
}
