import Pedometry
import Testing

@Suite("Epochs", .timeLimit(.minutes(30)))
struct EpochTests {
  @Test("contain their steps, or none, and the last may be shorter")
  func sorted() throws {
    var splitter = EpochSplitter(length: .seconds(10), stepLength: .fixed(0.5))
    var epochs: [Epoch] = []
    for time in [0, 1, 9.999, 10, 35.5] { epochs += splitter.record(stepAt: .seconds(time)) }
    epochs += splitter.finish(at: .seconds(36))
    #expect(epochs.map(\.steps) == [3, 1, 0, 1])
    #expect(epochs.map(\.start) == [.zero, .seconds(10), .seconds(20), .seconds(30)])
    #expect(epochs.map(\.distanceTravelled) == [1.5, 0.5, 0, 0.5])
  }

  @Test("close as soon as they cannot get any more steps")
  func closeInTime() {
    var splitter = EpochSplitter(length: .seconds(10))
    #expect(splitter.advance(to: .seconds(9.9)).isEmpty)
    #expect(splitter.advance(to: .seconds(10)).count == 1)
    #expect(splitter.advance(to: .seconds(10)).isEmpty)
  }

  @Test("have the cadence of their walking, and none without walking")
  func cadence() throws {
    var splitter = EpochSplitter(length: .seconds(20))
    for i in 0..<20 { _ = splitter.record(stepAt: .seconds(Double(i) * 0.5)) }
    let epochs = splitter.finish(at: .seconds(40))
    #expect(abs(try #require(epochs[0].cadence) - 2) < 1e-9)
    #expect(epochs[1].cadence == nil)
  }

  @Test("add up to the whole walk")
  func conserved() {
    var splitter = EpochSplitter(length: .seconds(7))
    var epochs: [Epoch] = []
    for i in 0..<500 { epochs += splitter.record(stepAt: .seconds(Double(i) * 0.61)) }
    epochs += splitter.finish(at: .seconds(400))
    #expect(epochs.reduce(0) { $0 + $1.steps } == 500)
  }

  @Test("end with the recording: nothing is open after a recording of whole epochs")
  func wholeNumber() {
    var splitter = EpochSplitter(length: .seconds(10))
    #expect(splitter.finish(at: .seconds(20)).count == 2)
  }

  @Test("an epoch has the mean confidence of its steps, and none if they have none")
  func confidence() {
    var splitter = EpochSplitter(length: .seconds(10))
    _ = splitter.record(stepAt: .seconds(1), confidence: 0.5)
    _ = splitter.record(stepAt: .seconds(2), confidence: 1)
    let ended = splitter.record(stepAt: .seconds(11), confidence: 0.9) + splitter.record(stepAt: .seconds(21))
    #expect(ended.map(\.confidence) == [0.75, 0.9])
    #expect(splitter.finish(at: .seconds(22)).map(\.confidence) == [nil])
  }
}
