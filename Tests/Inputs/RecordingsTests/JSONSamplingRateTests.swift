import Testing

@testable import Recordings

@Suite("The sampling frequency in a JSON document", .timeLimit(.minutes(30)))
struct JSONSamplingRateTests {
  private func column(_ count: Int, _ value: (Int) -> String) -> String {
    "[" + (0..<count).map(value).joined(separator: ",") + "]"
  }

  /// The columns of an object without times.
  private func columns(_ count: Int) -> String {
    let x = column(count) { "0.\($0 % 10)" }
    let y = column(count) { _ in "-0.1" }
    let z = column(count) { "0.9\($0 % 7)" }
    return #""x":\#(x),"y":\#(y),"z":\#(z)"#
  }

  @Test(
    "a rate beside columns without times is used, and a warning says so",
    arguments: [
      #""rate":25,"#, #""sampling_rate": "25","#, #""info":{"Sample Rate (ignored)":3,"sampleRate":25.0},"#,
      #""rate_hz":25,"#, #""fs":2.5e1,"#,
    ], [500, 60_000])
  func stated(_ member: String, count: Int) {
    let read = ReadRecording("{\(member)\(columns(count))}")
    #expect(read.error == nil && read.samples.count == count)
    #expect(read.nanoseconds.last == Int64(count - 1) * 40_000_000)
    #expect(read.warnings.contains { $0.contains("stated in line 1") }, "\(read.warnings)")
  }

  @Test("a rate after the columns is found, too")
  func after() {
    let read = ReadRecording("{\(columns(500)),\"rate\":25}")
    #expect(read.samples.count == 500 && read.nanoseconds.last == 499 * 40_000_000)
  }

  @Test("rows without times below a rate are spaced by it")
  func rows() {
    let rows = column(500) { "[0.\($0 % 10),-0.1,0.9\($0 % 7)]" }
    let read = ReadRecording("{\"hz\":25,\"data\":\(rows)}")
    #expect(read.samples.count == 500 && read.nanoseconds.last == 499 * 40_000_000)
  }

  @Test(
    "other members are not taken for a sampling frequency",
    arguments: [#""heartRate":70,"#, #""rate":"high","#, #""rate":0,"#, #""rate":[25,25,25,25],"#])
  func other(_ member: String) {
    #expect(ReadRecording("{\(member)\(columns(500))}").error?.code == .noTimestamps)
  }

  @Test("stated times are preferred to a stated rate")
  func times() {
    let read = ReadRecording("{\"rate\":50,\"t\":\(column(500) { "\(Double($0) / 25)" }),\(columns(500))}")
    #expect(read.samples.count == 500 && read.nanoseconds.last == 499 * 40_000_000)
  }
}
