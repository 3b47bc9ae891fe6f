import Glibc

/// A spool's file while this process holds its lock.
struct OpenSpool: ~Copyable {
  var header: SpoolHeader
  private let descriptor: Int32

  /// Locks a spool, passes it to a function, and unlocks it.
  /// - Parameter forWriting: whether to create a missing spool.
  /// - Returns: `nil` if there is none.
  static func use<Result>(
    _ path: String, forWriting: Bool, _ body: (inout OpenSpool) throws(SystemFailure) -> Result
  ) throws(SystemFailure) -> Result? {
    let flags = O_RDWR | O_CLOEXEC | O_NOFOLLOW | (forWriting ? O_CREAT : 0)
    let descriptor = unsafe open(path, flags, 0o600)
    if descriptor < 0, errno == ENOENT, !forWriting { return nil }
    guard descriptor >= 0 else { throw SystemFailure() }
    defer { close(descriptor) }
    try lock(descriptor)
    var spool = try OpenSpool(descriptor)
    return try body(&spool)
  }

  /// A process that is suspended while it holds the lock must not block others: waiting ends after this many attempts, two
  /// seconds at least. On a busy machine, several writers may need one of them.
  private static let tries = 1000

  private static func lock(_ descriptor: Int32) throws(SystemFailure) {
    for attempt in 1...tries {
      if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { return }
      guard errno == EWOULDBLOCK || errno == EINTR, attempt < tries else { throw SystemFailure() }
      usleep(2000)
    }
  }

  private init(_ descriptor: Int32) throws(SystemFailure) {
    self.descriptor = descriptor
    header = SpoolHeader()
    let size = try Self.size(of: descriptor)
    if size == 0 { return }
    if let read = SpoolHeader(line: try bytes(at: 0, count: SpoolHeader.length), fileSize: size) {
      header = read
    } else {
      try recover(size)
    }
  }

  private static func size(of descriptor: Int32) throws(SystemFailure) -> Int {
    let size = lseek(descriptor, 0, SEEK_END)
    guard size >= 0 else { throw SystemFailure() }
    return size
  }

  // MARK: - what is done with it

  /// Overwrites the header, which makes all changes effective.
  borrowing func writeHeader() throws(SystemFailure) {
    try write(header.line, at: 0)
    // Data after the end is not used; leaving it there does no harm.
    if header.count == 0 { _ = ftruncate(descriptor, off_t(header.end)) }
  }

  /// Appends a line durably. If the disk fails later, the line is recognised as unreadable.
  mutating func append(_ line: [UInt8]) throws(SystemFailure) {
    if header.count == 0 { (header.head, header.end) = (SpoolHeader.length, SpoolHeader.length) }
    let before = header
    do throws(SystemFailure) {
      // A new file has no header yet; without a header its content is ignored.
      if try Self.size(of: descriptor) < SpoolHeader.length { try write(header.line, at: 0) }
      try write(line, at: header.end)
      header.end += line.count
      header.count += 1
      try write(header.line, at: 0)
    } catch {
      header = before
      throw error
    }
    _ = fdatasync(descriptor)
  }

  /// The oldest line, without its line break.
  borrowing func firstLine() throws(SystemFailure) -> [UInt8] {
    var line: [UInt8] = []
    while header.head + line.count < header.end {
      let start = header.head + line.count
      let piece = try bytes(at: start, count: min(1024, header.end - start))
      if piece.isEmpty { break }
      line += piece.prefix { $0 != 0x0A }
      if piece.contains(0x0A) { break }
    }
    return line
  }

  /// Removes the oldest line from the header, which is not written.
  mutating func dropFirst() throws(SystemFailure) {
    let length = try firstLine().count + 1
    header.head = min(header.head + length, header.end)
    header.count = max(0, header.count - 1)
    if header.count == 0 || header.live == 0 {
      (header.head, header.end, header.count) = (SpoolHeader.length, SpoolHeader.length, 0)
    }
  }

  /// Moves the reports to the front, if there is room.
  /// - Returns: whether there is more room now.
  @discardableResult
  mutating func compact() throws(SystemFailure) -> Bool {
    guard header.dead > 0, header.dead >= header.live else { return false }
    try write(try bytes(at: header.head, count: header.live), at: SpoolHeader.length)
    // The header must not reach the disk before the data that it refers to.
    _ = fdatasync(descriptor)
    header.end = SpoolHeader.length + header.live
    header.head = SpoolHeader.length
    try write(header.line, at: 0)
    _ = ftruncate(descriptor, off_t(header.end))
    return true
  }

  /// Rebuilds a spool from the readable lines of a file with an unreadable header.
  private mutating func recover(_ size: Int) throws(SystemFailure) {
    let start = SpoolHeader.length
    let content = try bytes(at: start, count: min(max(0, size - start), 16 << 20))
    let lines = content.split(separator: 0x0A)
    let isReport = lines.map { (try? ReportJSON.value(Report.self, of: $0)) != nil }
    let kept = zip(lines, isReport).filter(\.1).map(\.0)
    // The last line may be torn: it was never a report.
    let isTorn = content.last != 0x0A && isReport.last == false
    let whole = kept.flatMap { $0 + [0x0A] }
    try write(whole, at: start)
    header.end += whole.count
    header.count = kept.count
    header.dropped += lines.count - kept.count - (isTorn ? 1 : 0)
    try write(header.line, at: 0)
    _ = ftruncate(descriptor, off_t(header.end))
  }

  // MARK: - bytes

  private borrowing func bytes(at offset: Int, count: Int) throws(SystemFailure) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    var filled = 0
    while filled < count {
      let read = unsafe bytes.withUnsafeMutableBytes {
        unsafe pread(descriptor, $0.baseAddress.map { unsafe $0 + filled }, count - filled, off_t(offset + filled))
      }
      if read < 0, errno == EINTR { continue }
      guard read >= 0 else { throw SystemFailure() }
      if read == 0 { break }
      filled += read
    }
    return Array(bytes.prefix(filled))
  }

  private borrowing func write(_ bytes: [UInt8], at offset: Int) throws(SystemFailure) {
    var done = 0
    while done < bytes.count {
      let written = unsafe bytes.withUnsafeBytes {
        unsafe pwrite(descriptor, $0.baseAddress.map { unsafe $0 + done }, bytes.count - done, off_t(offset + done))
      }
      if written < 0, errno == EINTR { continue }
      guard written >= 0 else { throw SystemFailure() }
      guard written > 0 else { throw SystemFailure(errno: ENOSPC) }
      done += written
    }
  }
}
