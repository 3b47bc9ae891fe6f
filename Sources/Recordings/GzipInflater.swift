import Czlib

/// Turns gzip into what was compressed: any number of members, one after the other, as `cat a.gz b.gz` makes them.
///
/// Damage ends the data; what came before it is handed out. A class because zlib's state must not move.
@safe
final class GzipInflater {
  /// What was wrong, and at which byte of the compressed data.
  enum Damage: Equatable {
    case truncated(byte: Int)
    case corrupt(byte: Int)
    case trailingGarbage(byte: Int)

    var byte: Int {
      switch self {
      case .truncated(let byte), .corrupt(let byte), .trailingGarbage(let byte): byte
      }
    }

    /// One sentence.
    var sentence: String {
      switch self {
      case .truncated(let byte): "the compressed data ends too early, at byte \(byte); what came before was read"
      case .corrupt(let byte): "the compressed data is damaged near byte \(byte); what came before was read"
      case .trailingGarbage(let byte):
        "something that is not gzip follows the compressed data at byte \(byte); it was ignored"
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

  /// Fills the beginning of `target` with decompressed bytes, asking `refill` for compressed ones when none are left.
  /// - Returns: how many; 0 at the end.
  func read(
    into target: UnsafeMutableRawBufferPointer,
    refill: (UnsafeMutableRawBufferPointer) throws(RecordingError) -> Int
  ) throws(RecordingError) -> Int {
    while !isDone {
      if unsafe stream.pointee.avail_in == 0, !inputEnded {
        let count = try unsafe refill(input)
        inputEnded = count == 0
        feed(count)
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

  private func feed(_ count: Int) {
    unsafe stream.pointee.next_in = input.baseAddress?.assumingMemoryBound(to: UInt8.self)
    unsafe stream.pointee.avail_in = UInt32(count)
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
    // Tapes and some archivers pad with zeros.
    if next != 0 { damage = .trailingGarbage(byte: position) }
    isDone = true
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
      // No progress: it wants input. When there is none left, the member was cut.
      if inputEnded, produced == 0 {
        damage = .truncated(byte: position)
        isDone = true
      }
    default:
      damage = .corrupt(byte: position)
      isDone = true
    }
    return produced
  }
}
