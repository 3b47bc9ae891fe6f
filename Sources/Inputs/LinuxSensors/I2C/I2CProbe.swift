import CSensorShim
import Glibc

/// An I²C bus of this computer.
public struct I2CBus: Sendable, Hashable {
  /// The N of `i2c-N`.
  public var number: Int
  /// The adapter's name.
  public var name: String

  /// Creates a bus.
  public init(number: Int, name: String) {
    self.number = number
    self.name = name
  }

  /// Whether it leads to a display, which has no sensors and may be disturbed by a read.
  public var leadsToDisplay: Bool {
    let name = name.lowercased()
    return ["gmbus", "aux", "ddc", "hdmi", "nvidia", "nvkm", "radeon", "amdgpu", "drm", "dpu", "vga"]
      .contains { name.contains($0) }
  }

  /// All buses in numerical order. Nothing is sent on them.
  public static func all(in machine: SensorEnvironment = .machine) -> [I2CBus] {
    let devices = SysfsDirectory(path: machine.sys + "/bus/i2c/devices")
    return devices.names.compactMap { name in
      guard name.hasPrefix("i2c-"), let number = Int(name.dropFirst(4)) else { return nil }
      return I2CBus(number: number, name: ((try? devices[name].textIfPresent("name")) ?? nil) ?? name)
    }.sorted { $0.number < $1.number }
  }
}

/// The result of reading a register.
public enum I2CAnswer: Sendable, Hashable {
  /// The value of the register.
  case byte(UInt8)
  /// A driver holds the address, and nothing was sent.
  case held
  /// No chip responds at the address.
  case nobody
  /// The bus cannot be read; the errno.
  case failed(Int32)
}

/// Reads registers on one bus.
public protocol I2CRegisters {
  /// Reads a register of the chip at a 7-bit address with an SMBus byte read.
  func read(_ register: UInt8, at address: UInt8) -> I2CAnswer
}

/// Finds sensor chips without a driver by reading identity registers. Run it only if the user asked for it.
public struct I2CProbe {
  /// The results for one bus.
  public struct Findings: Sendable, Hashable {
    /// Chips without a driver, and their addresses.
    public var chips: [Found] = []
    /// Addresses that were skipped because a driver holds them.
    public var held: [UInt8] = []
    /// The error that prevented reading the bus.
    public var trouble: SensorError?

    /// Creates empty results.
    public init() {}
  }

  /// A chip at an address.
  public struct Found: Sendable, Hashable {
    /// The chip.
    public var chip: I2CChip
    /// Its 7-bit address.
    public var address: UInt8

    /// Creates a result.
    public init(chip: I2CChip, address: UInt8) {
      self.chip = chip
      self.address = address
    }
  }

  private let chips: [I2CChip]
  private let open: (I2CBus) throws(SensorError) -> any I2CRegisters

  /// Creates a probe without reading.
  /// - Parameters:
  ///   - chips: the chips to look for.
  ///   - open: opens a bus.
  public init(
    chips: [I2CChip] = I2CChip.known, open: @escaping (I2CBus) throws(SensorError) -> any I2CRegisters
  ) {
    self.chips = chips
    self.open = open
  }

  /// Probes this computer's buses through `/dev/i2c-N`.
  public init(in machine: SensorEnvironment = .machine) {
    self.init { bus throws(SensorError) in try I2CNode(bus, in: machine) }
  }

  /// Reads the identity registers of one bus: at most one byte per pair of address and register.
  public func findings(on bus: I2CBus) -> Findings {
    var findings = Findings()
    do throws(SensorError) {
      let registers = try open(bus)
      for address in Set(chips.flatMap(\.addresses)).sorted() {
        try look(at: address, through: registers, of: bus, into: &findings)
      }
    } catch { findings.trouble = error }
    return findings
  }

  private func look(
    at address: UInt8, through registers: any I2CRegisters, of bus: I2CBus, into findings: inout Findings
  ) throws(SensorError) {
    let candidates = chips.filter { $0.addresses.contains(address) }
    for register in Set(candidates.map(\.register)).sorted() {
      switch registers.read(register, at: address) {
      case .byte(let identity):
        if let chip = candidates.first(where: { $0.register == register && $0.identity == identity }) {
          return findings.chips.append(Found(chip: chip, address: address))
        }
      case .held: return findings.held.append(address)
      case .nobody: return
      case .failed(let code): throw .from(errno: code, operation: "read", path: "/dev/i2c-\(bus.number)")
      }
    }
  }
}

