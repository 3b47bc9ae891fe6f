import Foundation
import History
import JSONLines
import Platform

extension ClientMessages {
  /// A reading of a counter, as in the body of `POST /api/counters`.
  package struct Counter: Decodable, Sendable {
    var source: String?
    var steps: Double?
    var time: Moment?
    var since: Moment?
    /// Several of the device, instead.
    var readings: [Counter]?
    /// The sum of a day, instead: `{"type":"step","value":"7961","date":"2026-11-27"}`.
    var type: String?
    var value: Moment?
    var date: String?

    /// A text, or seconds since 1970.
    enum Moment: Decodable, Sendable {
      case text(String)
      case seconds(Double)

      init(from decoder: any Decoder) throws {
        let value = try decoder.singleValueContainer()
        if let seconds = try? value.decode(Double.self) {
          self = .seconds(seconds)
        } else {
          self = .text(try value.decode(String.self))
        }
      }

      fileprivate var number: Double? {
        switch self {
        case .text(let text): Double(text)
        case .seconds(let number): number
        }
      }
    }
  }

  /// The readings in the body of `POST /api/counters`: one, several of a device as `readings`, or sums of days as the shortcut
  /// of SparkyFitness sends them among other figures.
  package struct Counters: Decodable, Sendable {
    fileprivate var readings: [Counter]

    package init(from decoder: any Decoder) throws {
      if (try? decoder.unkeyedContainer()) != nil {
        readings = try [Counter](from: decoder).filter { ["step", "steps"].contains($0.type?.lowercased()) }
        readings.sort { ($0.date ?? "") < ($1.date ?? "") }
        return
      }
      let whole = try Counter(from: decoder)
      readings = whole.readings ?? [whole]
      for index in readings.indices {
        readings[index].source = readings[index].source ?? whole.source
        readings[index].since = readings[index].since ?? whole.since
      }
      // A later reading would make an earlier one late.
      let times = readings.compactMap { $0.time.flatMap { try? ClientMessages.date($0, named: "time") } }
      guard times.count == readings.count else { return }
      readings = zip(times, readings).sorted { $0.0 < $1.0 }.map(\.1)
    }
  }

  /// The sum of a day as a reading at its end, or now; a later midnight is one of another day.
  private func reading(ofDay order: Counter) throws(ServiceRefusal) -> Counter {
    guard order.type != nil else { return order }
    let calendar = DayCalendar(timeZone: calendar().timeZone)
    guard let value = order.value?.number, let day = order.date.flatMap({ calendar.reading(String($0.prefix(10))) })
    else {
      throw ServiceRefusal(400, "a sum of steps has no 'value' or no 'date'; send both, such as 7961 and 2026-11-27")
    }
    return Counter(
      source: order.source ?? "shortcut", steps: value,
      time: .seconds(min(clock.now(), day.end - 1).timeIntervalSince1970),
      since: .seconds(day.start.timeIntervalSince1970))
  }

  /// Adds the steps of all readings of a body.
  /// - Returns: the source of the last one, and what became of each.
  /// - Throws: as for one.
  package func takeCounters(_ order: Counters) async throws -> (source: ClientSource, receipts: [CounterReceipt]) {
    guard let last = order.readings.last else {
      throw ServiceRefusal(400, "there is no reading; send one, or an entry of the type step")
    }
    var receipts: [CounterReceipt] = []
    for reading in order.readings.dropLast() {
      receipts.append(try await takeCounter(try self.reading(ofDay: reading)).receipt)
    }
    let (source, receipt) = try await takeCounter(try reading(ofDay: last))
    return (source, receipts + [receipt])
  }

  /// Adds the steps by which a counter has risen since its reading before.
  /// - Returns: the source, and what became of the reading.
  /// - Throws: ``ServiceRefusal``, and what `count` throws.
  package func takeCounter(_ order: Counter) async throws -> (source: ClientSource, receipt: CounterReceipt) {
    guard let name = order.source else {
      throw ServiceRefusal(400, "the device has no name; add \"source\", such as ann-phone")
    }
    try Self.checkName(name)
    let reading = try reading(order)
    let client = try clients.begin(named: name)
    var isAccepted = false
    defer { clients.end(client, isAccepted: isAccepted) }
    try client.begin(.counter)
    let receipt = try await count(reading, client.counter)
    isAccepted = true
    if case .impossible(let steps, let seconds) = receipt.verdict {
      throw ServiceRefusal(
        400,
        "\(steps) steps in \(Int(bounded: seconds)) s are more than people walk; check 'steps' and 'time'."
          + " If the next reading goes on from this one, its steps count from here")
    }
    client.add(counted: receipt.accepted)
    return (client, receipt)
  }

