import Accelerometry
import Glibc

@testable import IIOScans
@testable import Recordings

/// The result of reading a recording.
private struct Outcome: Equatable {
  var samples: [AccelerationSample] = []
  var error: RecordingError.Code?
  var warnings: [String] = []

  /// Where two results differ.
  func difference(from other: Outcome) -> String {
    let place = zip(samples, other.samples).enumerated().first { $1.0 != $1.1 }
    return """
      \(samples.count) and \(other.samples.count) samples, \(error.map { "\($0)" } ?? "-") and \
      \(other.error.map { "\($0)" } ?? "-"), \(warnings) and \(other.warnings)\
      \(place.map { ", sample \($0.offset): \($0.element.0) and \($0.element.1)" } ?? "")
      """
  }
}

/// Bytes that arrive in pieces.
private final class Pieces: ByteSupply {
  private var pieces: ArraySlice<[UInt8]>
  private var place = 0

  init(_ pieces: [[UInt8]]) { self.pieces = pieces[...] }

  func read(into target: UnsafeMutableRawBufferPointer) -> Int {
    guard let piece = pieces.first else { return 0 }
    let count = min(target.count, piece.count - place)
    piece.withUnsafeBytes { target.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[place..<place + count])) }
    place += count
    if place == piece.count {
      pieces.removeFirst()
      place = 0
    }
    return count
  }
}

/// Properties of all bytes: nothing traps, times increase, accelerations are finite, the number of samples is limited,
/// and the result does not depend on how the bytes are cut, nor, if the unit is stated, on whether they are a file, unless
/// the look at a whole file found what a pipe cannot know, and says so.
func checkRecording(_ bytes: [UInt8]) {
  var dice = Dice(bytes)
  var options = RecordingOptions()
  let kind = dice.roll(4)
  if kind == 1 { options.unit = .g }
  // Lines of a board have no times.
  if kind == 2 { options.samplingFrequency = SamplingFrequency(hertz: 50) }
  switch dice.roll(16) {
  case 0: options.columns = ["1", "2", "3", "4"]
  case 1: options.columns = ["t", "x", "y", "z"]
  case 2:
    options.window = TimeWindow(
      start: .sinceFirstSample(nanoseconds: 100_000_000), end: .sinceFirstSample(nanoseconds: 2_000_000_000))
  case 3: options.window = TimeWindow(start: .unix(nanoseconds: 1_777_882_500_500_000_000))
  case 4: _ = options.takeUnit(named: "raw=102@512")
  case 5: options.format = RecordingFormat.allCases[dice.roll(RecordingFormat.allCases.count)]
  case 6: options.entry = "a.csv"
  default: break
  }
  var whole = read(RecordingReader(Pieces([bytes]), name: "fuzz", options: options))
  // A Matrix dump below lines of text is recognised only if its header arrives with the first line.
  let isBelowText = bytes.prefix(while: { $0 != 0 }).prefix(512).contains(0x0A)
  if isBelowText, bytes.span.firstPlace(of: "MDTCPACK") != nil { return }
  var cut = read(RecordingReader(Pieces(dice.cut(bytes)), name: "fuzz", options: options))
  // Reading ends behind a window, so that damage there may be unknown.
  if options.window?.end != nil { (whole.warnings, cut.warnings) = ([], []) }
  require(whole == cut, "the result depends on the pieces: \(whole.difference(from: cut))")
  guard kind == 1 || kind == 3 else { return }
  let file = file(bytes)
  defer { close(file) }
  let ofFile = read(RecordingReader(fileDescriptor: file, name: "fuzz", options: options))
  // Of a zip from a pipe, only the first recording is read.
  guard kind == 1, ArchiveContents.recognise(Array(bytes.prefix(1024))) == nil else { return }
  let secondLook = ["they were sorted", "spread evenly", "failed read"]
  if (ofFile.warnings + whole.warnings).contains(where: { sentence in secondLook.contains { sentence.contains($0) } }) {
    return
  }
  require(ofFile.samples == whole.samples, "a pipe differs from a file: \(whole.difference(from: ofFile))")
}

/// The samples are those of the decoder, too, without the archive or the header around them.
func checkDump(_ format: Format, _ bytes: [UInt8]) {
  var dice = Dice(bytes)
  let whole = readDump(format, [bytes])
  let cut = readDump(format, dice.cut(bytes))
  require(whole == cut, "the result depends on the pieces: \(whole.difference(from: cut))")
  if dice.roll(4) == 0 { checkRecording(bytes) }
}