/// A bus accessed through its node.
private struct I2CNode: I2CRegisters {
  private final class Open {
    let node: NodeDescriptor
    init(_ node: consuming NodeDescriptor) { self.node = node }
  }
  private let open: Open

  init(_ bus: I2CBus, in machine: SensorEnvironment) throws(SensorError) {
    let path = "\(machine.dev)/i2c-\(bus.number)"
    guard SysfsDirectory(path: machine.dev).has("i2c-\(bus.number)") else {
      throw .unusable(path: path, reason: "the device node does not exist", remedy: "modprobe i2c-dev, as root")
    }
    let node: NodeDescriptor
    do throws(SensorError) {
      node = try NodeDescriptor(opening: path, flags: O_RDWR, in: machine)
    } catch {
      guard error.code == .permissionDenied, let code = error.errno else { throw error }
      throw .permissionDenied(path: path, errno: code, remedy: "probe as root")
    }
    if sensor_i2c_reads_bytes(node.number) == 0 {
      throw .unusable(
        path: path, reason: "its adapter cannot read single registers", remedy: "choose another bus")
    }
    open = Open(node)
  }

  func read(_ register: UInt8, at address: UInt8) -> I2CAnswer {
    let answer = sensor_i2c_read(open.node.number, Int32(address), register)
    if answer >= 0 { return .byte(UInt8(truncatingIfNeeded: answer)) }
    switch -answer {
    case EBUSY: return .held
    // Adapters report a missing acknowledgement by different errors.
    case ENXIO, EREMOTEIO, EIO, ENODEV, ETIMEDOUT, EAGAIN: return .nobody
    default: return .failed(-answer)
    }
  }
}

/// Whether the running kernel has a driver.
public struct KernelModules: Sendable {
  /// The running kernel's release, as in `uname -r`.
  public let release: String
  private let known: Set<String>?
  private let loaded: SysfsDirectory

  /// Reads the module list of the running kernel.
  public init(in machine: SensorEnvironment = .machine) {
    release = ((try? SysfsDirectory(path: machine.proc + "/sys/kernel").textIfPresent("osrelease")) ?? nil) ?? "?"
    loaded = SysfsDirectory(path: machine.sys + "/module")
    let folder = SysfsDirectory(path: "\(machine.modules)/\(release)")
    var known: Set<String>? = []
    for list in ["modules.dep", "modules.builtin"] where folder.has(list) {
      guard let node = try? NodeDescriptor(opening: folder.path(of: list), flags: O_RDONLY, in: machine) else {
        // Half of the list would blame the kernel for what is in the other half.
        known = nil
        break
      }
      known?.formUnion(Self.names(in: node.readAll()))
    }
    self.known = known?.isEmpty == true ? nil : known
  }

  /// Whether a module of this name is loaded, built in or available; `nil` if the kernel's list cannot be read.
  public func has(_ module: String) -> Bool? {
    if loaded.has(module.replacing("-", with: "_")) { return true }
    return known.map { $0.contains(module.replacing("-", with: "_")) }
  }

  /// `inv_mpu6050_i2c` of `kernel/drivers/iio/imu/inv_mpu6050/inv-mpu6050-i2c.ko.xz: …`.
  static func names(in list: String) -> [String] {
    list.split(separator: "\n").compactMap { line in
      let path = line.prefix { $0 != ":" && $0 != " " }
      let file = path.split(separator: "/").last ?? path
      let name = file.prefix { $0 != "." }
      return name.isEmpty ? nil : String(name.replacing("-", with: "_"))
    }
  }
}

extension NodeDescriptor {
  /// The rest of a file.
  fileprivate borrowing func readAll() -> String {
    var (text, bytes): ([UInt8], [UInt8]) = ([], [UInt8](repeating: 0, count: 1 << 16))
    while case let count = readOrErrno(into: &bytes, from: 0), count > 0 { text += bytes[..<count] }
    return String(decoding: text, as: UTF8.self)
  }
}