  private func reading(_ order: Counter) throws(ServiceRefusal) -> CounterReading {
    guard let steps = order.steps, (0...Double(CounterReading.most)).contains(steps) else {
      throw ServiceRefusal(
        400, "'steps' is the count so far, a number from 0 to \(CounterReading.most), without quotes")
    }
    guard let given = order.time else {
      throw ServiceRefusal(
        400, "'time' is missing: when the device read its counter, such as 2026-11-21T08:00:00+01:00")
    }
    let time = try Self.date(given, named: "time")
    if time.timeIntervalSince(clock.now()) > Self.clockTolerance {
      throw ServiceRefusal(400, "'time' is in the future; check the device's clock and its time zone")
    }
    guard time.timeIntervalSince1970 >= 0 else {
      throw ServiceRefusal(400, "'time' is before 1970; check the device's clock")
    }
    // Sums of health apps may have fractions.
    let (origin, since) = try Self.origin(order.since, time: given, date: time)
    return CounterReading(time: time, steps: Int(steps), origin: origin, since: since)
  }

  private static func origin(
    _ since: Counter.Moment?, time: Counter.Moment, date: Date
  ) throws(ServiceRefusal) -> (CounterReading.Origin, since: Date?) {
    switch since {
    case nil:
      throw ServiceRefusal(400, "'since' is missing: what the device counts from, which is boot, midnight or a time")
    case .text("boot"): return (.boot, nil)
    case .text("midnight"):
      guard case .text(let text) = time, let midnight = midnight(before: text) else {
        throw ServiceRefusal(
          400, "'midnight' needs a 'time' with its offset from UTC, such as 2026-11-21T08:00:00+01:00")
      }
      return (.midnight, midnight)
    case let moment?:
      let origin = try self.date(moment, named: "since")
      guard origin <= date, origin.timeIntervalSince1970 >= 0 else {
        throw ServiceRefusal(400, "'since' is when the counter was 0, not later than 'time' and not before 1970")
      }
      return (.time, origin)
    }
  }

  private static func date(_ moment: Counter.Moment, named name: String) throws(ServiceRefusal) -> Date {
    switch moment {
    case .text(let text): return try TimeParameter.date(text, named: name)
    case .seconds(let seconds):
      guard seconds.magnitude < 9e9 else {
        throw ServiceRefusal(400, "'\(name)' is in seconds since 1970, or a text such as 2026-11-21T08:00:00+01:00")
      }
      return Date(timeIntervalSince1970: seconds)
    }
  }

  /// The midnight of a time's day, at the same offset from UTC.
  private static func midnight(before text: String) -> Date? {
    let isUTC = text.last.map { "Zz".contains($0) } ?? false
    return RFC3339.secondsSince1970("\(text.prefix(10))T00:00:00\(text.suffix(isUTC ? 1 : 6))")
      .map { Date(timeIntervalSince1970: $0) }
  }
}

extension CounterReceipt {
  /// Whether this reading is the one that the next one is compared with.
  package var isTaken: Bool {
    switch verdict {
    case .first, .counted, .restarted, .fallen, .tooLong, .moved: true
    case .lowered, .repeated, .late, .impossible: false
    }
  }

  /// Why steps did not count, in a sentence; `nil` if all did.
  package var remark: String? {
    switch verdict {
    case .first: "the first reading of this counter; steps count from here"
    case .lowered: "fewer steps than before, so the earlier count stays"
    case .fallen:
      "fewer steps than before, but too many for a device that has just started; steps count from here. If it was started,"
        + " give its start as 'since'"
    case .repeated: "the same reading as before"
    case .late: "not later than the latest reading, which counts already"
    case .tooLong: "more than 25 hours after the reading before, so the days of these steps are unknown"
    case .moved: "the counter began at a time that counts already, as with another time zone; steps count from here"
    case .impossible: "more steps than people walk"
    case .counted, .restarted:
      dropped > 0
        ? "other sources and this one leave no room for these steps in their minutes"
        : elsewhere > 0 ? "another source has counted some of these steps already" : nil
    }
  }
}
