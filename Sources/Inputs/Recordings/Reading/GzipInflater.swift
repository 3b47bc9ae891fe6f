import Czlib

/// Decompresses gzip: any number of consecutive members, as `cat a.gz b.gz` produces them.
///
/// Damage ends the data; the data before it is returned. A class because zlib's state must not move.
@safe
final class GzipInflater {
  /// The damage, with its offset in the compressed data.
  enum Damage: Equatable {
    case truncated(byte: Int)
    case corrupt(byte: Int)
    case trailingGarbage(byte: Int)

    var byte: Int {
      switch self {
      case .truncated(let byte), .corrupt(let byte), .trailingGarbage(let byte): byte
      }
    }

    var sentence: String {
      switch self {
      case .truncated(let byte): "the compressed data ends too early, at byte \(byte); the data before it was read"
      case .corrupt(let byte):
        "the compressed data is damaged near byte \(byte); the data before it and intact members after it were read"
      case .trailingGarbage(let byte):
        "data that is not gzip follows the compressed data at byte \(byte); it was ignored"
      }
    }
  }

  private(set) var damage: Damage?
  private(set) var producedBytes = 0
  private let stream: UnsafeMutablePointer<z_stream>
  private let input: UnsafeMutableRawBufferPointer
  private var inputTaken = 0
  private var inputEnded = false
  private var memberIsOpen = true
  private var isDone = false
  /// Whether the search for the next member after damage is in progress.
  private var isSearching = false

  /// The first bytes of a member that are alike in all.
  private static let leastHeader = 4

  /// Begins with the first bytes of the compressed data.
  init(head: UnsafeRawBufferPointer) {
    unsafe stream = .allocate(capacity: 1)
    unsafe stream.initialize(to: z_stream())
    unsafe input = .allocate(byteCount: max(head.count, 1 << 16), alignment: 16)
    unsafe input.copyMemory(from: head)
    // 15: the largest window; 16: gzip, with its header and checksum.
    let status = unsafe inflateInit2_(stream, 15 + 16, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
    isDone = status != Z_OK
    if isDone { damage = .corrupt(byte: 0) }
    feed(head.count)
  }

  deinit {
    unsafe inflateEnd(stream)
    unsafe stream.deallocate()
    unsafe input.deallocate()
  }

  /// Fills the beginning of `target` with decompressed bytes, calling `refill` for compressed ones when none are left.
  /// - Returns: the number of bytes; 0 at the end.
  func read(
    into target: UnsafeMutableRawBufferPointer,
    refill: (UnsafeMutableRawBufferPointer) throws(RecordingError) -> Int
  ) throws(RecordingError) -> Int {
    while !isDone {
      // The search for a member compares its first four bytes.
      if unsafe stream.pointee.avail_in < (isSearching ? Self.leastHeader : 1), !inputEnded {
        let kept = unsafe Int(stream.pointee.avail_in)
        if kept > 0, let next = unsafe stream.pointee.next_in {
          unsafe input.copyMemory(from: UnsafeRawBufferPointer(start: next, count: kept))
        }
        let count = try unsafe refill(UnsafeMutableRawBufferPointer(rebasing: input[kept...]))
        inputEnded = count == 0
        feed(count, behind: kept)
        if isSearching, kept + count < Self.leastHeader, !inputEnded { continue }
      }
      if isSearching {
        guard findNextMember() else { continue }
        // Ends the interrupted line.
        if producedBytes > 0, target.count > 0 {
          unsafe target[0] = 0x0A
          producedBytes += 1
          return 1
        }
      }
      if !memberIsOpen, !openNextMember() { continue }
      let produced = unsafe inflateOnce(into: target)
      if produced > 0 {
        producedBytes += produced
        return produced
      }
    }
    return 0
  }

  /// Passes new bytes on, behind those that are left of the last ones.
  private func feed(_ count: Int, behind kept: Int = 0) {
    unsafe stream.pointee.next_in = input.baseAddress?.assumingMemoryBound(to: UInt8.self)
    unsafe stream.pointee.avail_in = UInt32(kept + count)
    inputTaken += count
  }

  /// The offset of the next compressed byte.
  private var position: Int { inputTaken - Int(unsafe stream.pointee.avail_in) }

  /// Whether another member begins here; padding and garbage end the data.
  private func openNextMember() -> Bool {
    guard unsafe stream.pointee.avail_in > 0, let next = unsafe stream.pointee.next_in?.pointee else {
      isDone = inputEnded
      return false
    }
    if next == 0x1F {
      unsafe inflateReset(stream)
      memberIsOpen = true
      return true
    }
    if next == 0 {
      // Tapes and some archivers pad with zeros.
      passByte()
    } else {
      damage = damage ?? .trailingGarbage(byte: position)
      isSearching = true
    }
    return false
  }

  private func passByte() {
    unsafe stream.pointee.next_in += 1
    unsafe stream.pointee.avail_in -= 1
  }

  /// Advances to the possible beginning of a member (RFC 1952): its two bytes, deflate, and no reserved flag.
  private func findNextMember() -> Bool {
    while unsafe stream.pointee.avail_in >= Self.leastHeader, let place = unsafe stream.pointee.next_in {
      if unsafe place[0] == 0x1F && place[1] == 0x8B && place[2] == 8 && place[3] < 32 {
        unsafe inflateReset(stream)
        memberIsOpen = true
        isSearching = false
        return true
      }
      passByte()
    }
    isDone = inputEnded
    return false
  }

  private func inflateOnce(into target: UnsafeMutableRawBufferPointer) -> Int {
    let room = min(target.count, 1 << 30)
    unsafe stream.pointee.next_out = target.baseAddress?.assumingMemoryBound(to: UInt8.self)
    unsafe stream.pointee.avail_out = UInt32(room)
    let status = unsafe inflate(stream, Z_NO_FLUSH)
    let produced = room - Int(unsafe stream.pointee.avail_out)
    switch status {
    case Z_OK: break
    case Z_STREAM_END: memberIsOpen = false
    case Z_BUF_ERROR:
      // No progress: it needs input. If none is left, the member was truncated.
      if inputEnded, produced == 0 {
        damage = damage ?? .truncated(byte: position)
        isDone = true
      }
    default:
      // Only the first damage is reported; later data may only look like a member.
      damage = damage ?? .corrupt(byte: position)
      memberIsOpen = false
      isSearching = true
    }
    return produced
  }
}