private func readDump(_ format: Format, _ pieces: [[UInt8]]) -> Outcome {
  let (kind, decoder): (RecordingFormat, any DumpDecoder) =
    switch format {
    case .gt3x: (.gt3x, GT3XLogDecoder(GT3XInfo()))
    case .gt3xActivity: (.gt3x, GT3XActivityDecoder(GT3XInfo()))
    case .geneactiv: (.geneactiv, GENEActivDecoder(path: "fuzz"))
    case .matrix: (.matrix, MatrixDecoder(path: "fuzz"))
    case .scans: (.iio, ScanDumpDecoder(scans, path: "fuzz", rate: nil))
    default: (.cwa, CWADecoder())
    }
  var reader = DumpReader(
    ByteSource(.supply(Pieces(pieces)), name: "fuzz"), (kind, decoder), options: RecordingOptions())
  var outcome = Outcome()
  var watch = SampleCheck(limit: 1 << 20)
  var samples: [AccelerationSample] = []
  do throws(RecordingError) {
    while try reader.read(into: &samples) {
      watch.take(samples)
      outcome.samples += samples
    }
  } catch { outcome.error = error.code }
  outcome.warnings = reader.summary.warnings
  return outcome
}

/// Possible formats of raw scans: those of a sensor hub, aligned, packed, and without a time.
private let scans: [ScanDescription] = {
  let names = ["in_accel_x", "in_accel_y", "in_accel_z", "in_timestamp"]
  let elements = names.enumerated().compactMap { index, name in
    ScanElementFormat(parsing: index < 3 ? "le:s16/16>>0" : "le:s64/64>>0").map {
      ScanElement(name: name, index: index, format: $0, isEnabled: false)
    }
  }
  let axes = names.map { IIOChannel(name: $0, scale: 0.00981) }
  return ScanDescription(
    name: "fuzz", elements: elements, channels: IIOAccelerometerChannels(x: axes[0], y: axes[1], z: axes[2]),
    samplingFrequency: SamplingFrequency(hertz: 50)
  ).candidates
}()

/// What the writer writes is read again: the same times, and the same accelerations to the last bit.
func checkWriter(_ bytes: [UInt8]) {
  guard bytes.count >= 16 else { return }
  var options = RecordingWriter.Options()
  options.format = bytes[0] & 1 == 0 ? .csv : .jsonLines
  options.namesUnits = bytes[0] & 8 != 0
  options.significantDigits = 9
  if bytes[0] & 16 != 0 { options.metadata = [.init("note", String(decoding: bytes[1..<8], as: UTF8.self))] }
  let isDate = bytes[0] & 32 != 0
  if isDate { options.clock = .init(shift: 1_777_882_500_000_000_000, offset: bytes[0] & 64 != 0 ? 7200 : nil) }
  var time = isDate ? 0 : Int64(bytes[1]) * 1_000_003
  var samples: [AccelerationSample] = []
  var place = 8
  while place + 8 <= bytes.count {
    let part = bytes[place..<place + 8].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    let counts = SIMD3<Float>(
      Float(Int16(truncatingIfNeeded: part)), Float(Int16(truncatingIfNeeded: part >> 16)),
      Float(Int16(truncatingIfNeeded: part >> 32)))
    samples.append(AccelerationSample(nanoseconds: time, acceleration: counts / 8191))
    // 30 to 100 samples a second, with jitter.
    time += 10_000_000 + Int64(part >> 48) * 350
    place += 8
  }
  // Rows with one value on all axes are failed reads, which are left out with a warning.
  if samples.contains(where: { $0.acceleration.x == $0.acceleration.y && $0.acceleration.y == $0.acceleration.z }) {
    return
  }
  checkRows(samples)
  checkWear(samples)
  checkClock(bytes)
  let file = file([])
  defer { close(file) }
  do {
    var writer = try RecordingWriter(to: .descriptor(file, name: "fuzz"), options: options)
    try writer.write(samples)
    try writer.finish()
  } catch { fail("\(error)") }
  lseek(file, 0, SEEK_SET)
  var reading = RecordingOptions(unit: .g)
  // JSON Lines have no header.
  if options.format == .jsonLines, !isDate, samples.count < 32 { return }
  reading.window = nil
  let outcome = read(RecordingReader(fileDescriptor: file, name: "fuzz", options: reading))
  if let error = outcome.error {
    require(samples.count < 32, "what was written is refused: \(error)")
    return
  }
  let shift = isDate ? outcome.samples.first.map { $0.nanoseconds - samples[0].nanoseconds } ?? 0 : 0
  let expected = samples.map { AccelerationSample(nanoseconds: $0.nanoseconds + shift, acceleration: $0.acceleration) }
  require(outcome.samples == expected, "what was written is read differently")
}

/// Rows in memory have the properties of a recording, and none is lost if the unit is stated.
private func checkRows(_ rows: [AccelerationSample]) {
  for unit in [nil, AccelerationUnit.g] {
    var reader = RowsInMemory(unit: unit)
    for piece in RowsInMemory.pieces(of: rows.count) {
      for row in rows[piece] { reader.look(at: row.nanoseconds, SIMD3(row.acceleration)) }
      reader.endPiece()
    }
    do { try reader.decide() } catch { continue }
    var samples: [AccelerationSample] = []
    for row in rows { reader.admit(row.nanoseconds, SIMD3(row.acceleration), into: &samples) }
    reader.finish(into: &samples)
    var watch = SampleCheck(limit: rows.count)
    watch.take(samples)
    require(samples == rows || unit == nil, "rows in memory are changed")
    _ = reader.summary.warnings
  }
}

