import Accelerometry
import Foundation
import History
import Platform
import Recordings

/// Messages with samples or finished steps, as they arrive over HTTP or MQTT.
package struct ClientMessages: Sendable {
  /// Stores steps durably.
  package typealias Keep = @Sendable (_ steps: [WalkedStep], _ source: HistorySource) async throws -> HistoryReceipt

  /// Adds the steps by which a counter has risen since its reading before, durably.
  package typealias Count =
    @Sendable (_ reading: CounterReading, _ source: HistorySource) async throws ->
    CounterReceipt

  let clients: ClientSources
  let clock: ServiceClock
  let keep: Keep
  let count: Count
  /// Of days that have only a date.
  let calendar: @Sendable () -> DayCalendar

  /// The longest period of finished steps, and the maximum number of steps in it.
  static let (longestPeriod, mostSteps) = (86_400.0, 100_000)
  /// How far a client's clock may be ahead, in seconds: the history has the same limit.
  static let clockTolerance = 2.0
  /// The largest message number: the largest integer of JavaScript.
  static let latestNumber = 9_007_199_254_740_991

  package init(
    clients: ClientSources, clock: ServiceClock, calendar: @escaping @Sendable () -> DayCalendar = { DayCalendar() },
    count: @escaping Count = noCounters, keep: @escaping Keep
  ) { (self.clients, self.clock, self.calendar, self.count, self.keep) = (clients, clock, calendar, count, keep) }

  /// Refuses readings of counters.
  package static let noCounters: Count = { _, _ in
    throw ServiceRefusal(503, "this service takes no counters; send finished steps")
  }

  // MARK: samples

  /// Counts a message with samples.
  /// - Parameters:
  ///   - body: JSON or JSON Lines.
  ///   - query: the parameters of `POST /api/samples`.
  ///   - usualName: the source's name if neither the query nor the message has one.
  /// - Throws: ``ServiceRefusal``.
  package func takeSamples(
    _ body: [UInt8], _ query: [String: String], usualName: String? = nil
  ) throws -> (source: ClientSource, receipt: ClientSource.Receipt) {
    if let unknown = query.keys.sorted().first(where: { !["source", "session", "seq", "sent", "units"].contains($0) }) {
      throw ServiceRefusal(
        400, "'\(unknown)' is not a parameter; the parameters are source, session, seq, sent and units")
    }
    try Self.checkJSON(body)
    var message = ClientSource.Message(samples: SampleMessage(body))
    guard let name = query["source"] ?? message.samples.device ?? usualName else {
      throw ServiceRefusal(400, "the source has no name; add ?source=NAME, such as ?source=ann")
    }
    try Self.checkName(name)
    message.session = query["session"] ?? message.samples.session ?? ""
    guard message.session.utf8.count <= 64 else {
      throw ServiceRefusal(400, "'session' is longer than 64 bytes; send a shorter one")
    }
    message.number =
      try query["seq"].map { text throws(ServiceRefusal) in try Self.number(text) } ?? message.samples.number
    message.sent = try query["sent"].map { text throws(ServiceRefusal) in try Self.nanoseconds(text) }
    if let text = query["units"] {
      guard let unit = AccelerationUnit(named: text) else {
        throw ServiceRefusal(400, "'units' is g, mg, m/s2 or raw=COUNTS, the number of counts per g")
      }
      message.unit = unit
    }
    let source = try clients.begin(named: name)
    var isAccepted = false
    defer { clients.end(source, isAccepted: isAccepted) }
    let receipt = try source.take(message)
    isAccepted = true
    return (source, receipt)
  }

  /// Checks for one JSON text, or one per line.
  private static func checkJSON(_ body: [UInt8]) throws(ServiceRefusal) {
    if isJSON(body[...]) { return }
    for (index, line) in body.split(separator: 0x0A, omittingEmptySubsequences: false).enumerated() {
      if line.allSatisfy({ $0 <= 0x20 }) || isJSON(line) { continue }
      throw ServiceRefusal(400, "line \(index + 1) is not JSON; send one JSON text, or one object on each line")
    }
  }

  private static func isJSON(_ bytes: ArraySlice<UInt8>) -> Bool {
    (try? JSONSerialization.jsonObject(with: Data(bytes))) != nil
  }

  static func checkName(_ name: String) throws(ServiceRefusal) {
    let isFit = name.utf8.allSatisfy { byte in
      (byte | 0x20) &- 0x61 < 26 || byte &- 0x30 < 10 || byte == 0x2D || byte == 0x2E || byte == 0x5F
    }
    guard isFit, (1...64).contains(name.utf8.count) else {
      throw ServiceRefusal(
        400, "'source' has 1 to 64 letters of a to z, digits, dots, hyphens and underscores, such as ann-phone")
    }
  }

  private static func number(_ text: String) throws(ServiceRefusal) -> Int {
    if let number = Int(text), (0...latestNumber).contains(number) { return number }
    throw ServiceRefusal(400, "'seq' is a whole number from 0 to \(latestNumber) that rises by message")
  }

  private static func nanoseconds(_ text: String) throws(ServiceRefusal) -> Int64 {
    if let seconds = Double(text) {
      let time = Int64(bounded: seconds * 1e9)
      if !seconds.isNaN, ClientClock.times.contains(time) { return time }
    }
    throw ServiceRefusal(400, "'sent' is the client's time in seconds, on the clock of the samples' t")
  }

  // MARK: steps

  /// A period of finished steps, as in the body of `POST /api/steps`.
  package struct Steps: Decodable {
    var source: String?
    var start: String
    var end: String
    var steps: Int
    var distance: Double?
  }

  /// Stores finished steps; those that are stored already are repeated.
  /// - Parameter usualName: the source's name if the message has none.
  /// - Returns: the source, the result, and whether this very period is known.
  /// - Throws: ``ServiceRefusal``, and what `keep` throws.
  package func takeSteps(
    _ order: Steps, usualName: String? = nil
  ) async throws -> (source: ClientSource, receipt: HistoryReceipt, isKnown: Bool) {
    guard let name = order.source ?? usualName else { throw ServiceRefusal(400, "'source' is missing in the body") }
    try Self.checkName(name)
    let start = try TimeParameter.date(order.start, named: "start")
    let end = try TimeParameter.date(order.end, named: "end")
    let finished = ClientSource.Finished(start: start, end: end, steps: order.steps, distance: order.distance)
    try check(finished)
    let client = try clients.begin(named: name)
    var isAccepted = false
    defer { clients.end(client, isAccepted: isAccepted) }
    try client.begin(.steps)
    isAccepted = true
    if client.hasKept(finished) {
      var receipt = HistoryReceipt()
      receipt.repeated = finished.steps
      return (client, receipt, true)
    }
    let receipt = try await keep(client.steps(of: finished), client.source)
    client.add(receipt.recorded, of: finished)
    return (client, receipt, false)
  }

  private func check(_ finished: ClientSource.Finished) throws(ServiceRefusal) {
    let seconds = finished.end.timeIntervalSince(finished.start)
    let reason: String? =
      if !(1...Self.mostSteps).contains(finished.steps) {
        "'steps' is a whole number from 1 to \(Self.mostSteps)"
      } else if seconds <= 0 {
        "'end' is not after 'start'; swap them"
      } else if seconds > Self.longestPeriod {
        "the period is longer than a day; send shorter ones"
      } else if Double(finished.steps) > seconds * WalkedStep.highestCadence {
        "\(finished.steps) steps in \(Int(bounded: seconds)) s are more than"
          + " \(Int(WalkedStep.highestCadence)) per second; check start and end"
      } else if finished.end.timeIntervalSince(clock.now()) > Self.clockTolerance {
        "'end' is in the future; send steps when they are finished, and check the client's clock"
      } else if finished.start.timeIntervalSince1970 < 0 {
        "'start' is before 1970; check the client's clock"
      } else if let distance = finished.distance,
        !(0...Double(finished.steps) * WalkedStep.longestDistance).contains(distance)
      {
        "'distance' is in metres, from 0 to \(Int(WalkedStep.longestDistance)) for each step"
      } else {
        nil
      }
    if let reason { throw ServiceRefusal(400, reason) }
  }
}

extension HistoryReceipt {
  /// Why steps of a period did not count, in a sentence; `nil` if all did.
  package var remark: String? {
    if repeated > 0 {
      let all = recorded + repeated + impossible
      return "\(repeated) of \(all) steps are in a time in which this source has steps already,"
        + " and count as repeated; give each device its own name or topic"
    }
    return impossible > 0 ? "\(impossible) steps are more than people walk in their minutes, and do not count" : nil
  }
}
