import Accelerometry
import Dispatch
import LinuxSensors
import Recordings
import Synchronization
import TestSupport

/// A walker with three phones, in real time: one sends over UDP, one answers as phyphox, one is a WebSocket server.
///
/// The walker stands until ``walk()``, walks, and stands again for a quarter of a minute.
final class WalkingPhones: Sendable {
  /// The steps of the walk.
  static let steps = 16
  private static let period = 20_000_000

  private struct State {
    var sent = 0
    /// Samples that were sent before the walk; `nil` before it begins.
    var begun: Int?
    var isOver = false
  }

  let web: WebSocketPhone
  let phyphox: any Sendable
  /// The address of the phone with phyphox.
  let phyphoxURL: String
  private let experiment = PhyphoxPhone([])
  private let sender: DatagramSocket
  private let ports: [UInt16]
  private let samples: [SIMD3<Float>]
  private let state = Mutex(State())
  /// The number of samples that were sent.
  private let sent = Observed(0)

  /// - Parameter ports: the UDP ports to send to.
  init(to ports: [UInt16]) async throws {
    let walk = SyntheticWalk {
      ($0.rate, $0.position, $0.stepCount, $0.cadence) = (50, .pocket, Self.steps, 115)
      ($0.lead, $0.tail) = (.seconds(1), .seconds(15))
    }
    samples = try walk.samples().map(\.acceleration)
    web = try await WebSocketPhone()
    let server = try experiment.server()
    (phyphox, phyphoxURL) = (server, server.url)
    self.ports = ports
    sender = try DatagramSocket(from: "127.0.0.1")
    // Its own thread: those of tasks may all be waiting for programs.
    let queue = DispatchQueue(label: "pedometer.test.phones")
    queue.async { [weak self] in Self.tick(self, on: queue, since: .now()) }
  }

  /// Sends what is due, and comes back until nobody holds it.
  private static func tick(_ phones: WalkingPhones?, on queue: DispatchQueue, since begin: DispatchTime) {
    guard let phones else { return }
    let elapsed = DispatchTime.now().uptimeNanoseconds - begin.uptimeNanoseconds
    while phones.sendNext(before: Int(elapsed) / period) {}
    queue.asyncAfter(deadline: .now() + .nanoseconds(period)) { [weak phones] in tick(phones, on: queue, since: begin) }
  }

  /// Starts the walk.
  func walk() { state.withLock { $0.begun = $0.begun ?? $0.sent } }

  /// Returns when another sample was sent, fifty times a second.
  func nextSample() async {
    let now = sent.value
    await sent.wait { $0 > now }
  }

  /// Whether the walk has been over for a quarter of a minute.
  var isOver: Bool { state.withLock { $0.isOver } }

  /// Sends the next sample if it is due.
  private func sendNext(before due: Int) -> Bool {
    let next: (number: Int, g: SIMD3<Float>)? = state.withLock { state in
      guard state.sent < due else { return nil }
      let place = state.begun.map { state.sent - $0 } ?? 0
      if place >= samples.count { state.isOver = true }
      state.sent += 1
      return (state.sent, samples[min(place, samples.count - 1)])
    }
    guard let (number, g) = next else { return false }
    let ms2 = g * 9.80665
    let row = "\(number * 20),\(ms2.x),\(ms2.y),\(ms2.z)\n"
    for port in ports { try? sender.send(Array(row.utf8), to: port) }
    experiment.measure(g, at: Double(number) * 0.02)
    web.send(Self.object(ms2, number))
    sent.update { $0 = number }
    return true
  }

  /// A sample as SensorServer sends it.
  static func object(_ ms2: SIMD3<Float>, _ number: Int) -> String {
    #"{"accuracy":3,"timestamp":\#(3_925_657_519_043_709 + number * period),"values":[\#(ms2.x),\#(ms2.y),\#(ms2.z)]}"#
  }
}
