import Accelerometry
import Foundation

@testable import Analytics
@testable import CSensorShim
@testable import IIOScans
@testable import LinuxSensors
@testable import LiveSources
@testable import Recordings

/// A line whose bytes arrive in pieces, 20 ms apart or after a pause, until it is unplugged.
final class FuzzLine: TextChannel {
  private var pieces: ArraySlice<[UInt8]>
  private(set) var now: Int64 = 0
  private var waits = 0
  /// Every so many waits are in vain; 0: none.
  private let pauses: Int

  func takeRemark() -> String? { nil }

  init(_ pieces: [[UInt8]], pauses: Int) { (self.pieces, self.pauses) = (pieces[...], pauses) }

  func wait(until stop: StopSignal, atMost timeout: Duration) -> StopSignal.Outcome {
    waits += 1
    if pauses > 0, waits % pauses == 0 {
      now += Int64(timeout / .nanoseconds(1))
      return .timedOut
    }
    now += 20_000_000
    return .readable
  }

  func rest(until stop: StopSignal, for time: Duration) -> StopSignal.Outcome { .timedOut }

  func read(into target: UnsafeMutableRawBufferPointer) throws(SensorError) -> Int {
    guard let piece = pieces.popFirst() else { throw .removed(path: "fuzz") }
    let count = min(target.count, piece.count)
    piece.withUnsafeBytes { target.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[..<count])) }
    if count < piece.count { pieces.insert(Array(piece[count...]), at: pieces.startIndex) }
    return count
  }
}

private let never: StopSignal = {
  do { return try StopSignal() } catch { fatalError("\(error)") }
}()

/// A board may print anything: its samples have increasing times and finite values.
func checkBoard(_ bytes: [UInt8]) {
  var dice = Dice(bytes)
  let pieces = dice.cut(bytes)
  var settings = BoardReader.Settings(name: "fuzz")
  settings.medium = [.serial(rate: 9600), .datagrams(port: 5555), .messages][dice.roll(3)]
  if dice.roll(4) == 0 { settings.reading.samplingFrequency = SamplingFrequency(hertz: 50) }
  let pauses = dice.roll(2) == 0 ? 0 : 2 + dice.roll(8)
  let reader = BoardReader(settings) { FuzzLine(pieces, pauses: pauses) }
  var watch = SampleCheck(limit: bytes.count)
  do {
    try reader.open()
    while let batch = try reader.next(until: never) { watch.take(batch.samples) }
  } catch { _ = "\(error)" }
  reader.close()
  var (text, again) = (BoardText(), BoardText())
  text.append(bytes)
  for piece in pieces { again.append(piece) }
  require(text.start == again.start && text.bytes == again.bytes && text.excerpt == again.excerpt)
}

/// Messages of phones, answers of phyphox and events of the service.
func checkMessages(_ bytes: [UInt8]) {
  var dice = Dice(bytes)
  let message = SampleMessage(bytes)
  if let content = try? message.content(unit: nil, after: nil) {
    _ = try? message.content(unit: .milliG, after: content.layout)
    for sample in content.samples {
      require(sample.acceleration.sum().isFinite, "an acceleration is infinite")
      require(DecimalNumber.isTimestamp(sample.nanoseconds), "a time is out of range")
    }
  }
  let names =
    (try? JSONDecoder().decode(PhyphoxConfiguration.self, from: Data(bytes)))?.buffersOfAccelerometer
    ?? PhyphoxBuffers(time: "acc_time", axes: ["accX", "accY", "accZ"], isLinear: false)
  for query in [names.latestTimeQuery, names.query(after: 1.5)] {
    require(query.utf8.allSatisfy { (0x21..<0x7F).contains($0) && $0 != 0x23 }, "a query that is no part of a URL")
  }
  if let answer = try? JSONDecoder().decode(PhyphoxAnswer.self, from: Data(bytes)) {
    _ = answer.latest(names.time)
    var watch = SampleCheck(limit: bytes.count)
    if let found = try? answer.samples(of: names, after: 0, unit: .g, name: "fuzz") { watch.take(found.samples) }
  }
}

/// Reports that wait for delivery.
func checkReports(_ bytes: [UInt8]) {
  for line in bytes.split(separator: 0x0A).prefix(20) {
    guard let report = try? ReportJSON.value(Report.self, of: line) else { continue }
    let copy = (try? report.json()).flatMap { try? ReportJSON.value(Report.self, of: $0) }
    require(copy == report, "a report is read differently")
  }
}

/// What the kernel and Bluetooth sensors say.
func checkSensors(_ bytes: [UInt8]) {
  let text = String(decoding: bytes.prefix(400), as: UTF8.self)
  var formats: [ScanElementFormat] = []
  for word in text.split(separator: "\n").prefix(20) {
    if let format = ScanElementFormat(parsing: word) {
      require(ScanElementFormat(parsing: "\(format)") == format, "a format is read differently")
      formats.append(format)
    }
    if let values = AvailableValues(parsing: word) { _ = values.value(notBelow: 50) }
    if let matrix = MountMatrix(parsing: word) {
      let turned = matrix.apply(to: SIMD3(1, 2, 3))
      require(turned.x.isFinite)
    }
  }
  if let measurement = RunningSpeedCadence(bytes) { require(measurement.speed >= 0 && measurement.cadence >= 0) }
  checkAxes(formats, bytes)
  var assembler = EvdevFrameAssembler(axes: [0, 1, 2], counts: .zero)
  var place = 0
  while place + 8 <= bytes.count {
    let value = Int32(bitPattern: bytes[place..<place + 4].reduce(0) { $0 << 8 | UInt32($1) })
    let event = sensor_input_event(
      nanoseconds: Int64(place), value: value, type: UInt16(bytes[place + 4] & 7), code: UInt16(bytes[place + 5] & 7))
    _ = assembler.take(event)
    place += 8
  }
}

/// An axis has the same value beside axes of other formats as beside axes of its format.
private func checkAxes(_ formats: [ScanElementFormat], _ bytes: [UInt8]) {
  guard formats.count >= 3 else { return }
  let mixed = scan(Array(formats[..<3]), isPacked: false)
  guard let field = mixed.layout["in_accel_x"], let decoder = mixed.decoder, bytes.count >= decoder.scanSize,
    let alike = scan([formats[0], formats[0], formats[0]], isPacked: true).decoder
  else { return }
  var (samples, others): ([AccelerationSample], [AccelerationSample]) = ([], [])
  decoder.decode(bytes.span.bytes, into: &samples)
  require(samples.count == bytes.count / decoder.scanSize, "a scan is lost")
  let number = bytes[field.offset..<field.offset + formats[0].storageBits / 8]
  alike.decode(Array(number + number + number).span.bytes, into: &others)
  require(others.count == 1 && samples[0].acceleration.x == others[0].acceleration.x, "an axis depends on the others")
}

private func scan(_ formats: [ScanElementFormat], isPacked: Bool) -> ScanDescription {
  let names = ["in_accel_x", "in_accel_y", "in_accel_z"]
  let axes = names.map { IIOChannel(name: $0, scale: 0.00981) }
  var description = ScanDescription(
    name: "fuzz",
    elements: formats.indices.map { ScanElement(name: names[$0], index: $0, format: formats[$0], isEnabled: true) },
    channels: IIOAccelerometerChannels(x: axes[0], y: axes[1], z: axes[2]))
  description.isPacked = isPacked
  return description
}
