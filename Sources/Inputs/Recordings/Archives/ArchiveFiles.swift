import Platform

/// The files of an archive (zip, tar, 7z, plain or compressed), one after the other, for those who need whole files.
package final class ArchiveFiles {
  private let stream: ArchiveStream

  /// Opens an archive.
  /// - Throws: the error of opening it, or `damagedArchive`.
  package init(path: String) throws(RecordingError) {
    let source = try ByteSource(path: path)
    // What gzip has compressed is unpacked before: the first bytes say so.
    _ = try source.peek { head, _ in head.count >= 512 }
    stream = try ArchiveStream(source)
  }

  /// The damage of the archive, in a sentence; known after the last file.
  package var damage: String? { stream.damage }

  /// Whether it is a single compressed file, in which there is no name; known after the first file.
  package var isBare: Bool { stream.isBare }

  /// Advances to the next file.
  /// - Returns: its path inside the archive, or `nil` at the end.
  package func next() throws(RecordingError) -> String? { try stream.next()?.name }

  /// Writes the rest of the file to a descriptor.
  /// - Parameter check: called now and then; what it throws ends the copying.
  /// - Returns: the errno of a failed write, or 0.
  package func copy(to descriptor: Int32, check: () throws -> Void) throws -> Int32 {
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 18, alignment: 16)
    defer { unsafe buffer.deallocate() }
    while true {
      try check()
      let count = try unsafe stream.read(into: buffer)
      if count == 0 { return 0 }
      let failure = unsafe writeWhole(UnsafeRawBufferPointer(rebasing: buffer[..<count]), to: descriptor)
      if failure != 0 { return failure }
    }
  }
}
