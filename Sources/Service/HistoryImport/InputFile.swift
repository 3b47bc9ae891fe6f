import Platform

/// A regular file that is read once from front to back, within the limits of an import.
final class InputFile {
  let path: String
  let descriptor: Int32
  let size: Int
  let cost: ImportCost
  /// The first bytes.
  let head: [UInt8]

  /// Opens a file. Nothing else is waited for, such as the writer of a pipe.
  /// - Throws: ``ImportFailure``.
  init(_ path: String, _ cost: ImportCost) throws {
    let opened = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
    guard opened >= 0 else {
      throw errno == ENOENT || errno == ENOTDIR
        ? ImportFailure(.missing, "\(path) does not exist; check the name")
        : ImportFailure(.unreadable, "\(path) cannot be read; ask its owner for read permission")
    }
    var status = stat()
    guard unsafe fstat(opened, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      close(opened)
      throw ImportFailure(.damaged, "\(path) is not a file; save what it has to one")
    }
    (self.path, self.cost, descriptor, size) = (path, cost, opened, Int(status.st_size))
    var head: [UInt8] = []
    _ = readWhole(descriptor, into: &head, upTo: ListTable.longestHead)
    self.head = head
    lseek(descriptor, 0, SEEK_SET)
  }

  deinit { close(descriptor) }

  /// Calls `body` with one piece after the other.
  func pieces(_ body: (ArraySlice<UInt8>) throws -> Void) throws {
    var piece = [UInt8](repeating: 0, count: 1 << 18)
    while true {
      try cost.check(path)
      let count = unsafe read(descriptor, &piece, piece.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw ImportFailure(.unreadable, "\(path) cannot be read: \(systemText(errno))") }
      if count == 0 { return }
      try body(piece[..<count])
    }
  }

  func whole() throws -> [UInt8] {
    guard size <= InputLimits.document else {
      throw ImportFailure(
        at: path,
        "larger than \(InputLimits.document >> 20) MB, which is the most for a file of its kind; "
          + "give it in parts")
    }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(size)
    try pieces { bytes += $0.prefix(InputLimits.document - bytes.count) }
    return bytes
  }

  /// Calls `body` with each line that is not empty, and its number among them, from 1.
  func lines(_ body: (Int, [UInt8]) throws -> Void) throws {
    var (splitter, number) = (LineSplitter(longest: InputLimits.token, .cut), 0)
    func take(_ line: [UInt8]) throws {
      if line.isEmpty { return }
      number += 1
      guard line.count < InputLimits.token else { throw ImportFailure.longLine(path, number) }
      try body(number, line)
    }
    try pieces { for line in splitter.append($0) { try take(line) } }
    if let line = splitter.finish() { try take(line) }
  }
}
