import Foundation

/// The rows of a damaged file by table, as far as they are recognised and their checksums are right.
struct SalvagedRows {
  struct Key: Hashable {
    var minute: Int64
    var source: Int64
  }

  /// Sums of minutes.
  struct Sum: Hashable {
    var minutes: Int64 = 0
    var digest: Int64 = 0

    static func + (a: Sum, b: Sum) -> Sum { Sum(minutes: a.minutes + b.minutes, digest: a.digest + b.digest) }
    static func - (a: Sum, b: Sum) -> Sum { Sum(minutes: a.minutes - b.minutes, digest: a.digest - b.digest) }
  }

  struct Quarter {
    var entry: MinuteTable.Entry
    var sum: Sum
  }

  struct Source {
    var id: Int64
    var identity: String
    var name: String
    /// newest, minuteSteps, boutStart, repeated, impossible.
    var numbers: [Int64?]
    /// Whether the checksum is right.
    var isCertain: Bool
  }

  struct Bout {
    var start: Int64
    var source: Int64
    var finish: Int64
    var entry: MinuteTable.Entry
    var chk: Int64
  }

  struct Whole {
    var generation: Int64
    var sum: Sum
    var bouts: Int64
  }

  var minutes: [Key: MinuteTable.Entry] = [:]
  var quarters: [Int64: Quarter] = [:]
  var days: [Int64: (sum: Sum, bouts: Int64)] = [:]
  var whole: Whole?
  var sources: [Int64: Source] = [:]
  var bouts: [Key: Bout] = [:]
  /// Four columns of recent steps.
  var steps: [[Int64]] = []
  /// Rows of a table without checksums.
  var reports: [Int64: [PageRecords.Value]] = [:]
  var losses: [HistoryLoss] = []
  var clock: (boot: String, ahead: Int64)?
  /// By the number of their source.
  var counters: [Int64: StepCounter] = [:]

  init(_ image: DatabaseImage) {
    image.forEachPage { page, number in
      PageRecords.forEach(in: page, number: number) { kind, row, values in
        switch kind {
        case .index: addIndex(values)
        case .table: addTable(row, values)
        }
      }
    }
  }

  /// The tables whose key is the row itself. Their first columns are of different magnitudes: minutes since 1970,
  /// quarters of an hour, or microseconds.
  private mutating func addIndex(_ values: [PageRecords.Value]) {
    // Of entries of indexes, only those of reports have texts.
    var numbers: [Int64?] = []
    for value in values {
      guard let number = value.optionalInteger else { return }
      numbers.append(number)
    }
    guard values.count >= 4, let first = numbers[0], let second = numbers[1], let third = numbers[2],
      let fourth = numbers[3], first >= 0, second >= 0, third >= 0, fourth >= 0
    else { return }
    func isSealed() -> Bool { numbers[numbers.count - 1] == RowDigest.value(numbers.dropLast()) }
    switch (values.count, first >= Self.firstTime) {
    case (4, true): steps.append([first, second, third, fourth])
    case (7, false):
      guard second > 0, let active = numbers[4], active >= 0 else { return }
      let entry = MinuteTable.Entry(
        steps: Int(third), distance: fourth, active: active, floors: Self.floors(numbers[5], numbers[6]))
      if entry.isPlausible { minutes[Key(minute: first, source: second)] = entry }
    case (9, false):
      guard isSealed(), let minutes = numbers[6], let digest = numbers[7] else { return }
      let entry = MinuteTable.Entry(
        steps: Int(second), distance: third, active: fourth, floors: Self.floors(numbers[4], numbers[5]))
      quarters[first] = Quarter(entry: entry, sum: Sum(minutes: minutes, digest: digest))
    case (7, true):
      guard isSealed(), let distance = numbers[4], let active = numbers[5], let chk = numbers[6] else { return }
      bouts[Key(minute: first, source: second)] = Bout(
        start: first, source: second, finish: third,
        entry: MinuteTable.Entry(steps: Int(fourth), distance: distance, active: active), chk: chk)
    default: return
    }
  }

  /// Microseconds from 00:35:48 on 1 January 1970 on. Smaller numbers count minutes, until the year 6053, or quarters of an hour.
  private static let firstTime: Int64 = 1 << 31

