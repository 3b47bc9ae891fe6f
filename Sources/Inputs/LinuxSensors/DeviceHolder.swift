import Glibc

/// A process that has a device node open.
public struct DeviceHolder: Sendable, Hashable, CustomStringConvertible {
  /// Its process ID.
  public let process: Int32
  /// Its name in the kernel (at most 15 characters).
  public let name: String

  /// Creates a holder.
  public init(process: Int32, name: String) { (self.process, self.name) = (process, name) }

  /// For example "iio-sensor-prox (process 812)".
  public var description: String { "\(name) (process \(process))" }

  /// The processes that have the node open: all processes for root, otherwise the user's own.
  ///
  /// A child that this process has just forked has copies of its descriptors until it calls exec, which closes them. It
  /// is not a holder. Nor is the program at the other end of a pseudo-terminal, such as socat: it usually has both ends
  /// open, and writes what is read here.
  package static func holders(of path: String, in machine: SensorEnvironment = .machine) -> [DeviceHolder] {
    let processes = SysfsDirectory(path: machine.proc)
    return processes.names.compactMap { Int32($0) }.sorted().compactMap { process in
      let folder = processes["\(process)"]
      let holds = { folder["fd"].names.contains { linkTarget(folder["fd"].path(of: $0)) == path } }
      // Asked again last, because the child may have called exec after the first look.
      guard holds(), !isFork(folder, of: processes["\(getpid())"]), !hasMaster(of: path, folder), holds() else {
        return nil
      }
      let name = (try? folder.textIfPresent("comm")) ?? nil
      return DeviceHolder(process: process, name: name ?? "an unknown program")
    }
  }

  /// Whether a process is a child of this one and still runs the same program.
  private static func isFork(_ process: SysfsDirectory, of this: SysfsDirectory) -> Bool {
    guard let status = try? process.textIfPresent("status"),
      status.split(separator: "\n").contains("PPid:\t\(getpid())"), let program = linkTarget(this.path(of: "exe"))
    else { return false }
    return linkTarget(process.path(of: "exe")) == program
  }

  /// Whether a process has the other end of a pseudo-terminal.
  private static func hasMaster(of path: String, _ process: SysfsDirectory) -> Bool {
    guard path.hasPrefix("/dev/pts/"), let number = Int(path.dropFirst("/dev/pts/".count)) else { return false }
    return process["fd"].names.contains { descriptor in
      let target = linkTarget(process["fd"].path(of: descriptor))
      guard target == "/dev/ptmx" || target == "/dev/pts/ptmx" else { return false }
      let words = ((try? process["fdinfo"].textIfPresent(descriptor)) ?? nil)?.split(whereSeparator: \.isWhitespace)
      return words.map { zip($0, $0.dropFirst()).contains { $0 == ("tty-index:", "\(number)") } } ?? false
    }
  }

  private static func linkTarget(_ path: String) -> String? {
    var bytes = [UInt8](repeating: 0, count: Int(PATH_MAX))
    let count = unsafe bytes.withUnsafeMutableBytes { buffer in
      unsafe readlink(path, buffer.baseAddress!.assumingMemoryBound(to: CChar.self), buffer.count)
    }
    return count > 0 ? String(decoding: bytes[..<count], as: UTF8.self) : nil
  }
}
