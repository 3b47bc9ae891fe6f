import Accelerometry
import Foundation
import History
import LiveSources
import Pedometry
import Recordings
import ServiceLifecycle
import SourceNames
import Synchronization

/// The clients that send samples or steps. Each is a source like a sensor, counted from its first message on.
package final class ClientSources: Service {
  private let registry: SourceRegistry
  private let access: Sources
  private let stepLength: @Sendable () -> StepLengthModel
  private let clock: ServiceClock
  private let journals: SampleJournalFolder?
  private let outlet: SourceOutlet
  private let limits: ServiceLimits
  private let entries = Mutex<[String: Entry]>([:])

  private struct Entry {
    let source: ClientSource
    /// The number of messages that are being processed.
    var messages = 0
    /// Whether a message was accepted, and the source is counted.
    var isAdmitted = false
  }

  private let newcomers: AsyncStream<SourceRunner>
  private let newcomer: AsyncStream<SourceRunner>.Continuation

  /// Starts without clients.
  /// - Parameters:
  ///   - registry: receives the account of each.
  ///   - outlet: receives their steps and events.
  package init(
    registry: SourceRegistry, access: Sources, stepLength: @escaping @Sendable @autoclosure () -> StepLengthModel,
    clock: ServiceClock, journals: SampleJournalFolder?, outlet: SourceOutlet, limits: ServiceLimits
  ) {
    self.registry = registry
    self.access = access
    self.stepLength = stepLength
    (self.clock, self.journals, self.outlet, self.limits) = (clock, journals, outlet, limits)
    (newcomers, newcomer) = AsyncStream.makeStream()
  }

  /// The source of a client, for a message; ``end(_:isAccepted:)`` follows.
  /// - Throws: ``ServiceRefusal`` if there are too many.
  func begin(named name: String) throws -> ClientSource {
    try entries.withLock { entries in
      if let entry = entries[name] {
        entries[name]?.messages += 1
        return entry.source
      }
      guard entries.count < limits.clients else {
        throw ServiceRefusal(
          wait: .seconds(3600),
          excess: "\(limits.clients) clients have sent samples or steps since the start; use one of their names")
      }
      let account = SourceAccount(name: "\(SourceURI.client(name))", isOneOfSeveral: true, outlet: outlet)
      let source = ClientSource(
        name: name, account: account, inbox: ClientInbox(most: limits.waitingSamples), clock: clock,
        stepLength: stepLength)
      entries[name] = Entry(source: source, messages: 1)
      return source
    }
  }

  /// Ends a message. The first accepted one makes its client a source; a client without any takes no place.
  func end(_ source: ClientSource, isAccepted: Bool) {
    let isNew = entries.withLock { entries in
      guard var entry = entries[source.name] else { return false }
      entry.messages -= 1
      let isNew = isAccepted && !entry.isAdmitted
      entry.isAdmitted = entry.isAdmitted || isAccepted
      entries[source.name] = entry.isAdmitted || entry.messages > 0 ? entry : nil
      return isNew
    }
    if isNew {
      registry.add(source.account)
      newcomer.yield(runner(source, .client(source.name)))
    }
  }

  private func runner(_ source: ClientSource, _ uri: SourceURI) -> SourceRunner {
    let (inbox, clock, name, stepLength) = (source.inbox, clock, source.account.name, stepLength)
    return SourceRunner(
      uri: nil, access: access, stepLength: stepLength(), clock: clock, account: source.account, journals: journals,
      way: SourceWay(.radio) { _ in
        guard await inbox.arrival(within: nil, clock.sleep) else { return nil }
        return SourceConnection(
          uri: uri,
          source: ClientSamples(profile: SensorProfile(name: name, clock: .boottime), inbox: inbox, clock: clock))
      })
  }

  /// Counts every client until the service ends.
  package func run() async throws {
    await cancelWhenGracefulShutdown {
      await withDiscardingTaskGroup { group in
        for await runner in self.newcomers { group.addTask { await runner.run() } }
      }
    }
  }
}

