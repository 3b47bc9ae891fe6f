/// JSON that is not one sample per line: arrays of samples, objects of columns, and messages with many samples each.
///
/// The adapter takes one value at a time (an element of an outer array, or a line), finds the samples in it at any
/// depth, and writes them as rows of CSV. If there are several sensors, the first samples decide which one is read.
/// Samples of a message with a single time are spaced evenly up to the next message.
final class JSONAdapter: TextAdapter {
  typealias Sample = JSONSamples.Sample

  private var scanner = JSONScanner()
  private var isTable = false
  /// The samples before the sensor is chosen.
  private var waiting: [Sample] = []
  private var sensor: String?
  /// Those of the same kind that are not read.
  private var (rank, others): (Int, Set<String>) = (0, [])
  private var batch: [Sample] = []
  private var lastStep: Double?
  /// See ``JSONSamples/uneven``.
  private var uneven: ClosedRange<Int>?
  /// The latest gravity, where it is to be added.
  private var gravity: SIMD3<Double>?
  private var addsGravity = false
  /// A header line with the sampling frequency, if the text states one.
  private var rate: [UInt8] = []

  /// The number of samples after which the sensor is chosen.
  private static let enough = 256

  init?(_ head: [UInt8]) {
    guard Self.mayBegin(head), Self.isLineOfSample(head, isAll: true) == false else { return nil }
  }

  /// Whether a text may begin with an object or an array.
  static func mayBegin(_ head: [UInt8]) -> Bool {
    var start = JSONStart()
    start.take(head[...])
    return start.mayBegin
  }

  private static let linesOfHead = 8

  /// Whether the first lines are whole objects or arrays of one sample each, which the line reader parses directly.
  /// - Parameter isAll: whether no more lines follow.
  /// - Returns: `nil` if they are needed.
  static func isLineOfSample(_ head: [UInt8], isAll: Bool) -> Bool? {
    var isEmpty = true
    var sensors: Set<String> = []
    var answer: Bool?
    let lines = head.split(maxSplits: linesOfHead) { $0 == 0x0A || $0 == 0x0D }.prefix(linesOfHead)
    for line in lines {
      if RowDecoder.isBracket(line.span, 0..<line.count) || JSONFields.isMetadata(line.span, 0..<line.count) {
        continue
      }
      isEmpty = false
      var fields = JSONFields()
      guard line.count < LineBuffer.longestLine, fields.read(line.span, 0..<line.count) else { return false }
      // A nested array of objects or rows contains many samples.
      let names = fields.values.map { fields.name($0) }
      // A message encoded as a string in another message, or lines of several sensors.
      if fields.values.contains(where: {
        !$0.text.isEmpty && "{[".utf8.contains(line[line.startIndex + $0.text.lowerBound])
      }) {
        return false
      }
      for value in fields.values where JSONSamples.sensorKeys.contains(fields.name(value)) {
        sensors.insert(String(decoding: Array(line)[value.text], as: UTF8.self))
      }
      let isNested = names.contains { name in
        let parts = name.split(separator: ".")
        return parts.dropLast().contains { Int($0) != nil } || Int(parts.last ?? "") ?? 0 > 8
      }
      answer = answer ?? (!isNested && !repeatsKey(names))
      if answer == false || sensors.isEmpty { return answer ?? true }
    }
    guard isAll || lines.count == linesOfHead else { return nil }
    return answer.map { $0 && sensors.count < 2 } ?? isEmpty
  }

  /// Whether many members have a key of the same name, as the records of one object do.
  private static func repeatsKey(_ names: [String]) -> Bool {
    guard names.count > mostSensors else { return false }
    var counts: [Substring: Int] = [:]
    for name in names { counts[name.split(separator: ".").last ?? "", default: 0] += 1 }
    return counts.values.contains { $0 > mostSensors }
  }

  static let mostSensors = 16

  var remarks: [String] {
    var cut = scanner.isCut ? ["the JSON document is truncated; everything before the end was read"] : []
    if let uneven {
      cut.append(
        "the arrays of the axes and times have different lengths (\(uneven.lowerBound) to \(uneven.upperBound) values); what is behind"
          + " the end of the shortest was not used")
    }
    guard let sensor, !others.isEmpty else { return cut }
    return cut + [
      "the samples are of \(others.count + 1) devices or sensors; only those of '\(sensor)' were used, and not those of"
        + " '\(others.sorted().joined(separator: "', '"))'"
    ]
  }

