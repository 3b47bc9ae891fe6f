import Accelerometry
import CPedometer
import Platform
import Recordings

/// What a reader refers to: a recording whose samples the caller takes.
final class OpenRecording: Lendable {
  static let (name, maker) = ("reader", "pedometer_open")

  let lease = Lease()

  private let reader: RecordingReader
  private let path: String
  /// The samples that were read, and how many of them were given.
  private var samples: [AccelerationSample] = []
  private var taken = 0
  private var given: Int64 = 0
  /// Why the rest could not be read.
  private var damage: RecordingError?
  private var state = State.open
  /// What the times count from, and what is added to those of the reader.
  private let clock: Int32
  private let shift: Int64
  private let strings = CStrings()
  let warnings = CStrings()

  private enum State {
    case open
    case ended
    case failed(Failure)
  }

  /// Opens a recording and reads its beginning, so that its clock is known.
  init(_ path: UnsafePointer<CChar>, _ options: RecordingOptions) throws(Failure) {
    unsafe self.path = String(cString: path)
    do throws(RecordingError) {
      reader = try unsafe RecordingReader(cPath: path, options: options)
      _ = try reader.read(into: &samples)
    } catch { throw Failure(error) }
    let summary = reader.summary
    let origin = summary.recordingStart ?? samples.first?.nanoseconds ?? 0
    if let wall = summary.wallTime(of: origin) {
      let isLocal = summary.isWallClock || !summary.timestampsAreAbsolute
      clock = Int32(isLocal && wall.offset == nil ? PEDOMETER_CLOCK_LOCAL : PEDOMETER_CLOCK_UTC)
      shift = wall.nanoseconds - Int64(wall.offset ?? 0) * 1_000_000_000 - origin
    } else {
      (clock, shift) = (Int32(PEDOMETER_CLOCK_NONE), 0 - origin)
    }
  }

  /// Gives as many samples as fit, or the last ones.
  /// - Returns: how many; 0 at the end.
  func read(into columns: SampleColumns) throws(Failure) -> Int {
    if case .failed(let failure) = state { throw failure }
    var count = 0
    while count < columns.capacity {
      if taken == samples.count, try !readOn() { break }
      let more = min(columns.capacity - count, samples.count - taken)
      columns.store(samples.span.extracting(taken..<taken + more), at: count, shift: shift)
      count += more
      taken += more
      given += Int64(more)
    }
    return count
  }

  /// Reads the next samples.
  /// - Returns: `false` at the end.
  private func readOn() throws(Failure) -> Bool {
    guard case .open = state else { return false }
    taken = 0
    if damage == nil {
      do throws(RecordingError) {
        if try reader.read(into: &samples) { return true }
      } catch {
        if reader.summary.samples == 0 { throw fail(Failure(error)) }
        // As when it is counted: what comes before the damage is good, unless a disk may give more of it the next time.
        damage = error
        if !samples.isEmpty { return true }
      }
    }
    samples.removeAll()
    try end()
    return false
  }

  private func end() throws(Failure) {
    let summary = reader.summary
    if let damage, damage.kind == .io { throw fail(Failure(damage)) }
    // A sensor that lay still has no steps, but it has samples.
    if damage == nil, let refusal = summary.refusal(path: path), refusal.code != .constant {
      throw fail(Failure(refusal))
    }
    warnings.add(summary.warnings.map(OptionTerms.translate))
    if let damage { warnings.add([OptionTerms.translate(damage.description)]) }
    state = .ended
  }

  private func fail(_ failure: Failure) -> Failure {
    state = .failed(failure)
    return failure
  }

  // MARK: What is known

  var description: pedometer_recording {
    let summary = reader.summary
    let device = summary.device
    return unsafe pedometer_recording(
      size: MemoryLayout<pedometer_recording>.size, clock: clock, has_utc_offset: summary.utcOffset == nil ? 0 : 1,
      utc_offset: Int64(summary.utcOffset ?? 0), samples: given,
      samples_outside: Int64(summary.samplesOutsideWindow), rows_skipped: Int64(summary.rowsSkipped),
      damaged_parts: Int64(summary.damagedParts), gaps: Int64(summary.gaps),
      gap_duration: summary.gapDuration.inSeconds, nominal_frequency: summary.statedRate ?? .nan,
      sampling_frequency: summary.samplingFrequency ?? .nan, range: device?.range ?? .nan,
      fraction: reader.fractionRead ?? .nan,
      format: string(summary.format.rawValue), unit: string(summary.unit?.option), maker: string(device?.maker),
      model: string(device?.model), serial: string(device?.serial), firmware: string(device?.firmware),
      start: string(summary.firstTimestamp.flatMap { summary.clockText(of: $0) }),
      end: string(summary.lastTimestamp.flatMap { summary.clockText(of: $0) }), warnings: warnings.count)
  }

  /// A copy that lives as long as the reader.
  private func string(_ text: String?) -> UnsafePointer<CChar>? {
    unsafe text.flatMap { unsafe strings.copy(of: $0) }
  }
}

extension RecordingReader {
  /// Opens a file by its name in the file system's encoding.
  convenience init(cPath path: UnsafePointer<CChar>, options: RecordingOptions) throws(RecordingError) {
    if let name = unsafe String(validatingCString: path) {
      try self.init(path: name, options: options)
      return
    }
    // A name that is not UTF-8 cannot be a string.
    let name = unsafe String(cString: path)
    let descriptor = unsafe Platform.open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY)
    if descriptor < 0 { throw .cannotOpen(path: name, errno: errno) }
    self.init(fileDescriptor: descriptor, name: name, handingOver: true, options: options)
  }
}

extension AccelerationUnit {
  /// The unit as the option units takes it.
  fileprivate var option: String {
    switch self {
    case .g: "g"
    case .milliG: "mg"
    case .metresPerSecondSquared: "m/s2"
    case .raw(let counts): "raw=\(counts)"
    }
  }
}
