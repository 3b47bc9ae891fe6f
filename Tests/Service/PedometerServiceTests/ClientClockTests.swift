import Accelerometry
import Testing

@testable import PedometerService
@testable import ServiceCore

@Suite("A client's clock", .timeLimit(.minutes(30)))
struct ClientClockTests {
  /// Messages every half second, 50 Hz.
  private struct Client {
    var clock = ClientClock()
    var batches: [ClientClock.Batch] = []

    /// - Parameters:
    ///   - stamp: the client's clock, as a function of time, both in seconds.
    ///   - delays: the delay of each message.
    init(_ delays: [Double], sends: Bool = true, stamp: (Double) -> Double) {
      for (index, delay) in delays.enumerated() {
        let end = Double(index + 1) / 2
        let samples: [AccelerationSample] = (0..<25).map { sample in
          let time = end - Double(24 - sample) / 50
          return AccelerationSample(nanoseconds: Int64(stamp(time) * 1e9), acceleration: SIMD3(0, 0, 1))
        }
        let sent = sends ? Int64(stamp(end + delay) * 1e9) : nil
        // A queued message is sent late, and then arrives immediately.
        batches.append(clock.take(samples, sent: sent, isNew: true, at: Int64((end + delay) * 1e9)))
      }
    }

    var samples: [AccelerationSample] { batches.flatMap(\.samples) }
    var warnings: [String] { batches.compactMap(\.warning) }
    /// The largest difference from the true time, in seconds.
    func error(from first: Int = 0) -> Double {
      var largest = 0.0
      for (index, sample) in samples.enumerated().dropFirst(first) {
        let time = Double(sample.nanoseconds) / 1e9
        largest = max(largest, abs(time - Double(index + 1) / 50))
      }
      return largest
    }
  }

  @Test("samples that were queued for twenty seconds get the time at which they were measured")
  func late() {
    let delays: [Double] = (0..<80).map { (20..<60).contains($0) ? 20.1 - Double($0 - 20) / 2 : 0.02 }
    let client = Client(delays) { 1_700_000_000 + $0 }
    #expect(client.warnings.isEmpty && client.samples.count == 2000)
    #expect(client.error() < 0.2)
  }

  @Test(
    "any times of a client give times that increase and are not later than their arrival",
    arguments: [ClientClock.times.lowerBound, -1, 0, ClientClock.times.upperBound] as [Int64],
    [ClientClock.times.lowerBound, 0, ClientClock.times.upperBound, nil] as [Int64?])
  func extremes(_ time: Int64, _ sent: Int64?) {
    var clock = ClientClock()
    var latest = Int64.min
    for (index, now) in [1_000_000_000, 2_000_000_000, 9_000_000_000].map(Int64.init).enumerated() {
      let stamps = [time - time.signum() * 1000, time, -time].map { max($0, ClientClock.times.lowerBound) }
      let samples = stamps.map { AccelerationSample(nanoseconds: $0, acceleration: SIMD3(0, 0, 1)) }
      for sample in clock.take(samples, sent: sent, isNew: index > 0, at: now).samples {
        #expect(sample.nanoseconds > latest)
        latest = sample.nanoseconds
      }
    }
  }

  @Test("times are strictly increasing, whatever the network does")
  func rising() {
    let delays: [Double] = (0..<60).map { Double(($0 * 7) % 11) / 8 }
    let client = Client(delays) { 5 + $0 }
    #expect(zip(client.samples, client.samples.dropFirst()).allSatisfy { $0.nanoseconds < $1.nanoseconds })
    #expect(client.error() < 1.5)
  }

  @Test(
    "a faulty clock is detected within fifteen seconds, and its samples are timed by their arrival",
    arguments: [0.1, 0.5, 2, 10, 1000])
  func rate(_ rate: Double) {
    let client = Client(Array(repeating: 0.02, count: 120)) { $0 * rate }
    #expect(client.warnings.count == 1)
    #expect(client.warnings.first?.contains(rate > 1 ? "too fast" : "too slowly") == true)
    let found = client.batches.firstIndex { $0.warning != nil } ?? .max
    #expect(found <= 30)
    let after = client.samples.dropFirst((found + 1) * 25)
    #expect(zip(after, after.dropFirst()).allSatisfy { 5_000_000...40_000_000 ~= $1.nanoseconds - $0.nanoseconds })
  }

  @Test("a clock that is one part in a thousand fast is followed for an hour")
  func drift() {
    let client = Client(Array(repeating: 0.02, count: 7200)) { $0 * 1.001 }
    #expect(client.warnings.isEmpty && client.error() < 0.3)
  }

  @Test("a clock that is set back is reported, and no sample is lost")
  func back() {
    let client = Client(Array(repeating: 0.02, count: 40)) { $0 < 10 ? 1000 + $0 : $0 }
    #expect(client.warnings.count == 1 && client.warnings.first?.contains("backwards") == true)
    #expect(client.samples.count == 1000)
    #expect(zip(client.samples, client.samples.dropFirst()).allSatisfy { $0.nanoseconds < $1.nanoseconds })
  }

  @Test("without numbers, repeated samples are ignored")
  func repeated() {
    var clock = ClientClock()
    let samples = (0..<25).map { AccelerationSample(nanoseconds: $0 * 20_000_000, acceleration: SIMD3(0, 0, 1)) }
    #expect(clock.take(samples, sent: nil, isNew: false, at: 1_000_000_000).samples.count == 25)
    let again = clock.take(samples, sent: nil, isNew: false, at: 1_200_000_000)
    #expect(again.samples.isEmpty && again.repeated == 25)
  }
}
