import CSensorShim
import Glibc

/// An I²C bus of this computer.
public struct I2CBus: Sendable, Hashable {
  /// N of `i2c-N`.
  public var number: Int
  /// What the adapter's driver calls it.
  public var name: String

  /// Makes a bus.
  public init(number: Int, name: String) {
    self.number = number
    self.name = name
  }

  /// Whether it leads to a display, where nothing of interest hangs and a read may disturb the picture.
  public var leadsToDisplay: Bool {
    let name = name.lowercased()
    return ["gmbus", "aux", "ddc", "hdmi", "nvidia", "nvkm", "radeon", "amdgpu", "drm", "dpu", "vga"]
      .contains { name.contains($0) }
  }

  /// Every bus, in the order of their numbers. Nothing is sent on any of them.
  public static func all(in machine: SensorEnvironment = .machine) -> [I2CBus] {
    let devices = SysfsDirectory(path: machine.sys + "/bus/i2c/devices")
    return devices.names.compactMap { name in
      guard name.hasPrefix("i2c-"), let number = Int(name.dropFirst(4)) else { return nil }
      return I2CBus(number: number, name: ((try? devices[name].textIfPresent("name")) ?? nil) ?? name)
    }.sorted { $0.number < $1.number }
  }
}

/// What came of reading one register of a chip.
public enum I2CAnswer: Sendable, Hashable {
  /// The register's value.
  case byte(UInt8)
  /// A driver holds the address, and nothing was sent.
  case held
  /// Nobody is at the address.
  case nobody
  /// The bus cannot be read: this errno.
  case failed(Int32)
}

/// Reads registers on one bus.
public protocol I2CRegisters {
  /// Reads a register of the chip at a 7-bit address by an SMBus byte read.
  func read(_ register: UInt8, at address: UInt8) -> I2CAnswer
}

/// Looks for sensor chips that no driver is bound to. It reads identity registers, which the user has to have asked for.
public struct I2CProbe {
  /// What is on one bus.
  public struct Findings: Sendable, Hashable {
    /// Chips without a driver, and their addresses.
    public var chips: [Found] = []
    /// Addresses that were left alone because a driver holds them.
    public var held: [UInt8] = []
    /// What kept the bus from being read.
    public var trouble: SensorError?

    /// Nothing.
    public init() {}
  }

  /// A chip at an address.
  public struct Found: Sendable, Hashable {
    /// Which.
    public var chip: I2CChip
    /// Its 7-bit address.
    public var address: UInt8

    /// Makes a find.
    public init(chip: I2CChip, address: UInt8) {
      self.chip = chip
      self.address = address
    }
  }

  private let chips: [I2CChip]
  private let open: (I2CBus) throws(SensorError) -> any I2CRegisters

  /// Makes a probe; nothing is read yet.
  /// - Parameters:
  ///   - chips: those that are looked for.
  ///   - open: opens a bus.
  public init(
    chips: [I2CChip] = I2CChip.known, open: @escaping (I2CBus) throws(SensorError) -> any I2CRegisters
  ) {
    self.chips = chips
    self.open = open
  }

  /// Looks at this computer's buses through `/dev/i2c-N`.
  public init(in machine: SensorEnvironment = .machine) {
    self.init { bus throws(SensorError) in try I2CNode(bus, in: machine) }
  }

  /// Reads the identity registers of one bus: at most one byte for each pair of an address and a register.
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

/// A bus through its node.
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
      throw .permissionDenied(path: path, errno: code, remedy: "run 'pedometer doctor --probe-i2c' as root")
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
    // Adapters differ in what they say where nobody acknowledges.
    case ENXIO, EREMOTEIO, EIO, ENODEV, ETIMEDOUT, EAGAIN: return .nobody
    default: return .failed(-answer)
    }
  }
}

/// Whether the running kernel has a driver.
public struct KernelModules: Sendable {
  /// The running kernel's release, as `uname -r` says it.
  public let release: String
  private let known: Set<String>?
  private let loaded: SysfsDirectory

  /// Reads the list of modules of the running kernel.
  public init(in machine: SensorEnvironment = .machine) {
    release = ((try? SysfsDirectory(path: machine.proc + "/sys/kernel").textIfPresent("osrelease")) ?? nil) ?? "?"
    loaded = SysfsDirectory(path: machine.sys + "/module")
    let folder = SysfsDirectory(path: "\(machine.modules)/\(release)")
    var known: Set<String> = []
    for list in ["modules.dep", "modules.builtin"] {
      guard let node = try? NodeDescriptor(opening: folder.path(of: list), flags: O_RDONLY, in: machine) else {
        continue
      }
      known.formUnion(Self.names(in: node.readAll()))
    }
    self.known = known.isEmpty ? nil : known
  }

  /// Whether there is a module of this name, loaded, built in or to be loaded; `nil` where the kernel's list cannot be read.
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
  /// All that is left of a file.
  fileprivate borrowing func readAll() -> String {
    var (text, bytes): ([UInt8], [UInt8]) = ([], [UInt8](repeating: 0, count: 1 << 16))
    while case let count = readOrErrno(into: &bytes, from: 0), count > 0 { text += bytes[..<count] }
    return String(decoding: text, as: UTF8.self)
  }
}
