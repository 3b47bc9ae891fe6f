import Accelerometry
import Foundation
import History
import NIOCore
import Platform

/// The latest samples of a source, in a file that survives the process.
///
/// A step is confirmed up to six seconds after it was taken, so a killed service loses the undecided steps of the
/// detector. The kernel keeps what was written when the process dies, and the next process counts it to the end.
///
/// The file belongs in a folder in memory: it is useless after a boot, and would wear out a memory card.
final class SampleJournal {
  /// The number of samples that are kept: twenty seconds at 200 Hz.
  static let capacity = 4096
  /// Older samples were followed by a long silence, or by a clean shutdown.
  static let usefulFor = Duration.seconds(120)

  /// The boot and the names of the source come first, one on each line; then the samples, the latest over the oldest.
  private static let (headerSize, entrySize) = (1024, 20)

  private let descriptor: Int32
  private let boot: String
  /// The number of all samples since ``begin(_:)``.
  private var count = 0

  /// Opens or creates the file.
  /// - Parameter bootID: changes with each boot; samples of another boot are ignored.
  /// - Returns: `nil` if it cannot be created; the service then works without it.
  init?(path: String, bootID: String = HistoryClock.systemBootID) {
    descriptor = unsafe open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    boot = bootID
    if descriptor < 0 { return nil }
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  /// The samples of the previous process; they can be taken once.
  /// - Parameter now: the time since boot.
  func recover(at now: Duration) -> (samples: [AccelerationSample], source: HistorySource)? {
    defer { clear() }
    var bytes: [UInt8] = []
    lseek(descriptor, 0, SEEK_SET)
    let size = Self.headerSize + Self.capacity * Self.entrySize
    guard readWhole(descriptor, into: &bytes, upTo: size) == 0 else { return nil }
    let header = String(decoding: bytes.prefix(Self.headerSize), as: UTF8.self)
    let texts = header.split(separator: "\n", maxSplits: 3, omittingEmptySubsequences: false).map(String.init)
    guard texts.count == 4, texts[0] == boot else { return nil }
    var entries = ByteBuffer(bytes: bytes.dropFirst(Self.headerSize))
    var samples: [AccelerationSample] = []
    let oldest = (now - Self.usefulFor).wholeNanoseconds
    while let (time, x, y, z) = entries.readMultipleIntegers(as: (Int64, UInt32, UInt32, UInt32).self) {
      guard time > oldest, time <= now.wholeNanoseconds else { continue }
      let acceleration = SIMD3(Float(bitPattern: x), Float(bitPattern: y), Float(bitPattern: z))
      samples.append(AccelerationSample(nanoseconds: time, acceleration: acceleration))
    }
    samples.sort { $0.nanoseconds < $1.nanoseconds }
    return samples.isEmpty ? nil : (samples, HistorySource(identity: texts[1], name: texts[2]))
  }

  /// Samples of this source follow.
  func begin(_ source: HistorySource) {
    clear()
    let text = "\(boot)\n\(source.identity)\n\(source.name.replacing("\n", with: " "))"
    var header = Array(text.utf8.prefix(Self.headerSize - 1))
    header += Array(repeating: UInt8(ascii: "\n"), count: Self.headerSize - header.count)
    write(ByteBuffer(bytes: header), at: 0)
  }

  /// Stores samples.
  /// - Parameter shift: the time since boot minus the sensor's clock.
  func append(_ samples: [AccelerationSample], shift: Duration) {
    let shift = shift.wholeNanoseconds
    var rest = samples[...]
    while !rest.isEmpty {
      let place = count % Self.capacity
      let part = rest.prefix(Self.capacity - place)
      var entries = ByteBuffer()
      for sample in part {
        let (x, y, z) = (sample.acceleration.x, sample.acceleration.y, sample.acceleration.z)
        entries.writeMultipleIntegers(sample.nanoseconds &+ shift, x.bitPattern, y.bitPattern, z.bitPattern)
      }
      write(entries, at: Self.headerSize + place * Self.entrySize)
      count += part.count
      rest = rest.dropFirst(part.count)
    }
  }

  /// Removes all samples, since they have been decided.
  func clear() {
    ftruncate(descriptor, 0)
    count = 0
  }

  /// Without space for it, a crash loses some steps.
  private func write(_ bytes: ByteBuffer, at offset: Int) {
    _ = unsafe bytes.withUnsafeReadableBytes { unsafe pwrite(descriptor, $0.baseAddress, $0.count, off_t(offset)) }
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
