import Glibc

/// A real disk of a few KiB, to be filled. It is removed with its last descriptor, even if the test crashes.
public final class SmallDisk {
  /// Its root folder.
  public let path: String
  private let descriptor: Int32

  /// Creates a disk; `nil` if that is not permitted.
  public init?(kibibytes: Int) {
    var template = Array("/tmp/pedometer-disk-XXXXXX\0".utf8CString)
    guard let made = unsafe mkdtemp(&template) else { return nil }
    let folder = unsafe String(cString: made)
    defer { unsafe rmdir(folder) }
    guard unsafe mount("tmpfs", folder, "tmpfs", 0, "size=\(kibibytes)k") == 0 else { return nil }
    descriptor = unsafe open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    unsafe umount2(folder, 2)  // MNT_DETACH, which Swift hides: the descriptor keeps it alive
    guard descriptor >= 0 else { return nil }
    path = "/proc/self/fd/\(descriptor)"
  }

  deinit {
    free()
    close(descriptor)
  }

  /// Whether disks can be created here.
  public static let isPossible = SmallDisk(kibibytes: 4) != nil

  /// Fills it to the last byte.
  public func fill() {
    let file = unsafe open(path + "/ballast", O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
    let block = [UInt8](repeating: 0x78, count: 4096)
    while unsafe write(file, block, block.count) > 0 {}
    close(file)
  }

  /// Frees space.
  public func free() { unsafe unlink(path + "/ballast") }
}