  private static func floors(_ ascended: Int64?, _ descended: Int64?) -> MinuteTable.Floors? {
    guard ascended != nil || descended != nil else { return nil }
    return MinuteTable.Floors(
      ascended: Int(truncatingIfNeeded: ascended ?? 0), descended: Int(truncatingIfNeeded: descended ?? 0))
  }

  private mutating func addTable(_ row: Int64, _ values: [PageRecords.Value]) {
    guard row > 0 || values.count == 5, values.first == .null || values.count == 11 else { return }
    switch values.count {
    case 3: if let boot = values[1].text, let ahead = values[2].integer { clock = (boot, ahead) }
    case 5: addDay(row, values)
    case 7: if values[6].text != nil { addLoss(values) } else { addWhole(values) }
    case 8: addCounter(row, values)
    case 9: addSource(row, values)
    case 11: if values[1].text != nil, values[2].text != nil { reports[row] = values }
    default: return
    }
  }

  private mutating func addDay(_ day: Int64, _ values: [PageRecords.Value]) {
    let numbers = values.dropFirst().compactMap(\.integer)
    guard numbers.count == 4, numbers[3] == RowDigest.value([day] + numbers[..<3]) else { return }
    days[day] = (Sum(minutes: numbers[0], digest: numbers[1]), numbers[2])
  }

  private mutating func addWhole(_ values: [PageRecords.Value]) {
    let numbers = values.dropFirst().compactMap(\.integer)
    guard numbers.count == 6, numbers[5] == RowDigest.value(numbers.dropLast()), numbers[0] >= whole?.generation ?? 0
    else { return }
    whole = Whole(generation: numbers[0], sum: Sum(minutes: numbers[1], digest: numbers[2]), bouts: numbers[3])
  }

  private mutating func addLoss(_ values: [PageRecords.Value]) {
    guard let noticed = values[1].integer, let start = values[2].integer, let finish = values[3].integer,
      let minutes = values[4].integer, let kind = values[6].text.flatMap(HistoryLoss.Kind.init(rawValue:))
    else { return }
    losses.append(
      HistoryLoss(
        start: Date(microseconds: start), end: Date(microseconds: finish), kind: kind, minutes: Int(minutes),
        steps: values[5].integer.map { Int($0) }, noticed: Date(microseconds: noticed)))
  }

  /// A page that was replaced may have an older reading; the later one is right.
  private mutating func addCounter(_ source: Int64, _ values: [PageRecords.Value]) {
    let numbers = values[2...6].map(\.integer)
    guard let origin = values[1].text, let kind = CounterReading.Origin(rawValue: origin), let time = numbers[1],
      let steps = numbers[2], time >= counters[source]?.mark.time ?? .min
    else { return }
    guard values[7].integer == RowDigest.value([source] + numbers + [RowDigest.text(origin, "")]) else { return }
    let doubt = numbers[3].flatMap { time in numbers[4].map { StepCounter.Mark(time: time, steps: Int($0)) } }
    counters[source] = StepCounter(
      kind: kind, since: numbers[0], mark: StepCounter.Mark(time: time, steps: Int(steps)), doubt: doubt)
  }

  private mutating func addSource(_ id: Int64, _ values: [PageRecords.Value]) {
    guard let identity = values[1].text, let name = values[2].text else { return }
    let numbers = values[3...7].map(\.integer)
    let isCertain = values[8].integer == RowDigest.value([id] + numbers + [RowDigest.text(identity, name)])
    if let former = sources[id], former.isCertain { return }
    sources[id] = Source(id: id, identity: identity, name: name, numbers: numbers, isCertain: isCertain)
  }
}

extension MinuteTable.Entry {
  /// Whether a minute can have these sums: a clock that was set back may make it occur twice or more.
  var isPlausible: Bool {
    steps >= 0 && steps < 100_000 && distance >= 0 && distance < 1 << 40 && active >= 0 && active < 1 << 40
      && (floors.map { $0.ascended >= 0 && $0.descended >= 0 } ?? true)
  }

  func digest(_ key: SalvagedRows.Key) -> Int64 {
    RowDigest.value([
      key.minute, key.source, Int64(steps), distance, active, floors.map { Int64($0.ascended) },
      floors.map { Int64($0.descended) },
    ])
  }
}
