import Foundation
import HistoryImport

/// A walk as a FIT activity file: Flexible and Interoperable Data Transfer Protocol, by Garmin.
///
/// Our own 100 lines, because no package for Swift writes FIT: those that exist read it, on Apple's systems.
/// FIT counts strides, the pairs of steps, in cadence and in totals.
struct FITFile {
  private var body: [UInt8] = []

  /// Seconds from 1970 to the beginning of FIT's time, 1989-12-31.
  private static let epoch = 631_065_600.0

  private struct Field {
    /// The number, the size and the base type.
    let definition: [UInt8]
    let bytes: [UInt8]

    private init(_ number: UInt8, _ type: UInt8, _ value: some FixedWidthInteger) {
      bytes = (0..<value.bitWidth / 8).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
      definition = [number, UInt8(bytes.count), type]
    }

    static func byte(_ number: UInt8, _ value: UInt8) -> Self { Self(number, 0x02, value) }
    static func word(_ number: UInt8, _ value: UInt16) -> Self { Self(number, 0x84, value) }
    static func long(_ number: UInt8, _ value: UInt32) -> Self { Self(number, 0x86, value) }
    /// A `uint32z`, whose invalid value is 0.
    static func serial(_ number: UInt8, _ value: UInt32) -> Self { Self(number, 0x8C, value) }
    static func choice(_ number: UInt8, _ value: UInt8) -> Self { Self(number, 0x00, value) }
  }

  // Numbers of the profile.
  private static let (fileID, session, lap, record, event, activity): (UInt16, UInt16, UInt16, UInt16, UInt16, UInt16) =
    (0, 18, 19, 20, 21, 34)
  private static let walking: UInt8 = 11

  /// The bytes of a walk's file.
  static func bytes(of walk: WalkActivity) -> [UInt8] {
    var file = FITFile()
    let (start, end) = (time(walk.start), time(walk.end))
    // 255: a manufacturer in development.
    file.add(fileID, [.choice(0, 4), .word(1, 255), .word(2, 0), .serial(3, 1), .long(4, start)])
    file.add(event, [.long(253, start), .choice(0, 0), .choice(1, 0)])
    var distance = 0.0
    file.define(record, record(start, 0, 0))
    file.addData(record(start, 0, walk.parts.first?.cadence ?? 0))
    for part in walk.parts {
      distance += part.distance
      file.addData(record(time(part.end), distance, part.cadence))
    }
    file.add(event, [.long(253, end), .choice(0, 0), .choice(1, 4)])
    let totals: [Field] = [
      .long(253, end), .long(2, start), .long(7, scaled(walk.duration, 1000)), .long(8, scaled(walk.duration, 1000)),
      .long(9, scaled(walk.distance, 100)), .long(10, UInt32(clamping: (walk.steps + 1) / 2)),
    ]
    let cadence = UInt8(clamping: Int((walk.cadence / 2).rounded()))
    file.add(lap, [.word(254, 0)] + totals + [.choice(0, 9), .choice(1, 1), .byte(17, cadence), .choice(25, walking)])
    file.add(
      session,
      [.word(254, 0)] + totals + [
        .choice(0, 8), .choice(1, 1), .choice(5, walking), .choice(6, 0), .byte(18, cadence), .word(25, 0),
        .word(26, 1), .choice(28, 0),
      ])
    file.add(
      activity,
      [
        .long(253, end), .long(0, scaled(walk.duration, 1000)), .word(1, 1), .choice(2, 0), .choice(3, 26),
        .choice(4, 1),
      ])
    return file.finished
  }

  /// A moment: cumulative metres, and steps per minute.
  private static func record(_ time: UInt32, _ distance: Double, _ cadence: Double) -> [Field] {
    let strides = min(254, cadence / 2)
    return [
      .long(253, time), .long(5, scaled(distance, 100)), .byte(4, UInt8(strides)),
      // 1/128 strides per minute.
      .byte(53, UInt8((strides - strides.rounded(.down)) * 128)),
    ]
  }

  private static func time(_ date: Date) -> UInt32 {
    UInt32(clamping: Int((date.timeIntervalSince1970 - epoch).rounded()))
  }

  private static func scaled(_ value: Double, _ scale: Double) -> UInt32 {
    UInt32(clamping: Int((value * scale).rounded()))
  }

  private mutating func add(_ message: UInt16, _ fields: [Field]) {
    define(message, fields)
    addData(fields)
  }

  /// A definition message for the local type 0, little-endian.
  private mutating func define(_ message: UInt16, _ fields: [Field]) {
    body += [0x40, 0, 0, UInt8(message & 0xFF), UInt8(message >> 8), UInt8(fields.count)]
    for field in fields { body += field.definition }
  }

  private mutating func addData(_ fields: [Field]) {
    body.append(0)
    for field in fields { body += field.bytes }
  }

  private var finished: [UInt8] {
    // Protocol 1.0, profile 21.00, which fits every reader.
    var header: [UInt8] = [14, 0x10, 0x34, 0x08] + Field.long(0, UInt32(body.count)).bytes + Array(".FIT".utf8)
    header += Field.word(0, FITChecksum.checksum(header)).bytes
    return header + body + Field.word(0, FITChecksum.checksum(header + body)).bytes
  }
}
