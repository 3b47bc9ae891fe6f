import Accelerometry
import Testing

@testable import Recordings

@Suite("Layouts of other countries and programs", .timeLimit(.minutes(30)))
struct ForeignLayoutTests {
  /// Rows at 50 Hz, in m/s².
  private func rows(_ separator: String, _ row: (Int) -> [String]) -> String {
    (0..<200).map { row($0).joined(separator: separator) + "\n" }.joined()
  }

  private func metres(_ row: Int) -> [String] { ["0.\(row % 10)", "-0.\(row % 7)", "9.\(70 + row % 20)"] }

  private func expectFiftyHertz(_ read: ReadRecording, sourceLocation: SourceLocation = #_sourceLocation) {
    #expect(read.error == nil, sourceLocation: sourceLocation)
    #expect(read.samples.count == 200, sourceLocation: sourceLocation)
    let steps = Set(zip(read.nanoseconds, read.nanoseconds.dropFirst()).map { $1 - $0 })
    #expect(steps == [20_000_000], sourceLocation: sourceLocation)
    #expect(read.samples.allSatisfy { (0.9...1.1).contains($0.acceleration.z) }, sourceLocation: sourceLocation)
  }

  @Test(
    "names in other languages say time, axes and unit",
    arguments: [
      "时间(毫秒),加速度X(m/s²),加速度Y(m/s²),加速度Z(m/s²)", "时间（毫秒）,加速度X,加速度Y,加速度Z",
      "Время мс,Ускорение X м/с²,Ускорение Y м/с²,Ускорение Z м/с²",
      "tempo (ms),accelerazione x (m/s²),accelerazione y (m/s²),accelerazione z (m/s²)",
      "時刻(ms),加速度X,加速度Y,加速度Z",
    ])
  func languages(header: String) {
    let read = ReadRecording(
      header + "\n" + rows(",") { ["\($0 * 20)"] + metres($0) }, RecordingOptions(unit: .metresPerSecondSquared))
    expectFiftyHertz(read)
    #expect(read.warnings.isEmpty, "\(read.warnings)")
  }

  @Test("the gyroscope of a Chinese table is not read as acceleration")
  func chineseGyroscope() {
    let read = ReadRecording(
      "时间(ms),角速度X(°/s),角速度Y(°/s),角速度Z(°/s),加速度X(m/s²),加速度Y(m/s²),加速度Z(m/s²)\n"
        + rows(",") { ["\($0 * 20)", "50.1", "-30.2", "\($0 % 90)"] + metres($0) })
    expectFiftyHertz(read)
  }

  @Test("a column that rises evenly is the time, whatever its name, with a warning")
  func unnamedClock() {
    let read = ReadRecording("wann,x,y,z\n" + rows(",") { ["\(Double($0) / 50)"] + metres($0) })
    expectFiftyHertz(read)
    #expect(read.warnings.contains { $0.contains("column 1, whose values rise evenly") }, "\(read.warnings)")
  }

  @Test("a column that counts rows is no time, and neither is one that falls", arguments: [1, 10, -1])
  func noClock(step: Int) {
    let read = ReadRecording("n,x,y,z\n" + rows(",") { ["\($0 * step)"] + metres($0) })
    #expect(read.error?.code == .noTimestamps, "\(read.warnings)")
  }

  @Test("thousands may be separated if there is a decimal mark")
  func thousands() {
    let english = ReadRecording(
      "time_s,ax_mg,ay_mg,az_mg\n"
        + rows(",") { ["\(Double($0) / 50)", "0.5", "-\($0 % 9).5", "\"1,0\(10 + $0 % 80).5\""] })
    expectFiftyHertz(english)
    #expect(english.samples[3].acceleration.z == 1.0135)
    #expect(english.warnings.isEmpty, "\(english.warnings)")
    let german = ReadRecording(
      "Zeit_s;ax_mg;ay_mg;az_mg\n"
        + rows(";") { ["\($0 / 50),\(100 + $0 % 50 * 2)", "0,5", "-\($0 % 9),5", "1.0\(10 + $0 % 80),5"] })
    #expect(german.samples.count == 200)
    #expect(german.samples[3].acceleration.z == 1.0135)
  }

  @Test("a comma and three digits separate thousands, with a warning if no other number has a point")
  func ambiguousComma() {
    let pointed = ReadRecording(
      "t,x,y,z\n" + rows(",") { ["\(Double($0) / 50)", "0.1", "0.2", "\"1,0\(10 + $0 % 80)\""] })
    #expect(pointed.samples.count == 200 && pointed.samples[1].acceleration.z == 1.011)
    let comma = { (read: ReadRecording) in read.warnings.contains { $0.contains("separators of thousands") } }
    #expect(!comma(pointed))
    let pointless = ReadRecording(
      "t_ms,x,y,z\n" + rows(",") { ["\($0 * 20)", "1", "\($0 % 3)", "\"1,0\(10 + $0 % 80)\""] })
    #expect(pointless.samples.count == 200 && comma(pointless), "\(pointless.warnings)")
  }

  @Test(
    "a sampling rate above the columns is used",
    arguments: [
      "# {\"00:07\": {\"sampling rate\": 50, \"column\": [\"nSeq\",\"X\"]}}", "# Sample rate: 50",
      "Sampling frequency,50",
      "# sample_rate=50.0", "# Sampling Rate (Hz): 50",
    ])
  func namedRate(line: String) {
    let read = ReadRecording(
      line + "\nx,y,z\n" + rows(",") { metres($0) }, RecordingOptions(unit: .metresPerSecondSquared))
    expectFiftyHertz(read)
    #expect(read.warnings.contains { $0.contains("stated in line 1") }, "\(read.warnings)")
  }

  @Test("the time between samples is no sampling rate", arguments: ["# Sampling rate: 20 ms", "# Sample rate 1 min"])
  func period(line: String) {
    let read = ReadRecording(line + "\nx,y,z\n" + rows(",") { metres($0) })
    #expect(read.error?.code == .noTimestamps)
  }

  @Test("InfluxDB's line protocol ends with the time")
  func lineProtocol() {
    let read = ReadRecording(
      (0..<200).map { row in
        let axes = metres(row)
        return
          "accel,device=watch x=\(axes[0]),y=\(axes[1]),z=\(axes[2]) \(1_778_062_272_000_000_000 + row * 20_000_000)\n"
      }.joined())
    expectFiftyHertz(read)
  }

  @Test("only the rows of the accelerometer are read from a table of several sensors", arguments: [0, 1])
  func sensorColumn(first: Int) {
    let read = ReadRecording(
      "timestamp,sensor,x,y,z\n"
        + (0..<400).map { row in
          let time = 1_778_062_272_000 + row / 2 * 20
          return row % 2 == first
            ? "\(time),Accelerometer," + metres(row).joined(separator: ",") + "\n"
            : "\(time + 3),Gyroscope,1.\(row % 9),-2.5,0.\(row % 7)\n"
        }.joined())
    expectFiftyHertz(read)
  }

  @Test("a column of one sensor's type hides no rows")
  func oneSensor() {
    let read = ReadRecording(
      "timestamp,type,x,y,z\n"
        + rows(",") { ["\(1_778_062_272_000 + $0 * 20)", $0 % 2 == 0 ? "walk" : "acc"] + metres($0) })
    expectFiftyHertz(read)
  }
}
