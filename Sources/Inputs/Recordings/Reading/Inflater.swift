import CInflate

/// Decompresses gzip: any number of consecutive members, as `cat a.gz b.gz` produces them. Or a deflated file of a zip.
///
/// Damage ends the data; the data before it is returned.
@safe
final class Inflater {
  /// The damage, with its offset in the compressed data.
  enum Damage: Equatable {
    case truncated(byte: Int)
    case corrupt(byte: Int)
    case trailingGarbage(byte: Int)
    /// The content of a deflated file has another checksum.
    case checksum

    var byte: Int? {
      switch self {
      case .truncated(let byte), .corrupt(let byte), .trailingGarbage(let byte): byte
      case .checksum: nil
      }
    }

    /// Whether the content is not that which was compressed.
    var losesContent: Bool { if case .trailingGarbage = self { false } else { true } }

    /// What is wrong with a deflated file.
    var reason: String {
      switch self {
      case .truncated: "its compressed data ends too early"
      case .corrupt, .trailingGarbage: "its compressed data is wrong"
      case .checksum: "the checksum of its content is wrong"
      }
    }

    /// What is wrong, without what was read nevertheless.
    var cause: String {
      switch self {
      case .truncated(let byte): "the compressed data ends too early, at byte \(byte)"
      case .corrupt(let byte): "the compressed data is damaged near byte \(byte)"
      case .trailingGarbage(let byte): "data that is not gzip follows the compressed data at byte \(byte)"
      case .checksum: reason
      }
    }

    var sentence: String {
      switch self {
      case .truncated, .checksum: "\(cause); the data before it was read"
      case .corrupt: "\(cause); the data before it and intact members after it were read"
      case .trailingGarbage: "\(cause); it was ignored"
      }
    }
  }

  private(set) var damage: Damage?
  private(set) var producedBytes = 0
  /// The CRC-32 of the content of a deflated file; `nil` for gzip.
  let checksum: UInt32?
  /// `nil` if memory was short.
  private let inflation: OpaquePointer?
  private let input: UnsafeMutableRawBufferPointer
  /// The bytes of ``input`` that are to be decompressed.
  private var rest = 0..<0
  private var inputTaken = 0
  private var inputEnded = false
  private var memberIsOpen = true
  private var isDone = false
  /// Whether the search for the next member after damage is in progress.
  private var isSearching = false

  /// The first bytes of a member that are alike in all.
  private static let leastHeader = 4

  /// Begins with the first bytes of the compressed data.
  /// - Parameters:
  ///   - checksum: the CRC-32 of the content, for a deflated file of a zip.
  ///   - avoidsISAL: whether zlib decompresses although ISA-L is available.
  init(head: UnsafeRawBufferPointer, checksum: UInt32? = nil, avoidsISAL: Bool = false) {
    self.checksum = checksum
    unsafe inflation = inflation_new(checksum == nil, avoidsISAL)
    unsafe input = .allocate(byteCount: max(head.count, 1 << 16), alignment: 16)
    unsafe input.copyMemory(from: head)
    isDone = unsafe inflation == nil
    if isDone { damage = .corrupt(byte: 0) }
    feed(head.count)
  }

  deinit {
    if let inflation = unsafe inflation { unsafe inflation_free(inflation) }
    unsafe input.deallocate()
  }

  /// Fills the beginning of `target` with decompressed bytes, calling `refill` for compressed ones when none are left.
  /// - Returns: the number of bytes; 0 at the end.
  func read(
    into target: UnsafeMutableRawBufferPointer, refill: (UnsafeMutableRawBufferPointer) throws(RecordingError) -> Int
  ) throws(RecordingError) -> Int {
    while !isDone {
      // The search for a member compares its first four bytes.
      if rest.count < (isSearching ? Self.leastHeader : 1), !inputEnded {
        let kept = rest.count
        unsafe input.copyMemory(from: UnsafeRawBufferPointer(rebasing: input[rest]))
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

  /// Notes new bytes behind those that are left of the last ones.
  private func feed(_ count: Int, behind kept: Int = 0) {
    rest = 0..<kept + count
    inputTaken += count
  }

  /// The offset of the next compressed byte.
  private var position: Int { inputTaken - rest.count }

  /// Whether another member begins here; padding and garbage end the data.
  private func openNextMember() -> Bool {
    guard !rest.isEmpty else {
      isDone = inputEnded
      return false
    }
    switch unsafe input[rest.lowerBound] {
    case 0x1F:
      openMember()
      return true
    case 0:
      // Tapes and some archivers pad with zeros.
      rest.removeFirst()
    default:
      damage = damage ?? .trailingGarbage(byte: position)
      isSearching = true
    }
    return false
  }

  private func openMember() {
    if let inflation = unsafe inflation { unsafe inflation_reset(inflation) }
    memberIsOpen = true
    isSearching = false
  }

  /// Advances to the possible beginning of a member (RFC 1952): its two bytes, deflate, and no reserved flag.
  private func findNextMember() -> Bool {
    while rest.count >= Self.leastHeader {
      let place = rest.lowerBound
      if unsafe input[place] == 0x1F && input[place + 1] == 0x8B && input[place + 2] == 8 && input[place + 3] < 32 {
        openMember()
        return true
      }
      rest.removeFirst()
    }
    isDone = inputEnded
    return false
  }

  private func inflateOnce(into target: UnsafeMutableRawBufferPointer) -> Int {
    guard let inflation = unsafe inflation else { return 0 }
    guard let source = unsafe input.baseAddress, let sink = target.baseAddress else { return 0 }
    var buffers = unsafe inflation_buffers(
      input: (source + rest.lowerBound).assumingMemoryBound(to: UInt8.self), input_count: rest.count,
      output: sink.assumingMemoryBound(to: UInt8.self), output_count: target.count)
    let status = unsafe inflation_run(inflation, &buffers)
    rest = unsafe rest.upperBound - buffers.input_count..<rest.upperBound
    let produced = unsafe target.count - buffers.output_count
    switch status {
    case INFLATION_ENDED:
      memberIsOpen = false
      isDone = checksum != nil
      if let checksum, unsafe inflation_checksum(inflation) != checksum { damage = .checksum }
    case INFLATION_DAMAGED:
      // Only the first damage is reported; later data may only look like a member.
      damage = damage ?? .corrupt(byte: position)
      memberIsOpen = false
      (isSearching, isDone) = (checksum == nil, checksum != nil)
    default:
      // No progress: it needs input. If none is left, the member was truncated.
      if rest.isEmpty, inputEnded, produced == 0 {
        damage = damage ?? .truncated(byte: position)
        isDone = true
      }
    }
    return produced
  }
}
