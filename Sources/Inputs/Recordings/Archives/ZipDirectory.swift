import Platform

/// The deflated files of a zip, by the directory at its end ("APPNOTE.TXT" of PKWARE, 4.3).
///
/// libarchive reads them with zlib; where the directory says where they are, ``Inflater`` takes less than half of the
/// time. Whatever is unusual is not listed, and remains with libarchive: other methods, encryption, more than 4 GB,
/// names that occur twice, damage.
struct ZipDirectory {
  /// A deflated file.
  struct File: Equatable {
    /// The offset of the header before its data.
    var header: Int
    /// The bytes of the data.
    var count: Int
    /// The CRC-32 of the content.
    var checksum: UInt32
  }

  private var files: [[UInt8]: File] = [:]

  private static let endMagic: [UInt8] = [0x50, 0x4B, 0x05, 0x06]
  private static let entryMagic: [UInt8] = [0x50, 0x4B, 0x01, 0x02]
  private static let headerMagic: [UInt8] = [0x50, 0x4B, 0x03, 0x04]
  private static let (endSize, entrySize, headerSize, longestComment) = (22, 46, 30, 0xFFFF)
  /// Larger directories, of a hundred thousand files, are not read.
  private static let largest = 16 << 20
  private static let deflate: UInt16 = 8

  /// Reads the directory of an archive; it stays empty if there is none.
  init(_ descriptor: Int32) {
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0 else { return }
    let size = Int(status.st_size)
    let tail = Self.bytes(descriptor, max(0, size - Self.endSize - Self.longestComment)..<size)
    guard
      let end = stride(from: tail.count - Self.endSize, through: 0, by: -1).first(where: {
        tail.span.holds(Self.endMagic, at: $0)
      })
    else { return }
    let (count, start) = (Int(tail.span.uint32(end + 12)), Int(tail.span.uint32(end + 16)))
    guard count <= Self.largest, start + count <= size else { return }
    list(Self.bytes(descriptor, start..<start + count))
  }

  private mutating func list(_ directory: [UInt8]) {
    var place = 0
    var repeated: Set<[UInt8]> = []
    while place + Self.entrySize <= directory.count, directory.span.holds(Self.entryMagic, at: place) {
      func short(_ offset: Int) -> Int { Int(directory.span.uint16(place + offset)) }
      let name = place + Self.entrySize..<place + Self.entrySize + short(28)
      guard name.upperBound <= directory.count else { return }
      let bytes = Array(directory[name])
      let file = File(
        header: Int(directory.span.uint32(place + 42)), count: Int(directory.span.uint32(place + 20)),
        checksum: directory.span.uint32(place + 16))
      let isPlain =
        short(10) == Self.deflate && short(8) & 1 == 0 && file.count < UInt32.max && file.header < UInt32.max
      if !repeated.insert(bytes).inserted {
        files[bytes] = nil
      } else if isPlain {
        files[bytes] = file
      }
      place = name.upperBound + short(30) + short(32)
    }
  }

  /// Where the data of a file is, and its checksum; `nil` if libarchive should read it.
  func data(of name: [UInt8], in descriptor: Int32) -> (place: Range<Int>, checksum: UInt32)? {
    guard let file = files[name] else { return nil }
    let header = Self.bytes(descriptor, file.header..<file.header + Self.headerSize)
    guard header.count == Self.headerSize, header.span.holds(Self.headerMagic, at: 0) else { return nil }
    let start = file.header + Self.headerSize + Int(header.span.uint16(26)) + Int(header.span.uint16(28))
    return (start..<start + file.count, file.checksum)
  }

  /// The bytes of a part of a file, or fewer at its end.
  private static func bytes(_ descriptor: Int32, _ part: Range<Int>) -> [UInt8] {
    unsafe [UInt8](unsafeUninitializedCapacity: part.count) { room, count in
      while count < part.count {
        let some = unsafe pread(
          descriptor, room.baseAddress.map { unsafe $0 + count }, part.count - count, part.lowerBound + count)
        if some < 0, errno == EINTR { continue }
        if some <= 0 { return }
        count += some
      }
    }
  }
}
