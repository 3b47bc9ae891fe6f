import Accelerometry
import CInflate
import Platform
import TestSupport
import Testing

@testable import Recordings

/// All that is decompressed of gzip data whose bytes arrive in pieces.
private func inflated(
  _ bytes: [UInt8], piece: Int = 1 << 16, room: Int = 1 << 16, avoidsISAL: Bool
) throws -> (content: [UInt8], damage: Inflater.Damage?) {
  var taken = min(bytes.count, piece)
  let inflater = unsafe bytes.withUnsafeBytes {
    unsafe Inflater(head: UnsafeRawBufferPointer(rebasing: $0[..<taken]), avoidsISAL: avoidsISAL)
  }
  var content: [UInt8] = []
  var target = [UInt8](repeating: 0, count: room)
  while true {
    let count = try unsafe target.withUnsafeMutableBytes { target in
      try unsafe inflater.read(into: target) { (input) throws(RecordingError) in
        let count = min(input.count, piece, bytes.count - taken)
        unsafe input.copyBytes(from: bytes[taken..<taken + count])
        taken += count
        return count
      }
    }
    if count == 0 { return (content, inflater.damage) }
    content += target[..<count]
  }
}

/// Text with matches of many lengths and distances, then noise that is stored uncompressed.
private let content =
  Array(plainRows(4000).utf8)
  + {
    var random = SplitMix64(seed: 3)
    return (0..<40_000).map { _ in UInt8.random(in: 0...255, using: &random) }
  }() + Array(plainRows(500).utf8)

@Suite("Decompression by ISA-L and by zlib", .timeLimit(.minutes(30)))
struct InflationTests {
  @Test("all members are decompressed, with padding behind them, in pieces of any size", arguments: [false, true])
  func whole(avoidsISAL: Bool) throws {
    let packed = gzip(content) + gzip([]) + gzip(Array(content.reversed())) + [UInt8](repeating: 0, count: 700)
    for (piece, room) in [(1 << 16, 1 << 16), (1, 1 << 16), (977, 13), (1 << 16, 1)] {
      let (read, damage) = try inflated(packed, piece: piece, room: room, avoidsISAL: avoidsISAL)
      #expect(read == content + content.reversed())
      #expect(damage == nil)
    }
  }

  @Test("of a truncated member both give the same, but for one last byte")
  func truncated() throws {
    let packed = gzip(content)
    var random = SplitMix64(seed: 5)
    for length in [1, 9, 10, 11, packed.count - 9, packed.count - 1]
      + (0..<150).map({ _ in
        Int.random(in: 2..<packed.count, using: &random)
      })
    {
      let cut = Array(packed[..<length])
      let (slow, slowDamage) = try inflated(cut, avoidsISAL: true)
      let (fast, fastDamage) = try inflated(
        cut, piece: .random(in: 1...5000, using: &random), room: .random(in: 1...5000, using: &random),
        avoidsISAL: false)
      #expect(slow.starts(with: fast) && slow.count - fast.count <= 1, "\(length) bytes")
      #expect(slowDamage == fastDamage && slowDamage == .truncated(byte: length), "\(length) bytes")
    }
  }

  @Test("damage costs no byte before it, and no member behind it", arguments: 0..<4)
  func damaged(seed: UInt64) throws {
    let packed = gzip(content)
    let next = Array("the next member\n".utf8)
    var random = SplitMix64(seed: seed)
    for _ in 0..<50 {
      var bytes = packed + gzip(next)
      // Behind the header, whose name or time may be anything.
      let place = Int.random(in: 10..<packed.count, using: &random)
      bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
      var results: [[UInt8]] = []
      for avoidsISAL in [true, false] {
        let (read, damage) = try inflated(
          bytes, piece: .random(in: 1...90_000, using: &random), room: .random(in: 1...90_000, using: &random),
          avoidsISAL: avoidsISAL)
        guard case .corrupt = try #require(damage) else { continue }
        // A length that was damaged may hide the next member in data that seems to be stored.
        results.append(read.suffix(next.count) == next[...] ? read.dropLast(next.count + 1) : read)
      }
      let (slow, fast) = (results.first ?? [], results.last ?? [])
      #expect(fast.count >= slow.count || slow.count > content.count, "bit of byte \(place)")
      #expect(slow.starts(with: fast) || fast.starts(with: slow), "bit of byte \(place)")
    }
  }

  @Test("the checksum is that of the content", arguments: [false, true])
  func checksum(avoidsISAL: Bool) {
    guard let inflation = unsafe inflation_new(false, avoidsISAL) else {
      Issue.record("memory is short")
      return
    }
    defer { unsafe inflation_free(inflation) }
    for content in [content, [], Array("walk".utf8)] {
      let raw = Array(gzip(content).dropFirst(10).dropLast(8))
      var room = [UInt8](repeating: 0, count: content.count + 1)
      let status = unsafe raw.withUnsafeBufferPointer { raw in
        unsafe room.withUnsafeMutableBufferPointer { room in
          guard let input = raw.baseAddress, let output = room.baseAddress else { return INFLATION_DAMAGED }
          var buffers = unsafe inflation_buffers(
            input: input, input_count: raw.count, output: output, output_count: room.count)
          return unsafe inflation_run(inflation, &buffers)
        }
      }
      #expect(status == INFLATION_ENDED)
      let checksum = unsafe inflation_checksum(inflation)
      #expect(checksum == DumpSamples.crc32(content))
      unsafe inflation_reset(inflation)
    }
  }
}