/// A sensor is worn for no longer than the time of its samples.
private func checkWear(_ rows: [AccelerationSample]) {
  guard rows.count > 8 else { return }
  // Nine samples in eight seconds for more than an hour.
  let samples = (0..<5000).map { index in
    AccelerationSample(
      nanoseconds: Int64(index) * 900_000_000, acceleration: rows[index / 1000 * rows.count / 5].acceleration)
  }
  var wear = WearTime()
  wear.add(samples.span)
  require((.zero...(.seconds(4500))).contains(wear.worn ?? .zero), "worn for longer than it measured")
  require(wear.nonWear.count == 5, "a wrong number of quarters")
}

/// A moment that is written is read as it was.
private func checkClock(_ bytes: [UInt8]) {
  // Until 2115: the last representable moments, in 2116, are too late in another time zone.
  let time =
    bytes.prefix(8).reduce(Int64(0)) { $0 << 8 | Int64($1) } & 0x3FFF_FFFF_FFFF_FFFF % 4_600_000_000_000_000_000
  let offset = bytes[8] & 1 == 0 ? nil : (Int(bytes[9]) - 128) * 300
  let text = Array(ClockTime.iso8601(wallNanoseconds: time, offset: offset, decimals: 9).utf8)
  let moment = DateTimeText.parseMoment(text.span, text.indices)
  require(moment?.wallNanoseconds == time && moment?.offset == offset, "a moment is read differently")
}

private func read(_ reader: RecordingReader) -> Outcome {
  var outcome = Outcome()
  var samples: [AccelerationSample] = []
  // Compressed data may expand a thousandfold.
  var watch = SampleCheck(limit: 1 << 24)
  var wear = WearTime()
  do throws(RecordingError) {
    while try reader.read(into: &samples) {
      watch.take(samples)
      wear.add(samples.span)
      outcome.samples += samples
      if outcome.samples.count > 1 << 17 { break }
    }
  } catch {
    _ = "\(error)"
    outcome.error = error.code
  }
  // After an error, the bytes behind it may have been read and found damaged, or not.
  if outcome.error == nil { outcome.warnings = reader.summary.warnings }
  _ = reader.summary.refusal(path: "fuzz")
  require(wear.worn ?? .zero >= .zero, "a negative time")
  if let part = reader.fractionRead { require((0...1).contains(part), "more was read than there is") }
  checkSummary(reader.summary, outcome.samples)
  return outcome
}

/// The clock times of samples are dates that can be read, and in the order of the samples.
private func checkSummary(_ summary: RecordingSummary, _ samples: [AccelerationSample]) {
  require(summary.span >= .zero && summary.rowsSkipped >= 0, "a negative number")
  guard let first = samples.first, let last = samples.last else { return }
  let ends = [first, last].compactMap { sample in
    summary.wallTime(of: sample.nanoseconds) { _, isWall in isWall ? 3600 : -7200 }
  }
  require(ends.isEmpty || ends.count == 2 && ends[0].nanoseconds <= ends[1].nanoseconds, "clock times do not rise")
  guard let text = summary.clockText(of: first.nanoseconds), let end = ends.first else { return }
  let bytes = Array(text.utf8)
  // Years of four digits only.
  guard bytes.count > 10, bytes[4] == UInt8(ascii: "-"), end.nanoseconds > 0 else { return }
  require(DateTimeText.parseMoment(bytes.span, bytes.indices) != nil, "a clock time that cannot be read")
}

/// What holds for the samples of all sources.
struct SampleCheck {
  private var last = Int64.min
  private var total = 0
  private let limit: Int

  init(limit: Int) { self.limit = limit }

  mutating func take(_ samples: [AccelerationSample]) {
    for sample in samples {
      require(sample.nanoseconds > last, "time does not rise")
      require(sample.acceleration.x.isFinite && sample.acceleration.y.isFinite && sample.acceleration.z.isFinite)
      last = sample.nanoseconds
    }
    total += samples.count
    require(total <= limit, "more samples than bytes")
  }
}

/// An unnamed file.
private func file(_ bytes: [UInt8]) -> Int32 {
  let folder = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
  var name = Array("\(folder)/fuzz.XXXXXX".utf8CString)
  let descriptor = mkstemp(&name)
  unlink(name)
  require(descriptor >= 0 && write(descriptor, bytes, bytes.count) == bytes.count)
  lseek(descriptor, 0, SEEK_SET)
  return descriptor
}