/// A client that sends samples or steps.
package final class ClientSource: Sendable {
  struct Message: Sendable {
    var samples: SampleMessage
    /// The unit according to the client.
    var unit: AccelerationUnit?
    /// The client's name for its run, and the message's number in it; `nil` if messages are not numbered.
    var session = ""
    var number: Int?
    /// The client's time of sending, in nanoseconds.
    var sent: Int64?
  }

  package struct Receipt: Sendable, Hashable {
    /// The number of counted samples.
    package var accepted = 0
    /// The number of samples that had been received before.
    package var repeated = 0
    /// The number of samples with missing numbers.
    package var skipped = 0
  }

  /// What a client sends. Steps of two kinds would count twice.
  enum Kind: String {
    case samples
    case steps = "finished steps"
    case counter = "readings of a counter"
  }

  private struct State {
    var session: String?
    /// The previous runs, the latest last.
    var formerSessions: [String] = []
    var number: Int?
    var clock = ClientClock()
    var layout: SampleMessage.Layout?
    /// The number of consecutive messages without gravity.
    var weightless = 0
    var kind: Kind?
    var periods: [Finished] = []
  }

  /// The client's name, without a prefix.
  let name: String
  package let account: SourceAccount
  let inbox: ClientInbox
  private let clock: ServiceClock
  private let stepLength: @Sendable () -> StepLengthModel
  private let state = Mutex(State())

  init(
    name: String, account: SourceAccount, inbox: ClientInbox, clock: ServiceClock,
    stepLength: @escaping @Sendable () -> StepLengthModel
  ) { (self.name, self.account, self.inbox, self.clock, self.stepLength) = (name, account, inbox, clock, stepLength) }

  var source: HistorySource { HistorySource(identity: account.name, name: account.name) }

  /// The number of messages without gravity, about five seconds, that causes a warning.
  private static let mostWeightless = 10

  /// The number of remembered runs of a client.
  private static let mostSessions = 16

  /// Processes a message; a repeated one has no effect.
  /// - Throws: ``ServiceRefusal``; the message may be sent again.
  func take(_ message: Message) throws -> Receipt {
    guard inbox.hasRoom else {
      throw ServiceRefusal(wait: .seconds(1), excess: "samples come faster than they are counted")
    }
    let now = clock.elapsed().wholeNanoseconds
    return try state.withLock { state in
      try check(.samples, state.kind)
      let isSameRun = state.session == message.session
      // Mixed samples of two walkers would not be a walk.
      if !isSameRun, state.formerSessions.contains(message.session) {
        throw ServiceRefusal(
          409, "another client now sends as \(account.name); send under another name, or a new session")
      }
      let former = isSameRun ? state.layout : nil
      var content: SampleMessage.Content
      do throws(SampleMessageError) {
        content = try message.samples.content(unit: message.unit, after: former)
      } catch { throw ServiceRefusal(400, error.reason) }
      let outside = content.samples.count
      content.samples.removeAll { !ClientClock.times.contains($0.nanoseconds) }
      content.skipped += outside - content.samples.count
      if isSameRun, let latest = state.number, let number = message.number, number <= latest {
        return Receipt(repeated: content.samples.count, skipped: content.skipped)
      }
      // A new run, such as a reloaded page, has a new clock.
      if !isSameRun {
        state.clock = ClientClock(after: state.clock)
        state.formerSessions = state.formerSessions.suffix(Self.mostSessions - 1) + (state.session.map { [$0] } ?? [])
      }
      let batch = state.clock.take(content.samples, sent: message.sent, isNew: message.number != nil, at: now)
      (state.session, state.number) = (message.session, message.number ?? (isSameRun ? state.number : nil))
      (state.layout, state.kind) = (content.layout, .samples)
      var warning = batch.warning
      if warning == nil, former == nil, content.layout.isLinear {
        warning = "\(account.name) sends acceleration without gravity; its steps are detected less reliably"
      }
      state.weightless = content.isWeightless ? state.weightless + 1 : 0
      if warning == nil, state.weightless == Self.mostWeightless {
        warning =
          "\(account.name) shows no gravity; check its sensor, and give the unit with ?units=g, mg, m/s2 or raw=COUNTS"
      }
      if !batch.samples.isEmpty { inbox.add(SampleBatch(samples: batch.samples, warning: warning)) }
      return Receipt(accepted: batch.samples.count, repeated: batch.repeated, skipped: content.skipped)
    }
  }

  struct Finished: Sendable, Hashable {
    var start: Date
    var end: Date
    var steps: Int
    /// Metres, if known.
    var distance: Double?
  }

  /// Declares what the client sends from now on.
  /// - Throws: ``ServiceRefusal`` if it sends something else, because its steps are counted already.
  func begin(_ kind: Kind) throws(ServiceRefusal) {
    try state.withLock { state throws(ServiceRefusal) in
      try check(kind, state.kind)
      state.kind = kind
    }
  }

  private func check(_ kind: Kind, _ known: Kind?) throws(ServiceRefusal) {
    guard let known, known != kind else { return }
    let remedy = known == .samples ? ", so its steps are counted here; send steps" : "; send \(kind.rawValue)"
    throw ServiceRefusal(409, "\(account.name) sends \(known.rawValue)\(remedy) under another name")
  }

  /// The source of its counter in the history. Its minutes are spread as those of imports, and recognised as such.
  var counter: HistorySource { HistorySource(identity: "import:counter:\(name)", name: "\(name) (counter)") }

  /// Records that steps of its counter have been stored.
  func add(counted steps: Int) {
    account.add(
      finished: steps, distance: stepLength().length(atCadence: StepLengthModel.usualCadence / 60) * Double(steps),
      as: counter, because: "sends the readings of a counter")
  }

  /// The steps of a period, evenly spaced, because their times are unknown.
  func steps(of finished: Finished) -> [WalkedStep] {
    let seconds = finished.end.timeIntervalSince(finished.start)
    let step = EvenSteps.totals(
      of: 1, in: finished.steps, over: seconds, distance: finished.distance, stepLength: stepLength())
    return (1...finished.steps).map { number in
      let time = finished.start + seconds * Double(number) / Double(finished.steps)
      return WalkedStep(time: time, distance: step.distanceTravelled, activeTime: step.activeTime)
    }
  }

  /// Whether these steps are already stored. The history detects this as well, unless the wall clock was set meanwhile.
  func hasKept(_ finished: Finished) -> Bool { state.withLock { $0.periods.contains(finished) } }

  /// The number of remembered periods.
  private static let mostPeriods = 256

  /// Records that finished steps have been stored.
  func add(_ steps: Int, of finished: Finished) {
    state.withLock { state in
      if state.periods.count >= Self.mostPeriods { state.periods.removeFirst() }
      state.periods.append(finished)
    }
    let distance = self.steps(of: finished).first.map { $0.distance * Double(steps) } ?? 0
    account.add(finished: steps, distance: distance, as: source, because: "sends finished steps")
  }
}
