import Platform

/// The pages of a database file and of its write-ahead log, read without SQLite.
///
/// The formats are described in https://sqlite.org/fileformat2.html.
struct DatabaseImage {
  private let descriptor: Int32
  private let count: Int
  /// The committed pages of the log, which replace those of the file: the bytes of a frame, by page number from 1.
  private var log: [Int: ArraySlice<UInt8>] = [:]

  /// The size of a page in this program's databases.
  static let pageSize = 4096

  /// Opens a file; release it with ``close()``.
  /// - Parameter log: the path of the write-ahead log; `nil` to leave it out. It need not exist.
  init(path: String, log: String?) throws(HistoryError) {
    descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw .system(errno, path: path) }
    var information = stat()
    guard unsafe fstat(descriptor, &information) == 0 else { throw .system(errno, path: path) }
    count = (Int(information.st_size) + Self.pageSize - 1) / Self.pageSize
    guard let log else { return }
    do throws(HistoryError) { read(try Self.bytes(of: log)) } catch {
      close()
      throw error
    }
  }

  /// The bytes of a log; empty if there is none. An unreadable log is an error, since its transactions would be lost silently.
  private static func bytes(of log: String) throws(HistoryError) -> [UInt8] {
    if let bytes = readFile(log) { return bytes }
    if errno == ENOENT { return [] }
    throw .system(errno, path: log)
  }

  func close() { _ = Platform.close(descriptor) }

  var hasLog: Bool { !log.isEmpty }

  /// Calls a body with each page that can be read, also a partial last one; others are skipped.
  func forEachPage(_ body: (_ page: [UInt8], _ number: Int) throws -> Void) rethrows {
    var page = [UInt8](repeating: 0, count: Self.pageSize)
    for number in 0..<max(count, (log.keys.max() ?? 0)) {
      if let frame = log[number + 1] {
        try body(Array(frame), number)
        continue
      }
      let read = unsafe pread(descriptor, &page, Self.pageSize, off_t(number) * off_t(Self.pageSize))
      guard read > 0 else { continue }
      for index in read..<Self.pageSize { page[index] = 0 }
      try body(page, number)
    }
  }

  /// Takes the frames up to the last commit whose own checksum is right. Unlike SQLite, it goes on behind a wrong one.
  private mutating func read(_ bytes: [UInt8]) {
    let (header, frame) = (32, 24 + Self.pageSize)
    guard bytes.count >= header, bytes.word(0) & 0xFFFF_FFFE == 0x377F_0682, bytes.word(8) == Self.pageSize else {
      return
    }
    let isBig = bytes.word(0) & 1 == 1
    var sum = (bytes.word(24), bytes.word(28))
    var pending: [Int: ArraySlice<UInt8>] = [:]
    for start in stride(from: header, through: bytes.count - frame, by: frame) {
      guard bytes.word(start + 8) == bytes.word(16), bytes.word(start + 12) == bytes.word(20) else { return }
      var computed = Self.checksum(bytes[start..<start + 8], sum, isBig)
      let content = bytes[(start + 24)..<(start + frame)]
      computed = Self.checksum(content, computed, isBig)
      sum = (bytes.word(start + 16), bytes.word(start + 20))
      guard computed == sum else { continue }
      pending[Int(bytes.word(start))] = content
      if bytes.word(start + 4) != 0 {
        log.merge(pending) { $1 }
        pending = [:]
      }
    }
  }

  private static func checksum(
    _ bytes: ArraySlice<UInt8>, _ start: (UInt32, UInt32), _ isBig: Bool
  ) -> (UInt32, UInt32) {
    var (a, b) = start
    unsafe bytes.withUnsafeBytes { raw in
      for index in stride(from: 0, to: raw.count - 7, by: 8) {
        let first = unsafe raw.loadUnaligned(fromByteOffset: index, as: UInt32.self)
        let second = unsafe raw.loadUnaligned(fromByteOffset: index + 4, as: UInt32.self)
        a = a &+ (isBig ? UInt32(bigEndian: first) : UInt32(littleEndian: first)) &+ b
        b = b &+ (isBig ? UInt32(bigEndian: second) : UInt32(littleEndian: second)) &+ a
      }
    }
    return (a, b)
  }
}

extension [UInt8] {
  /// A big-endian word.
  fileprivate func word(_ index: Int) -> UInt32 {
    UInt32(self[index]) << 24 | UInt32(self[index + 1]) << 16 | UInt32(self[index + 2]) << 8 | UInt32(self[index + 3])
  }
}
