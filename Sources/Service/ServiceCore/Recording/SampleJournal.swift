import Accelerometry
import Foundation
import History
import Platform

/// The latest samples of a source, in memory that survives the process.
///
/// A step is confirmed up to six seconds after it was taken, so a killed service loses the undecided steps of the
/// detector. Their samples are in a shared mapping of a small file, which needs no system call to write and which the
/// kernel keeps when the process dies; the next process counts them to the end.
///
/// The file belongs in a folder in memory: it is useless after a boot, and would wear out a memory card.
@safe final class SampleJournal {
  /// The number of samples that are kept: twenty seconds at 200 Hz.
  static let capacity = 4096
  /// Older samples were followed by a long silence, or by a clean shutdown.
  static let usefulFor = Duration.seconds(120)

  private static let magic: UInt64 = 0x7065_646f_7461_6931
  private static let headerSize = 1024
  private static let entrySize = 24
  private static let size = headerSize + capacity * entrySize
  /// The offset of the number of all samples ever written, followed by the names.
  private static let countOffset = 16
  private static let textOffset = 24
  private static let longestText = 480

  private let memory: UnsafeMutableRawPointer
  private let boot: UInt64

  /// Opens or creates the file.
  /// - Parameter bootID: changes with each boot; samples of another boot are ignored.
  /// - Returns: `nil` if it cannot be created; the service then works without it.
  init?(path: String, bootID: String = HistoryClock.systemBootID) {
    let descriptor = unsafe open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    // Allocates the space now: a full disk would otherwise end the process at the first write into the mapping.
    guard posix_fallocate(descriptor, 0, Self.size) == 0,
      let memory = unsafe mmap(nil, Self.size, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0),
      unsafe memory != MAP_FAILED
    else { return nil }
    unsafe self.memory = unsafe memory
    boot = bootID.utf8.fnv1a
  }

  deinit { unsafe munmap(memory, Self.size) }

  /// The samples of the previous process; they can be taken once.
  /// - Parameter now: the time since boot.
  func recover(at now: Duration) -> (samples: [AccelerationSample], source: HistorySource)? {
    defer { clear() }
    guard unsafe memory.load(as: UInt64.self) == Self.magic,
      unsafe memory.load(fromByteOffset: 8, as: UInt64.self) == boot
    else { return nil }
    let texts = text.split(separator: "\n", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    guard texts.count == 2 else { return nil }
    let count = unsafe memory.load(fromByteOffset: Self.countOffset, as: UInt64.self)
    var samples: [AccelerationSample] = []
    let oldest = (now - Self.usefulFor).wholeNanoseconds
    for index in (count - min(count, UInt64(Self.capacity)))..<count {
      let sample = sample(at: index)
      // A sample that was half written when the process died is out of order.
      let isInOrder = sample.nanoseconds > (samples.last?.nanoseconds ?? oldest)
      if isInOrder, sample.nanoseconds <= now.wholeNanoseconds { samples.append(sample) }
    }
    return samples.isEmpty ? nil : (samples, HistorySource(identity: texts[0], name: texts[1]))
  }

  /// Samples of this source follow.
  func begin(_ source: HistorySource) {
    clear()
    let text = Array("\(source.identity)\n\(source.name.replacing("\n", with: " "))".utf8.prefix(Self.longestText))
    unsafe memory.storeBytes(of: UInt64(text.count), toByteOffset: Self.textOffset, as: UInt64.self)
    for (index, byte) in text.enumerated() {
      unsafe memory.storeBytes(of: byte, toByteOffset: Self.textOffset + 8 + index, as: UInt8.self)
    }
    unsafe memory.storeBytes(of: boot, toByteOffset: 8, as: UInt64.self)
    unsafe memory.storeBytes(of: Self.magic, as: UInt64.self)
  }

  /// Stores samples.
  /// - Parameter shift: the time since boot minus the sensor's clock.
  func append(_ samples: [AccelerationSample], shift: Duration) {
    let shift = shift.wholeNanoseconds
    var count = unsafe memory.load(fromByteOffset: Self.countOffset, as: UInt64.self)
    for sample in samples {
      let offset = Self.offset(of: count)
      let acceleration = sample.acceleration
      unsafe memory.storeBytes(of: sample.nanoseconds &+ shift, toByteOffset: offset, as: Int64.self)
      unsafe memory.storeBytes(of: acceleration.x, toByteOffset: offset + 8, as: Float.self)
      unsafe memory.storeBytes(of: acceleration.y, toByteOffset: offset + 12, as: Float.self)
      unsafe memory.storeBytes(of: acceleration.z, toByteOffset: offset + 16, as: Float.self)
      count += 1
    }
    unsafe memory.storeBytes(of: count, toByteOffset: Self.countOffset, as: UInt64.self)
  }

  /// Removes all samples, since they have been decided.
  func clear() {
    unsafe memory.storeBytes(of: 0, as: UInt64.self)
    unsafe memory.storeBytes(of: 0, toByteOffset: Self.countOffset, as: UInt64.self)
  }

  private static func offset(of index: UInt64) -> Int { headerSize + Int(index % UInt64(capacity)) * entrySize }

  private func sample(at index: UInt64) -> AccelerationSample {
    let offset = Self.offset(of: index)
    return AccelerationSample(
      nanoseconds: unsafe memory.load(fromByteOffset: offset, as: Int64.self),
      acceleration: SIMD3(
        unsafe memory.load(fromByteOffset: offset + 8, as: Float.self),
        unsafe memory.load(fromByteOffset: offset + 12, as: Float.self),
        unsafe memory.load(fromByteOffset: offset + 16, as: Float.self)))
  }

  private var text: String {
    let count = unsafe memory.load(fromByteOffset: Self.textOffset, as: UInt64.self)
    let bytes = (0..<min(Int(clamping: count), Self.longestText)).map { index in
      unsafe memory.load(fromByteOffset: Self.textOffset + 8 + index, as: UInt8.self)
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}

/// The folder of journals, and the latest step in the history when the service started.
package struct SampleJournalFolder: Sendable {
  /// The folder's path.
  var path: String
  /// Distinguishes this service's files from another one's.
  var owner: String
  /// The time of the history's latest step on the service's clock; `nil` if that is long ago.
  var latestKept: Duration?

  /// The time of a step that is detected again may differ by some milliseconds: a step closer than this to a recorded
  /// one is the same. Different steps are further apart.
  static let margin = Duration.milliseconds(200)

  func journal(of source: String) -> SampleJournal? {
    SampleJournal(path: "\(path)/samples-\(String("\(owner)\n\(source)".utf8.fnv1a, radix: 16))")
  }

  /// The runtime folder of the service manager or the session; otherwise the folder of the history.
  package static func path(environment: [String: String], state: String) -> String {
    if let folder = environment["RUNTIME_DIRECTORY"]?.split(separator: ":").first { return String(folder) }
    if let folder = environment["XDG_RUNTIME_DIR"], folder.hasPrefix("/") {
      let own = folder + "/pedometer"
      _ = unsafe mkdir(own, 0o700)
      if unsafe access(own, W_OK) == 0 { return own }
    }
    return state
  }
}

extension HistoryReader {
  /// The time of the latest undecided step, on the service's clock.
  package func latestStep(_ clock: ServiceClock) -> Duration? {
    let (now, boot) = (clock.now(), clock.history.time(atUptime: .zero))
    let bouts = try? bouts(from: now - 2 * SampleJournal.usefulFor.timeInterval, to: now + 60)
    return bouts?.last.map { .seconds($0.end.timeIntervalSince(boot)) }
  }
}
