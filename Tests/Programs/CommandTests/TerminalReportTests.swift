import Accelerometry
import Glibc
import Presentation
import Testing

@testable import PedometerCommands

@Suite("Reports on a terminal", .timeLimit(.minutes(30)))
struct TerminalReportTests {
  private let checks: [HealthCheck] = [
    .ok("kernel", "Linux 6.12 with IIO, evdev and counter"),
    .warning("group", "you are not in the group input, which may read sensors", remedy: "sudo usermod -aG input ann"),
    .failed("sensors", "no motion sensor found", remedy: "plug one in", status: .noSensor),
  ]

  @Test("the doctor's lines fit the window, with the continuation below the text, and end with a summary")
  func doctor() {
    let text = TerminalReport(width: 40, hasColour: false).text(checks, canCount: false)
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.dropLast(2).allSatisfy { $0.count <= 40 })
    #expect(lines.contains("warning  group: you are not in the group"))
    #expect(lines.contains("         input, which may read sensors"))
    #expect(text.hasSuffix("\n1 ok, 1 warning, 1 failed; no sensor can be used yet; see 'to do' above\n"))
  }

  @Test("colours show the result, and only if there are colours")
  func colours() {
    let text = TerminalReport(width: 80, hasColour: true).text(checks, canCount: true)
    #expect(text.contains("\u{1B}[33mwarning\u{1B}[0m  group") && text.contains("\u{1B}[31mfailed\u{1B}[0m"))
    #expect(text.contains("\u{1B}[32m1 ok, 1 warning, 1 failed; steps can be counted: pedometer live\u{1B}[0m"))
    #expect(!TerminalReport(width: 80, hasColour: false).text(checks, canCount: true).contains("\u{1B}"))
  }
}

@Suite("SignalCurve", .timeLimit(.minutes(30)))
struct SignalTraceTests {
  private func samples(_ seconds: Range<Double>, _ magnitude: (Double) -> Float) -> [AccelerationSample] {
    stride(from: seconds.lowerBound, to: seconds.upperBound, by: 0.01).map { time in
      AccelerationSample(timestamp: .seconds(time), acceleration: [0, 0, magnitude(time)])
    }
  }

  @Test(
    "in several rows a walk is a wave that reaches both edges, and rest a line through the middle",
    arguments: [true, false])
  func rows(hasBraille: Bool) throws {
    var trace = SignalCurve()
    _ = trace.take(samples(0..<20) { 1 + 0.4 * Float(sin($0 * 4 * .pi)) })
    let wave = trace.rows(width: 30, height: 3, hasBraille: hasBraille)
    #expect(wave.count == 3 && wave.allSatisfy { $0.count == 30 && $0.contains { $0 != " " } })
    // Each column has a part of the curve, so it has no holes.
    for column in 0..<30 { #expect(wave.contains { Array($0)[column] != " " }) }
    #expect(hasBraille || wave.joined().allSatisfy(\.isASCII))
    _ = trace.take(samples(20..<30) { _ in 1 })
    let rest = trace.rows(width: 30, height: 3, hasBraille: hasBraille)
    #expect(rest[0].allSatisfy { $0 == " " } && rest[2].allSatisfy { $0 == " " } && !rest[1].contains(" "))
    #expect(SignalCurve().rows(width: 4, height: 1, hasBraille: hasBraille) == ["    "])
  }

  @Test("within a column the curve does not change")
  func columns() {
    var trace = SignalCurve()
    let changes = samples(0..<3) { _ in 1 }.count { trace.take([$0]) }
    #expect(changes == 19)
  }
}
