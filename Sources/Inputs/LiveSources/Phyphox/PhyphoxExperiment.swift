import Accelerometry
import LinuxSensors
import Recordings
import ServiceTransport
import SourceNames
import Synchronization

/// An experiment that runs on a phone, polled over phyphox's interface for remote access.
///
/// `/config` names the buffers of the accelerometer, and `/get` gives what came into them after a time of the experiment. The
/// phone keeps what it measured, so after a loss of the network it continues where it was. One consumer at a time.
package final class PhyphoxExperiment: Sendable {
  package let address: PhyphoxAddress
  private let sleep: @Sendable (Duration) async throws -> Void
  private let transport: any Transport
  private let now: @Sendable () -> Int64
  private let interval: Duration
  private let silence: Duration
  private let reading: RecordingOptions
  private let state = Mutex(State())

  /// The reading position, which outlives losses.
  private struct State {
    var buffers: PhyphoxBuffers?
    /// The time of the latest sample, in seconds of the experiment; -1: from its beginning; `nil`: not known yet. Not in nanoseconds:
    /// the latest sample would come again and again.
    var position: Double?
    /// The run of the app that answered.
    var session: String?
    var clock = BoardClock(hasTimes: true, isStated: false)
    var gaps = GapFinder(frequency: nil)
    var hasToldDoubt = false
    /// What is to be said with the next samples.
    var warnings: [String] = []
    /// When the last samples came, and whether the phone was asked meanwhile for its latest time.
    var latest: Int64?
    var pollsWithoutSamples = 0
  }

  /// So many answers without samples let it be looked whether the experiment was started anew.
  private static let mostEmpty = 4
  /// An answer may take so long: a phone that sleeps between two beacons, and hours of samples after a loss.
  private static let timeout = Duration.seconds(20)

  /// Nothing is sent yet.
  /// - Parameter now: the time since boot, in nanoseconds.
  init(
    _ address: PhyphoxAddress, for sources: Sources, transport: any Transport = PlainTransport(),
    now: @escaping @Sendable () -> Int64 = { SensorClock.boottime.now }
  ) {
    (self.address, self.transport, self.now) = (address, transport, now)
    sleep = sources.sleep
    interval = sources.options.use == .thrifty ? .seconds(1) : .milliseconds(400)
    silence = sources.options.silenceTimeout
    reading = sources.reading
  }

  /// The samples from now on, or from where it was left; throws `SensorError`.
  package var batches: PolledAnswers<SampleBatch> {
    begin()
    return PolledAnswers(pause: { [self] in try await sleep(interval) }, ask: { [self] in try await poll() })
  }

  // MARK: asking

  /// Silence counts from here.
  private func begin() {
    let time = now()
    state.withLock { ($0.latest, $0.pollsWithoutSamples) = (time, 0) }
  }

  private func poll() async throws -> [SampleBatch] {
    let (known, position, session) = state.withLock { ($0.buffers, $0.position, $0.session) }
    let buffers: PhyphoxBuffers
    if let known { buffers = known } else { buffers = try await findBuffers() }
    guard let after = position else {
      // What was measured before is not counted.
      let answer = try await get(buffers.latestTimeQuery)
      state.withLock { state in
        (state.position, state.session) = (answer.latest(buffers.time) ?? -1, answer.status?.session)
        state.buffers = buffers
      }
      return []
    }
    let answer = try await get(buffers.query(after: after))
    if let session, let other = answer.status?.session, session != other {
      beginAnew(session: other)
      return []
    }
    let (samples, latest) = try answer.samples(
      of: buffers, after: after, unit: reading.unit ?? .metresPerSecondSquared, name: address.url)
    guard samples.isEmpty else { return take(samples, latest) }
    return try await findOut(buffers, after, isMeasuring: answer.status?.measuring)
  }

  /// Nothing came: the experiment was paused, started anew, or closed.
  private func findOut(_ buffers: PhyphoxBuffers, _ after: Double, isMeasuring: Bool?) async throws -> [SampleBatch] {
    let (count, latest) = state.withLock { state in
      state.pollsWithoutSamples += 1
      return (state.pollsWithoutSamples, state.latest)
    }
    if count % Self.mostEmpty == 0 {
      let answer = try await get(buffers.latestTimeQuery)
      if answer.latest(buffers.time).map({ $0 < after }) ?? (after >= 0) {
        beginAnew(session: answer.status?.session)
        return []
      }
    }
    let past = now() &- (latest ?? now())
    guard past >= silence.wholeNanoseconds else { return [] }
    throw SensorError.silent(
      path: address.url, after: .nanoseconds(past),
      remedy: isMeasuring == false
        ? "phyphox is paused: press its play button" : "keep phyphox in the foreground, with the screen on")
  }

  private func beginAnew(session: String?) {
    state.withLock { state in
      // Another experiment has other buffers, and is read from its beginning.
      (state.buffers, state.position, state.session) = (nil, -1, session)
      state.pollsWithoutSamples = 0
    }
  }

  private func take(_ found: [AccelerationSample], _ latest: Double) -> [SampleBatch] {
    let time = now()
    return state.withLock { state in
      var samples = found
      state.position = latest
      (state.latest, state.pollsWithoutSamples) = (time, 0)
      state.clock.take(&samples, arrivedAt: time)
      var batches = state.gaps.split(samples)
      if let doubt = state.clock.doubt, !state.hasToldDoubt {
        state.hasToldDoubt = true
        state.warnings.append(doubt)
      }
      if !batches.isEmpty, !state.warnings.isEmpty { batches[0].warning = state.warnings.removeFirst() }
      return batches
    }
  }

  private func findBuffers() async throws -> PhyphoxBuffers {
    let configuration = try await fetch(PhyphoxConfiguration.self, "/config")
    if let columns = reading.columns, columns.count == 4 {
      return PhyphoxBuffers(time: columns[0], axes: Array(columns[1...]), isLinear: false)
    }
    guard let buffers = configuration.buffersOfAccelerometer else {
      let title = configuration.title.map { "'\($0)' " } ?? ""
      throw SensorError.unusable(
        path: address.url, reason: "its experiment \(title)has no accelerometer",
        remedy: "open 'Acceleration (with g)' in phyphox")
    }
    if buffers.isLinear {
      state.withLock {
        $0.warnings.append(
          "phyphox sends acceleration without gravity; steps in it are found less surely: open 'Acceleration (with g)'")
      }
    }
    return buffers
  }

  private func get(_ query: String) async throws -> PhyphoxAnswer {
    try await fetch(PhyphoxAnswer.self, "/get?" + query)
  }

  private func fetch<Answer: Decodable>(_ type: Answer.Type, _ target: String) async throws -> Answer {
    let response: TransportResponse
    do {
      response = try await transport.send(TransportRequest(url: address.url + target), timeout: Self.timeout)
    } catch let error as TransportError {
      throw SensorError.disconnected(
        name: address.url, reason: error.reason,
        remedy: "open an experiment in phyphox, switch on 'Allow remote access' in its menu, and check the address")
    }
    let remedy = "check the address: it is the one that phyphox shows when it allows remote access"
    guard response.isSuccess else {
      throw SensorError.unexpected(
        path: address.url,
        reason: "answers \(response.status) to \(target.prefix { $0 != "?" }), so it is not phyphox", remedy: remedy)
    }
    guard let answer = ServiceJSON.decode(type, response.body) else {
      throw SensorError.unexpected(
        path: address.url,
        reason: "answers '\(BoardText.printable(response.body[...]))', which phyphox would not", remedy: remedy)
    }
    return answer
  }
}