  func adapt(_ input: ArraySlice<UInt8>, isLast: Bool, into output: inout [UInt8]) {
    scanner.feed(input)
    while let value = scanner.next(isLast: isLast) {
      // Rows of more numbers than a time and three axes, as NumPy's `tolist()` gives them, are those of a table without names.
      if sensor == nil, waiting.isEmpty, case .array = value, let row = value.column, row.count > 4,
        !row.contains(where: { Double($0) == nil })
      {
        output += Array((row.joined(separator: ",") + "\n").utf8)
        isTable = true
        continue
      }
      let samples = JSONSamples(value)
      let found = samples.found
      uneven = uneven ?? samples.uneven
      if sensor == nil, rate.isEmpty { rate = StatedRate.line(in: value) }
      if sensor == nil { waiting += found } else { emit(found, &output) }
      if sensor == nil, waiting.count >= Self.enough { choose(&output) }
      reportDamage(&output)
    }
    if isLast {
      if sensor == nil { choose(&output) }
      close(nextTime: nil, &output)
    }
    reportDamage(&output)
  }

  func failure(path: String) -> RecordingError? {
    if sensor != nil || isTable { return nil }
    return scanner.isTooLong ? .longJSON(path: path) : scanner.isCut ? .cutJSON(path: path) : nil
  }

  /// Writes a row that no reader accepts for each damaged value, so that the summary counts it as skipped.
  private func reportDamage(_ output: inout [UInt8]) {
    guard sensor != nil else { return }
    for _ in 0..<scanner.takeDamaged() { output += Array("damaged JSON\n".utf8) }
  }

  private func choose(_ output: inout [UInt8]) {
    guard let best = waiting.filter({ !$0.isGravity }).min(by: { $0.rank < $1.rank }) else {
      // Only gravity so far; the latest is enough.
      waiting.removeFirst(max(0, waiting.count - Self.enough / 2))
      return
    }
    (sensor, rank) = (best.sensor, best.rank)
    addsGravity = lacksGravity(best.sensor)
    if addsGravity { gravity = waiting.first { $0.isGravity }?.vector }
    let kind = best.quantity == .linear && !addsGravity ? "linear acceleration " : "acceleration "
    let time = best.time == nil ? "" : best.timeName + ","
    if time.isEmpty { output += rate }
    output += Array((time + ["x", "y", "z"].map { kind + $0 }.joined(separator: ",") + "\n").utf8)
    emit(waiting, &output)
    waiting = []
  }

  /// Whether gravity stands beside the samples of a sensor and is not in them: Sensor Logger's `accelerometer` and `gravity`.
  private func lacksGravity(_ sensor: String) -> Bool {
    let size = { (samples: [SIMD3<Double>]) -> Double in
      let sum = samples.reduce(SIMD3<Double>()) { $0 + $1 }
      return (sum * sum).sum().squareRoot() / Double(max(1, samples.count))
    }
    let beside = waiting.filter(\.isGravity).compactMap(\.vector)
    return !beside.isEmpty && size(waiting.filter { $0.sensor == sensor }.compactMap(\.vector)) < 0.5 * size(beside)
  }

  /// A sample with gravity: that of the same message or time, or else the latest.
  private func withGravity(_ sample: Sample, _ samples: [Sample], _ gravities: [String: SIMD3<Double>]) -> Sample {
    guard addsGravity else { return sample }
    if let time = sample.time, let same = gravities[time] { gravity = same }
    guard let vector = sample.vector, let gravity else { return sample }
    var whole = sample
    let sum = vector + gravity
    whole.axes = ["\(sum.x)", "\(sum.y)", "\(sum.z)"]
    return whole
  }

  private func emit(_ samples: [Sample], _ output: inout [UInt8]) {
    var gravities: [String: SIMD3<Double>] = [:]
    if addsGravity {
      for sample in samples where sample.isGravity {
        if let time = sample.time { gravities[time] = sample.vector }
      }
    }
    for found in samples {
      if found.isGravity, addsGravity { gravity = found.vector ?? gravity }
      guard found.sensor == sensor else {
        if found.rank == rank, !found.isGravity, others.count < Self.mostSensors { others.insert(found.sensor) }
        continue
      }
      let sample = withGravity(found, samples, gravities)
      guard sample.isBatch else {
        write(sample, sample.time, &output)
        continue
      }
      if let first = batch.first, first.time != sample.time { close(nextTime: sample.time, &output) }
      batch.append(sample)
    }
  }

  /// Writes the samples of a message once the time of the next one is known.
  private func close(nextTime: String?, _ output: inout [UInt8]) {
    guard let first = batch.first else { return }
    defer { batch.removeAll(keepingCapacity: true) }
    let start = first.time.flatMap { Double($0) }
    let next = nextTime.flatMap { Double($0) }
    if let start, let next, next > start { lastStep = (next - start) / Double(batch.count) }
    for (index, sample) in batch.enumerated() {
      guard let start, let lastStep else {
        write(sample, sample.time, &output)
        continue
      }
      let time = start + Double(index) * lastStep
      write(sample, time == time.rounded() && abs(time) < 9e18 ? "\(Int64(time))" : "\(time)", &output)
    }
  }

  private func write(_ sample: Sample, _ time: String?, _ output: inout [UInt8]) {
    output += Array(((time.map { $0 + "," } ?? "") + sample.axes.joined(separator: ",") + "\n").utf8)
  }
}
