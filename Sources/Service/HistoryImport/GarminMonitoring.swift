import Foundation
import History

/// A monitoring file of a Garmin watch (folder `GARMIN/MONITOR`): Flexible and Interoperable Data Transfer, message 55.
///
/// Its steps are totals since local midnight, for each kind of activity. Walking and running are counted in steps; the
/// cycles of other kinds are revolutions and strokes.
enum GarminMonitoring {
  static func isFIT(_ head: some Collection<UInt8>) -> Bool { Array(head.dropFirst(8).prefix(4)) == Array(".FIT".utf8) }

  /// Makes periods of the totals in files of one or several watches. The totals of a file go on in the next one of that watch.
  static func resolve(_ files: inout [ImportedFile], now: Date) {
    let parts = files.enumerated().flatMap { index, file in file.monitoring.map { (file: index, part: $0) } }
    var totals: [HistorySource: Totals] = [:]
    for (index, part) in parts.sorted(by: { $0.part.begin < $1.part.begin }) {
      totals[part.source, default: Totals(source: part.source)].take(part, into: &files[index], now: now)
    }
    for index in files.indices where !files[index].monitoring.isEmpty {
      files[index].periods = joined(files[index].periods)
      files[index].monitoring = []
    }
  }

  /// Walking and running of one period are two counts of one walk.
  private static func joined(_ periods: [ImportedPeriod]) -> [ImportedPeriod] {
    var places: [ImportedPeriod: Int] = [:]
    var joined: [ImportedPeriod] = []
    for period in periods {
      let time = ImportedPeriod(start: period.start, end: period.end, steps: 0, source: period.source)
      if let place = places[time], joined[place].kind != period.kind {
        joined[place].steps += period.steps
        let (a, b) = (joined[place].distance, period.distance)
        joined[place].distance = a.flatMap { a in b.map { a + $0 } }
        joined[place].kind = 0
      } else {
        places[time] = joined.count
        joined.append(period)
      }
    }
    return joined
  }

  /// What one FIT file, or one of several in a row, states about steps.
  struct Part {
    var source = HistorySource(identity: "import:garmin:unknown", name: "Garmin")
    /// Whether it begins at local midnight, so that the first totals are new.
    var beginsAtMidnight = false
    /// Seconds from UTC to local time.
    var offset: Int64?
    var totals: [Total] = []

    var begin: UInt32 { totals.first?.time ?? 0 }
  }

  /// The steps since midnight of one kind of activity.
  struct Total {
    var time: UInt32
    var kind: UInt64
    var steps: UInt64
    var centimetres: UInt64?

    /// - Returns: `nil` for messages without steps.
    init?(_ message: FITMessages.Message) {
      // Fields 9 and 8 have sixteen bits.
      guard let time = message.time, let kind = message[5] ?? message[24].map({ $0 & 31 }),
        kind == Totals.walking || kind == Totals.running, let steps = message[3] ?? message[9]
      else { return nil }
      (self.time, self.kind, self.steps, centimetres) = (time, kind, steps, message[2] ?? message[8])
    }
  }

  /// Reads what files state; ``resolve(_:now:)`` makes periods of it.
  /// - Throws: ``ImportFailure``, `CancellationError`.
  static func read(_ input: InputFile) throws -> ImportedFile {
    let (path, bytes) = (input.path, try input.whole())
    var (file, next, count) = (ImportedFile(), 0, 0)
    repeat {
      var messages = try FITMessages(path, bytes, from: next)
      next = messages.following
      var part = Part()
      while let message = try messages.next() {
        count += 1
        if count % 1024 == 0 { try input.cost.check(path) }
        switch message.number {
        case 0:
          guard [15, 28, 32].contains(message[0] ?? 32) else {
            throw ImportFailure(
              at: path, "the FIT file has no daily monitoring; give the files of the watch's folder GARMIN/MONITOR")
          }
          let serial = message[3].map { "\($0)" } ?? "unknown"
          part.source = HistorySource(identity: "import:garmin:\(serial)", name: "Garmin")
        case 103:
          guard let local = message[0] else { continue }
          part.beginsAtMidnight = part.beginsAtMidnight || local % 86_400 == 0
          part.offset = message.time.map { Int64(local) - Int64($0) }
        case 55:
          guard let total = Total(message) else { continue }
          try input.cost.takeRow(of: path)
          part.totals.append(total)
        default: break
        }
      }
      file.monitoring.append(part)
    } while next < bytes.count
    return file
  }

  private struct Totals {
    private struct Latest {
      var steps: UInt64
      var centimetres: UInt64?
      var time: UInt32?
    }

    var source: HistorySource
    private var latest: [UInt64: Latest] = [:]

    static let (walking, running): (UInt64, UInt64) = (6, 1)

    init(source: HistorySource) { self.source = source }

