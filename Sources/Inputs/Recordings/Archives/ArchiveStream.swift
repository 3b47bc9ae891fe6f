import Carchive
import Platform

/// The entries of a zip, a tar, a 7z, or of data compressed by bzip2, xz or zstd, read with libarchive from front to back.
///
/// A class because libarchive's state must not move. Damage ends its entry, and is reported in ``damage``.
@safe
package final class ArchiveStream {
  package struct Entry: Equatable {
    /// The path inside the archive; `data` for a single file without a name.
    package var name: String
    /// The size in bytes, if the archive states it.
    var size: Int?
  }

  /// The damage of the archive, or of what it is packed in, in a sentence; known after the last file.
  package var damage: String? { noted ?? source.containerDamage }
  private var noted: String?
  /// Whether the archive is a single compressed file, without a name or a directory; known after the first file.
  package private(set) var isBare = false
  let path: String
  var packedBytes: Int { source.packedBytes }
  private let handle: OpaquePointer
  private let source: ByteSource
  private let buffer: UnsafeMutableRawBufferPointer
  private var failure: RecordingError?
  private var isEntryDone = true
  /// Whether reading the present file needs a password.
  private var isLocked = false
  private var entries = 0
  /// The bytes of all files so far: those that were read of a zip, and those that other archives state, because skipping takes as long.
  private var unpacked = 0
  /// The memory of this process when the archive was opened, which is looked at after each of these bytes.
  private let memory = ProcessMemory.resident()
  private static let bytesBetweenLooks = 32 << 20
  /// The deflated files of a zip that can be read at any offset, and the one among them that is the current entry.
  private var directory: ZipDirectory?
  private var deflated: ByteSource?
  /// The part of the entry that libarchive has delivered and that has not been read.
  private var block = unsafe UnsafeRawBufferPointer(start: nil, count: 0)

  package convenience init(path: String) throws(RecordingError) {
    let source = try ByteSource(path: path)
    // What gzip has compressed is unpacked before: the first bytes say so.
    _ = try source.peek { head, _ in head.count >= 512 }
    try self.init(source)
  }

  /// Opens an archive.
  /// - Throws: the error of reading, or `damagedArchive` if it cannot be opened at all.
  init(_ source: ByteSource) throws(RecordingError) {
    path = source.name
    guard lazy_archive_load() != 0 else {
      throw .damagedArchive(path: path, reason: "libarchive is not installed; install libarchive13")
    }
    guard let opened = unsafe lazy_archive_read_new() else {
      throw .damagedArchive(path: path, reason: "out of memory")
    }
    unsafe handle = opened
    self.source = source
    unsafe buffer = .allocate(byteCount: 1 << 16, alignment: 16)
    unsafe lazy_archive_read_support_filter_bzip2(handle)
    unsafe lazy_archive_read_support_filter_xz(handle)
    unsafe lazy_archive_read_support_filter_zstd(handle)
    unsafe lazy_archive_read_support_format_tar(handle)
    unsafe lazy_archive_read_support_format_zip(handle)
    unsafe lazy_archive_read_support_format_7zip(handle)
    unsafe lazy_archive_read_support_format_raw(handle)
    let status: Int32
    if let descriptor = source.seekableDescriptor, !source.isCompressed {
      lseek(descriptor, 0, SEEK_SET)
      status = unsafe lazy_archive_read_open_fd(handle, descriptor, 1 << 16)
    } else {
      let context = unsafe Unmanaged.passUnretained(self).toOpaque()
      status = unsafe lazy_archive_read_open(
        handle, context, nil,
        { _, context, place in
          guard let context = unsafe context else { return -1 }
          let stream = unsafe Unmanaged<ArchiveStream>.fromOpaque(context).takeUnretainedValue()
          do throws(RecordingError) {
            let count = try unsafe stream.source.read(into: stream.buffer)
            unsafe place?.pointee = UnsafeRawPointer(stream.buffer.baseAddress)
            return count
          } catch {
            stream.failure = error
            return -1
          }
        }, nil)
    }
    if status != ARCHIVE_OK {
      if let failure { throw failure }
      throw .damagedArchive(path: path, reason: reason)
    }
  }

  deinit {
    unsafe lazy_archive_read_free(handle)
    unsafe buffer.deallocate()
  }

  /// libarchive's text for its last failure.
  private var reason: String {
    guard let text = unsafe lazy_archive_error_string(handle) else { return "it cannot be read" }
    let words = unsafe String(cString: text)
    return words.prefix(1).lowercased() + words.dropFirst()
  }

  /// Advances to the next file.
  /// - Returns: `nil` at the end, or if the rest of the archive is damaged.
  package func next() throws(RecordingError) -> Entry? {
    while true {
      var entry: OpaquePointer?
      let status = unsafe lazy_archive_read_next_header(handle, &entry)
      if let failure { throw failure }
      guard status == ARCHIVE_OK || status == ARCHIVE_WARN, let found = unsafe entry else {
        if status == ARCHIVE_RETRY { continue }
        if status == ARCHIVE_EOF {
          try finish()
        } else if isEncrypted, !isZip || entries > 0 {
          // The bits of a ruined zip may say so by chance.
          throw .lockedArchive(path: path)
        } else {
          note(reason)
        }
        return nil
      }
      entries += 1
      guard entries <= InputLimits.entries else { throw .excessiveArchive(path: path) }
      isBare = unsafe lazy_archive_format(handle) == ARCHIVE_FORMAT_RAW
      guard unsafe lazy_archive_entry_filetype(found) == S_IFREG else { continue }
      isEntryDone = false
      unsafe block = UnsafeRawBufferPointer(start: nil, count: 0)
      let name = unsafe lazy_archive_entry_pathname(found).map { unsafe String(cString: $0) } ?? "data"
      deflated = deflatedFile(name)
      let size = unsafe lazy_archive_entry_size_is_set(found) != 0 ? Int(lazy_archive_entry_size(found)) : nil
      isLocked = unsafe lazy_archive_entry_is_encrypted(found) != 0
      if !isZip { try count(size ?? 0) }
      return Entry(name: name, size: size)
    }
  }

  private var isZip: Bool { unsafe lazy_archive_format(handle) & ARCHIVE_FORMAT_BASE_MASK == ARCHIVE_FORMAT_ZIP }

  /// Whether the names of its files need a password.
  private var isEncrypted: Bool { unsafe lazy_archive_read_has_encrypted_entries(handle) == 1 }

  /// Counts unpacked bytes.
  /// - Throws: if there are far more than bytes in the archive.
  private func count(_ bytes: Int) throws(RecordingError) {
    let (sum, overflows) = unpacked.addingReportingOverflow(max(0, bytes))
    guard !overflows, sum <= InputLimits.unpackedBytes(of: packedBytes) else { throw .excessiveArchive(path: path) }
    // xz and 7z say themselves how much memory they need, up to 4 GB, and take it as they unpack.
    if sum / Self.bytesBetweenLooks > unpacked / Self.bytesBetweenLooks,
      ProcessMemory.resident() - memory > InputLimits.unpackingMemory
    {
      throw .excessiveArchive(path: path)
    }
    unpacked = sum
  }

  /// The bytes that are read behind the last entry. A tar is padded to some kilobytes; a stream may go on for ever.
  private static let mostPadding = 64 << 20

  /// Reads what follows the last entry, such as the padding of a tar: the checksum of what it is packed in is at its very end.
  private func finish() throws(RecordingError) {
    guard source.isContained else { return }
    var rest = Self.mostPadding
    while rest > 0 {
      let count = try unsafe source.read(into: buffer)
      if count == 0 { return }
      rest -= count
    }
  }

  /// An entry that needs libarchive for its name only, which then skips the data.
  private func deflatedFile(_ name: String) -> ByteSource? {
    guard isZip, !source.isCompressed, let descriptor = source.seekableDescriptor else { return nil }
    let known = directory ?? ZipDirectory(descriptor)
    directory = known
    return known.data(of: Array(name.utf8), in: descriptor).map { source.deflated($0.place, checksum: $0.checksum) }
  }

  /// Writes the rest of the file to a descriptor.
  /// - Parameter check: called now and then; what it throws ends the copying.
  /// - Returns: the errno of a failed write, or 0.
  package func copy(to descriptor: Int32, check: () throws -> Void) throws -> Int32 {
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 18, alignment: 16)
    defer { unsafe buffer.deallocate() }
    while true {
      try check()
      let count = try unsafe read(into: buffer)
      if count == 0 { return 0 }
      let failure = unsafe writeWhole(UnsafeRawBufferPointer(rebasing: buffer[..<count]), to: descriptor)
      if failure != 0 { return failure }
    }
  }

  /// Fills the beginning of `target` with the entry's next bytes.
  /// - Returns: the number of bytes; 0 at the entry's end.
  func read(into target: UnsafeMutableRawBufferPointer) throws(RecordingError) -> Int {
    if isLocked { throw .lockedArchive(path: path) }
    let count = try unsafe readOn(into: target)
    if isZip || isBare { try self.count(count) }
    return count
  }

  private func readOn(into target: UnsafeMutableRawBufferPointer) throws(RecordingError) -> Int {
    if let deflated {
      let count = try unsafe deflated.read(into: target)
      if count == 0, let damage = deflated.damage { note(damage.reason) }
      return count
    }
    while true {
      if unsafe !block.isEmpty {
        let count = unsafe min(block.count, target.count)
        unsafe target.copyMemory(from: UnsafeRawBufferPointer(rebasing: block[..<count]))
        unsafe block = UnsafeRawBufferPointer(rebasing: block[count...])
        return count
      }
      if isEntryDone { return 0 }
      try readBlock()
    }
  }

  /// Block by block, since `archive_read_data` drops the last bytes of a truncated archive.
  private func readBlock() throws(RecordingError) {
    var start: UnsafeRawPointer?
    var count = 0
    var offset: Int64 = 0
    let status = unsafe lazy_archive_read_data_block(handle, &start, &count, &offset)
    if let failure { throw failure }
    switch status {
    case ARCHIVE_OK: unsafe block = UnsafeRawBufferPointer(start: start, count: count)
    case ARCHIVE_RETRY: break
    case ARCHIVE_EOF: isEntryDone = true
    default:
      // A wrong checksum is a warning: the data was delivered before it was known.
      note(reason)
      isEntryDone = true
    }
  }

  private func note(_ reason: String) { if noted == nil { noted = "it is damaged or truncated (\(reason))" } }
}
