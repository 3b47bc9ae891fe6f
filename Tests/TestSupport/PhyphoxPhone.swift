import Accelerometry
import ServiceTransport
import Synchronization

/// A phone on which phyphox runs, as far as its interface for remote access is documented: a real server on a socket, on a
/// clock that only the program's waiting moves.
package final class PhyphoxPhone: Sendable {
  /// What the server does.
  package enum Mood: Sendable { case well, isNotPhyphox, talksNonsense, hasOtherExperiment }

  fileprivate struct State {
    /// What is measured from now on, and what was: time of the experiment in seconds, m/s².
    var future: ArraySlice<(time: Double, acceleration: SIMD3<Double>)>
    var measured: [(time: Double, acceleration: SIMD3<Double>)] = []
    var now: Int64 = 1_000_000_000_000
    /// What the phone's experiment is behind the script.
    var isMeasuring = true
    var begun: Double = 0
    var script: Double = 0
    var session = "4a0be2"
    var mood = Mood.well
    var source = "accelerometer"
    var delay = 0.0
    var isCut = false
    var requests: [String] = []
    var sleeps = 0
    var plan: [(sleep: Int, change: @Sendable (PhyphoxPhone) -> Void)] = []
  }

  private let state: Mutex<State>

  package init(_ samples: [AccelerationSample] = PrintedWalk.walk) {
    let first = samples.first?.nanoseconds ?? 0
    state = Mutex(
      State(
        future: samples.map {
          // More digits than nanoseconds have.
          (Double($0.nanoseconds - first) / 1e9 + 1.0 / 3e9, SIMD3<Double>($0.acceleration) * 9.80665)
        }[...]))
  }

  package var now: Int64 { state.withLock { $0.now } }
  package var requests: [String] { state.withLock { $0.requests } }

  /// Does something at the n-th wait of the program.
  package func at(_ sleep: Int, _ change: @escaping @Sendable (PhyphoxPhone) -> Void) {
    state.withLock { $0.plan.append((sleep, change)) }
  }

  package func set(mood: Mood) { state.withLock { $0.mood = mood } }
  package func set(source: String) { state.withLock { $0.source = source } }
  package func set(delay: Double) { state.withLock { $0.delay = delay } }
  package func set(isCut: Bool) { state.withLock { $0.isCut = isCut } }

  /// Its play button: the time of the experiment stands in between, and so does the walker.
  package func set(isMeasuring: Bool) { state.withLock { $0.isMeasuring = isMeasuring } }

  /// The experiment is cleared, or opened once more: buffers and time begin anew.
  package func restart(session: String? = nil) {
    state.withLock { state in
      state.session = session ?? state.session
      state.measured = []
      state.begun = state.script
    }
  }

  /// Measures a sample beside the script, in seconds of the experiment and g.
  package func measure(_ acceleration: SIMD3<Float>, at time: Double) {
    state.withLock { $0.measured.append((time, SIMD3<Double>(acceleration) * 9.80665)) }
  }

  /// Lets time pass.
  package func pass(_ seconds: Double) {
    let due = state.withLock { state in
      state.sleeps += 1
      state.pass(seconds)
      let number = state.sleeps
      return state.plan.filter { $0.sleep == number }.map(\.change)
    }
    for change in due { change(self) }
  }

  /// A server for it.
  package func server() throws -> FakeService { try FakeService { self.answer($0) } }

  /// Requests over a network that can be cut.
  package struct Network: Transport {
    let phone: PhyphoxPhone
    private let plain = PlainTransport()
    package init(_ phone: PhyphoxPhone) { self.phone = phone }

    package func send(_ request: TransportRequest, timeout: Duration) async throws -> TransportResponse {
      if phone.state.withLock({ $0.isCut }) {
        throw TransportError.unreachable(address: request.url, reason: "No route to host")
      }
      return try await plain.send(request, timeout: timeout)
    }

    package func open(_ request: TransportRequest, silence: Duration) async throws -> TransportStream {
      try await plain.open(request, silence: silence)
    }
  }

  private func answer(_ request: TransportRequest) -> TransportResponse {
    let parts = request.url.split(separator: "?", maxSplits: 1).map(String.init)
    return state.withLock { state in
      state.requests.append(request.url)
      state.pass(state.delay)
      let text: String
      switch (state.mood, parts[0]) {
      case (.isNotPhyphox, _): return TransportResponse(status: 404, body: Array("not found".utf8))
      case (.talksNonsense, _): text = #"{"buffer":{"acc_time":["#
      case (.hasOtherExperiment, "/config"):
        text = #"{"title":"Magnetometer","inputs":[{"source":"magnetic_field","outputs":[{"x":"magX"}]}]}"#
      case (_, "/config"): text = state.configuration
      case (_, "/get"): text = state.values(parts.count > 1 ? parts[1] : "")
      default: return TransportResponse(status: 404)
      }
      return TransportResponse(
        status: 200, headers: [.init("Content-Type", "application/json")], body: Array(text.utf8))
    }
  }
}