    mutating func take(_ part: Part, into file: inout ImportedFile, now: Date) {
      // A file that begins earlier than the one before ended is another copy, or overlaps with it.
      let first = part.totals.first?.time ?? .max
      if latest.values.contains(where: { ($0.time ?? 0) > first }) { latest = [:] }
      var known: Set<UInt64> = []
      var (unknown, isUnclear) = (UInt64(0), false)
      for total in part.totals {
        let (time, kind, steps) = (total.time, total.kind, total.steps)
        var former = latest[kind]
        let day = { (time: UInt32) in part.offset.map { (Int64(time) + $0 - 1) / 86_400 } }
        if known.insert(kind).inserted {
          // Totals of an earlier day say nothing about this one.
          if let last = former?.time, day(last) != day(time) || steps < former?.steps ?? 0 { former = nil }
          if former == nil, part.beginsAtMidnight { former = Latest(steps: 0, centimetres: 0) }
        }
        let centimetres = total.centimetres
        latest[kind] = Latest(steps: steps, centimetres: centimetres, time: time)
        guard let former else {
          unknown += steps
          continue
        }
        // At midnight the totals begin anew.
        let isNewDay = steps < former.steps || former.time.map { day($0) != day(time) } ?? false
        let pause = Int64(time) - Int64(former.time ?? time)
        isUnclear = isUnclear || part.offset == nil && !isNewDay && pause > 6 * 3600
        let new = isNewDay ? steps : steps - former.steps
        guard new > 0 else { continue }
        let end = Date(timeIntervalSince1970: FITMessages.epoch + Double(time))
        // Since the totals before, from a minute to a quarter of an hour: watches write them during a walk.
        let seconds = former.time.map { Double(time) - Double($0) } ?? 0
        var period = ImportedPeriod(
          start: end - min(900, max(60, seconds)), end: end, steps: Int(clamping: new), source: source, kind: Int(kind))
        if let centimetres {
          let before = isNewDay ? 0 : former.centimetres ?? centimetres
          if centimetres > before { period.distance = Double(centimetres - before) / 100 }
        }
        file.add(period, at: "monitoring message", now: now)
      }
      if unknown > 0 {
        file.notices.append(
          "\(unknown) steps since midnight were taken before the file begins; give that day's other files, too")
      }
      if isUnclear {
        file.notices.append(
          "the file does not state its local time; steps of a day whose first total is above the last one may be missing"
        )
      }
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
    fileprivate var values: [(field: UInt8, value: UInt64)] = []

    /// A field of ``FITMessages/known``; `nil` if it is missing or has its invalid value.
    subscript(field: UInt8) -> UInt64? { values.last { $0.field == field }?.value }
  }

  private struct Definition {
    var number: UInt16
    var isBigEndian: Bool
    /// The known fields, and where they are in a message.
    var fields: [(number: UInt8, place: Range<Int>, hasZero: Bool)] = []
    var size = 0
  }

  static let known: Set<UInt8> = [0, 2, 3, 5, 8, 9, 24, 26, 253]
  /// The sizes of whole numbers; other types and lists are not needed.
  private static let sizes: [UInt8: Int] = [0x00: 1, 0x02: 1, 0x0A: 1, 0x0D: 1, 0x84: 2, 0x8B: 2, 0x86: 4, 0x8C: 4]

  private let path: String
  private let bytes: [UInt8]
  private var place: Int
  private let end: Int
  /// Where a further FIT file may follow.
  var following: Int { end + 2 }
  private var definitions: [UInt8: Definition] = [:]
  private var time: UInt32?

  /// Checks header and checksum of the file that begins at a place.
  init(_ path: String, _ bytes: [UInt8], from begin: Int = 0) throws {
    (self.path, self.bytes) = (path, bytes)
    let isWhole = bytes.count >= begin + 12
    let size = isWhole ? (0..<4).reduce(0) { $0 | Int(bytes[begin + 4 + $1]) << ($1 * 8) } : 0
    let head = isWhole ? Int(bytes[begin]) : 0
    place = begin + head
    end = place + size
    guard head >= 12, bytes.count >= end + 2, FITChecksum.checksum(bytes[begin..<(end + 2)]) == 0 else {
      throw ImportFailure(at: path, "the FIT file is damaged or incomplete; copy it again")
    }
  }

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
    guard place < end else { throw ImportFailure(at: path, "the FIT file ends within a message") }
    defer { place += 1 }
    return bytes[place]
  }

  private mutating func define(_ header: UInt8) throws {
    _ = try byte()
    let isBigEndian = try byte() != 0
    let (first, second) = (UInt16(try byte()), UInt16(try byte()))
    var definition = Definition(
      number: isBigEndian ? first << 8 | second : second << 8 | first, isBigEndian: isBigEndian)
    for isOfDeveloper in header & 0x20 != 0 ? [false, true] : [false] {
      for _ in 0..<(try byte()) {
        let (number, size, type) = (try byte(), Int(try byte()), try byte())
        let place = definition.size..<definition.size + size
        definition.size += size
        guard !isOfDeveloper, Self.known.contains(number), Self.sizes[type] == size else { continue }
        definition.fields.append((number, place, [0x0A, 0x8B, 0x8C].contains(type)))
      }
    }
    definitions[header & 15] = definition
  }

  private mutating func data(_ header: UInt8) throws -> Message {
    let isShort = header & 0x80 != 0
    guard let definition = definitions[isShort ? header >> 5 & 3 : header & 15] else {
      throw ImportFailure(at: path, "the FIT file has a message without a definition")
    }
    var message = Message(number: definition.number)
    guard place + definition.size <= end else { throw ImportFailure(at: path, "the FIT file ends within a message") }
    for field in definition.fields {
      let content = bytes[place + field.place.lowerBound..<place + field.place.upperBound]
      let value = (definition.isBigEndian ? Array(content) : content.reversed()).reduce(UInt64(0)) {
        $0 << 8 | UInt64($1)
      }
      // All ones, or zero in types with a z, is no value.
      if field.hasZero ? value != 0 : value != (1 << (UInt64(field.place.count) * 8)) - 1 {
        message.values.append((field.number, value))
      }
    }
    place += definition.size
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
