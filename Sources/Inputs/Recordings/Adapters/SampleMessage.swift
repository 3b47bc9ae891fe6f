import Accelerometry

/// The samples of one message that a phone or program sends over a network: lines of `{"t":…,"x":…,"y":…,"z":…}` as
/// ``RecordingWriter`` writes them, messages of Sensor Logger (`payload`), objects of SensorServer (`values` and
/// `timestamp`), phyphox's answer to `/get` (`buffer`), and any other form that ``JSONAdapter`` reads.
///
/// The first seconds of a file show its layout, but a message is too short for that. The first message that resolves an
/// ambiguity therefore decides (``Layout``). The caller keeps the result and passes it on with the next message.
/// Implausible samples are refused.
package struct SampleMessage: Sendable {
  /// The properties that the messages of one client share.
  package struct Layout: Sendable, Hashable {
    /// What the timestamps count.
    var time: TimestampFormat
    package var unit: AccelerationUnit
    /// Whether gravity was removed.
    package var isLinear: Bool
    /// The sensor that is read, if there are several.
    var sensor: String
  }

  package struct Content: Sendable, Equatable {
    /// In the order of the message, with the client's timestamps, in g.
    package var samples: [AccelerationSample]
    /// Pass this on with the client's next message.
    package var layout: Layout
    /// Samples of the sensor that were skipped because a number is missing or not finite.
    package var skipped: Int
    /// Whether gravity is missing from samples that should contain it: the sensor is not ready, or the unit is wrong.
    package var isWeightless = false
  }

  /// The sender, as stated in Sensor Logger's messages: `deviceId`, `sessionId` and `messageId`.
  package private(set) var device: String?
  package private(set) var session: String?
  package private(set) var number: Int?
  private let found: [JSONSamples.Sample]

  /// Finds the samples in a message. Invalid JSON is skipped, so check for it first.
  ///
  /// Sensor Logger's "accelerometer" excludes gravity; "totalacceleration" and "accelerometeruncalibrated" include it.
  package init(_ body: [UInt8]) {
    var scanner = JSONScanner()
    var found: [JSONSamples.Sample] = []
    var members: [(key: String, value: JSONValue)] = []
    scanner.feed(body[...])
    while let value = scanner.next(isLast: true) {
      if members.isEmpty, case .object(let own) = value { members = own }
      found += JSONSamples(value).found
    }
    if members.contains(where: { $0.key == "payload" }) {
      for index in found.indices where found[index].sensor.lowercased() == "accelerometerx" {
        found[index].quantity = .linear
      }
    }
    self.found = found
    let text = { (key: String) in members.first { $0.key == key }?.value.text }
    (device, session, number) = (text("deviceId"), text("sessionId"), text("messageId").flatMap { Int($0) })
  }

  /// Decodes the message.
  /// - Parameters:
  ///   - unit: the unit that the client states.
  ///   - former: the layout of the client's previous messages.
  /// - Throws: ``SampleMessageError`` if there are no samples or the numbers are implausible in the stated unit.
  package func content(unit: AccelerationUnit?, after former: Layout?) throws(SampleMessageError) -> Content {
    guard let best = found.min(by: { ($0.rank, $0.sensor) < ($1.rank, $1.sensor) }) else {
      throw SampleMessageError(
        reason:
          "no samples found; send lines such as {\"t\":0.02,\"x\":0.01,\"y\":-0.5,\"z\":0.87}, t in seconds and x, y, z in g"
      )
    }
    let sensor = former?.sensor ?? best.sensor
    let rows = found.filter { $0.sensor == sensor }
    // Samples of another sensor do not continue the previous ones.
    if let former, rows.isEmpty { return Content(samples: [], layout: former, skipped: found.count) }
    let isLinear = rows.first?.quantity == .linear
    var numbers: [DecimalNumber] = []
    var values: [SIMD3<Double>] = []
    for row in rows {
      guard let text = row.time else {
        throw SampleMessageError(reason: "the samples have no timestamps; add t, the time in seconds, to each")
      }
      let axes = row.axes.compactMap { Double($0) }
      guard case .number(let time) = Self.number(text), axes.count == 3, axes.allSatisfy(\.isFinite) else { continue }
      numbers.append(time)
      values.append(SIMD3(axes[0], axes[1], axes[2]))
    }
    guard !numbers.isEmpty else {
      throw SampleMessageError(reason: "no sample has three finite numbers and a numeric timestamp; send numbers")
    }
    let isOwn = rows[0].timeName == "t"
    let time = try Self.format(numbers, named: rows[0].timeName, isOwn: isOwn, former)
    let given = unit ?? (former?.isLinear == isLinear ? former?.unit : nil)
    let layout = Layout(
      time: time, unit: given ?? Self.unit(values, isLinear: isLinear, isOwn: isOwn), isLinear: isLinear, sensor: sensor
    )
    if former == nil, !isLinear { try Self.check(values, layout.unit) }
    let scale = layout.unit.inG
    let isWeightless = !isLinear && Self.median(values) * scale < Self.leastGravity
    var content = Content(samples: [], layout: layout, skipped: rows.count - numbers.count, isWeightless: isWeightless)
    for (number, value) in zip(numbers, values) {
      // A number may be too large for a sample.
      let acceleration = SIMD3<Float>(value * scale)
      guard let nanoseconds = time.nanoseconds(number), acceleration.sum().isFinite else {
        content.skipped += 1
        continue
      }
      content.samples.append(AccelerationSample(nanoseconds: nanoseconds, acceleration: acceleration))
    }
    return content
  }

  private static func number(_ text: String) -> DecimalNumber.Field {
    let bytes = Array(text.utf8)
    return DecimalNumber.parse(bytes.span, 0..<bytes.count, decimalComma: false)
  }

  /// Detects what the timestamps count: by their name, by the previous messages, or by which format gives a plausible
  /// sampling frequency.
  private static func format(
    _ numbers: [DecimalNumber], named name: String, isOwn: Bool, _ former: Layout?
  ) throws(SampleMessageError) -> TimestampFormat {
    var stated: TimestampFormat? = isOwn ? .seconds : nil
    if stated == nil, case .time(let unit?) = ColumnName(name).role { stated = unit }
    guard numbers.count >= fewest else {
      if let known = stated ?? former?.time { return known }
      throw SampleMessageError(
        reason:
          "\(numbers.count) samples do not show what '\(name)' counts; send \(fewest) or more with the first message")
    }
    let known = stated ?? former?.time
    if Set(numbers.map(\.value)).count == 1 {
      throw SampleMessageError(reason: "all samples have the same timestamp; send the time of each")
    }
    let guess =
      known.map { format in TimeGuess(nanoseconds: numbers.compactMap { format.nanoseconds($0) }, format: format) }
      ?? TimeGuess(numbers: numbers)
    if guess.isImplausible {
      throw SampleMessageError(
        reason:
          "the timestamps give \(guess.rate) samples a second, read as \(guess.format.name); send 5 to 1000 a second"
          + (isOwn ? ", with t in seconds" : ""))
    }
    return guess.format
  }

  /// The minimum number of samples to detect a sampling frequency and a unit.
  private static let fewest = 4

  /// Our own format is in g. Phones use m/s², except for some raw values of iOS, which show in gravity.
  private static func unit(_ values: [SIMD3<Double>], isLinear: Bool, isOwn: Bool) -> AccelerationUnit {
    if isOwn { return .g }
    return !isLinear && median(values) < 3.2 ? .g : .metresPerSecondSquared
  }

  /// Refuses a unit in which gravity is implausible. If the phone is falling or thrown, a later message decides.
  private static func check(_ values: [SIMD3<Double>], _ unit: AccelerationUnit) throws(SampleMessageError) {
    let size = median(values) * unit.inG
    guard values.count >= fewest, size > mostGravity else { return }
    throw SampleMessageError(
      reason:
        "with \(unit.name) as the unit the acceleration is \(UnitGuess.text(size)) g, but a phone that is held shows"
        + " 1 g; send g, or state the unit with ?units=g, mg, m/s2 or raw=COUNTS")
  }

  /// The limits of the median over a message, in g, for any kind of running.
  private static let (leastGravity, mostGravity) = (0.02, 5.0)

  private static func median(_ values: [SIMD3<Double>]) -> Double { values.map { ($0 * $0).sum().squareRoot() }.median }
}

/// The reason why a message contains no samples that can be counted: one sentence with the remedy.
package struct SampleMessageError: Error, Sendable, Hashable {
  package var reason: String
}