extension PhyphoxPhone.State {
  fileprivate mutating func pass(_ seconds: Double) {
    now += Int64(seconds * 1e9)
    guard isMeasuring else { return }
    script += seconds
    while let next = future.first, next.time <= script {
      measured.append((next.time - begun, next.acceleration))
      future.removeFirst()
    }
  }

  fileprivate var configuration: String {
    #"{"crc32":"1a2b3c4d","title":"Acceleration with g","localTitle":"","category":"Raw Sensors","localCategory":"","#
      + #""buffers":[{"name":"accX","size":0},{"name":"accY","size":0},{"name":"accZ","size":0},"#
      + #"{"name":"acc","size":0},{"name":"acc_time","size":0}],"inputs":[{"source":"\#(source)","outputs":["#
      + #"{"x":"accX"},{"y":"accY"},{"z":"accZ"},{"t":"acc_time"},{"abs":"acc"}]}],"#
      + #""export":[{"set":"Raw Data","sources":[{"label":"Time (s)","buffer":"acc_time"}]}]}"#
  }

  private func column(_ name: String) -> [Double]? {
    switch name {
    case "acc_time": measured.map(\.time)
    case "accX": measured.map(\.acceleration.x)
    case "accY": measured.map(\.acceleration.y)
    case "accZ": measured.map(\.acceleration.z)
    default: nil
    }
  }

  /// `name`: its last value; `name=full`; `name=3.5`: what is larger; `name=3.5|other`: where the other one is larger.
  fileprivate func values(_ query: String) -> String {
    var columns: [String] = []
    for word in query.split(separator: "&") {
      let pair = word.split(separator: "=", maxSplits: 1).map(String.init)
      guard let values = column(pair[0]) else { continue }
      let rule = (pair.count > 1 ? pair[1] : "").replacing("%7C", with: "|").split(separator: "|").map(String.init)
      let kept: [Double]
      switch (rule.first, rule.count) {
      case (nil, _): kept = values.suffix(1)
      case ("full"?, _): kept = values
      case (let threshold?, let count):
        let other = count > 1 ? column(rule[1]) ?? [] : values
        kept = zip(values, other).filter { $0.1 > Double(threshold) ?? .infinity }.map(\.0)
      }
      let mode = rule.isEmpty ? "single" : rule[0] == "full" ? "full" : "partial"
      let numbers = kept.isEmpty && mode == "single" ? "null" : kept.map { "\($0)" }.joined(separator: ",")
      columns.append(#""\#(pair[0])":{"size":0,"updateMode":"\#(mode)","buffer":[\#(numbers)]}"#)
    }
    return #"{"buffer":{\#(columns.joined(separator: ","))},"status":{"session":"\#(session)","#
      + #""measuring":\#(isMeasuring),"timedRun":false,"countDown":0}}"#
  }
}
