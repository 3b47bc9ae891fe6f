import Accelerometry
import Testing

@Suite("Gaps between samples", .timeLimit(.minutes(30)))
struct GapFinderTests {
  private func samples(_ seconds: Double...) -> [AccelerationSample] {
    seconds.map { AccelerationSample(nanoseconds: Int64($0 * 1e9), acceleration: [0, 0, 1]) }
  }

  @Test("even samples are one batch without a gap, over several reads")
  func even() {
    var finder = GapFinder(frequency: SamplingFrequency(hertz: 10))
    #expect(finder.split(samples(0, 0.1, 0.2)) == [SampleBatch(samples: samples(0, 0.1, 0.2))])
    #expect(finder.split(samples(0.3, 0.9)).map(\.gap) == [nil])
    #expect(finder.split([]).isEmpty)
  }

  @Test("a gap of more than a second splits a batch and is reported, as after a suspend")
  func hole() {
    var finder = GapFinder(frequency: SamplingFrequency(hertz: 50))
    let batches = finder.split(samples(0, 0.5, 8.5, 9))
    #expect(batches.map { $0.samples.count } == [2, 2])
    #expect(batches.map(\.gap) == [nil, .interruption(.seconds(8))])
  }

  @Test("a slow sensor's own period is not a gap")
  func slow() {
    var finder = GapFinder(frequency: SamplingFrequency(hertz: 0.5))
    #expect(finder.split(samples(0, 2, 4)).map(\.gap) == [nil])
  }

  @Test("slices are shorter than their limit, and are no gaps, over several reads")
  func slices() {
    var finder = GapFinder(frequency: nil, slice: .milliseconds(100))
    let batches = finder.split(samples(0, 0.05, 0.1, 0.19, 0.2, 3))
    #expect(batches.map { $0.samples.count } == [2, 2, 1, 1])
    #expect(batches.map(\.gap) == [nil, nil, nil, .interruption(.milliseconds(2800))])
    #expect(finder.split(samples(3.05)).map(\.gap) == [nil])
  }

  @Test("after a full buffer even a short gap is an overflow")
  func overflow() {
    var finder = GapFinder(frequency: SamplingFrequency(hertz: 50))
    _ = finder.split(samples(0, 0.02), bufferWasFull: true)
    #expect(finder.split(samples(0.2)).map(\.gap) == [.overflow])
    _ = finder.split(samples(0.22), bufferWasFull: true)
    #expect(finder.split(samples(0.24)).map(\.gap) == [nil])
    #expect(finder.split(samples(0.5)).map(\.gap) == [nil])
  }

  @Test("time that runs backwards or to the ends of its range does not trap")
  func extremes() {
    var finder = GapFinder(frequency: SamplingFrequency(hertz: 1e-300))
    let times: [Int64] = [.min, .max, 0, .max, .min, 5]
    let batches = finder.split(times.map { AccelerationSample(nanoseconds: $0, acceleration: .zero) })
    #expect(batches.map(\.samples.count).reduce(0, +) == 6)
  }
}
