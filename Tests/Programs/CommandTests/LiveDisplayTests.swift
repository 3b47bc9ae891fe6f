import Accelerometry
import Glibc
import Pedometry
import TestSupport
import Testing

@testable import PedometerCommands
@testable import Terminals

@Suite("LiveDisplay", .timeLimit(.minutes(30)))
struct LiveDisplayTests {
  private static let unicode = LiveDisplay.Style(ProcessEnvironment(["TERM": "xterm-256color", "LC_ALL": "C.UTF-8"]))
  private static let ascii = LiveDisplay.Style(ProcessEnvironment(["TERM": "xterm", "LC_ALL": "C", "NO_COLOR": "1"]))

  private var figures: LiveDisplay.Figures {
    LiveDisplay.Figures(
      source: "iio:device0 (lis3dh)", frequency: 50.2,
      walk: WalkTotals(
        steps: 12_345, distanceTravelled: 8642, elapsed: .seconds(7265), currentCadence: 112.0 / 60, currentPace: 0.7,
        floorsAscended: 3, floorsDescended: 1),
      elapsed: .seconds(7265), provisional: 2)
  }

  private var trace: SignalCurve {
    var trace = SignalCurve()
    _ = trace.take(
      stride(from: 0, to: 40, by: 0.02).map { (time: Double) in
        AccelerationSample(timestamp: .seconds(time), acceleration: [0, 0, 1 + 0.3 * Float(sin(time * 4 * .pi))])
      })
    return trace
  }

  private func panel(_ width: Int, _ style: LiveDisplay.Style = unicode) -> [String] {
    LiveDisplay(style: style).panel(figures, trace, width: width).lines
  }

  @Test("100 columns: name, rate, state and time; steps in large digits beside the signal; the other figures")
  func wide() {
    let lines = panel(99)
    #expect(lines.count == LiveDisplay.height)
    #expect(lines[0].hasPrefix(" iio:device0 (lis3dh)  50 Hz ") && lines[0].hasSuffix("walking  2 h 01 min"))
    #expect(
      lines[1...3].map { String($0.prefix(22)) } == [
        " ▄█  ▀▀█   ▀▀█ █ █ █▀▀", "  █  █▀▀   ▀▀█ ▀▀█ ▀▀█", " ▀▀▀ ▀▀▀   ▀▀▀   ▀ ▀▀▀",
      ])
    // The signal moves up to the right edge.
    #expect(lines[1...3].contains { $0.count == 99 })
    #expect(lines[4].hasPrefix(" steps "))
    for part in ["112 steps/min", "8.64 km", "+ 2 provisional", "3 floors up, 1 down"] {
      #expect(lines[4].contains(part))
    }
  }

  @Test(
    "in 40 columns the rate is left out, the name is shortened and the last figures are left out, but not the steps or the cadence"
  )
  func narrow() {
    var long = figures
    long.source = "evdev:/dev/input/by-id/usb-A_very_long_name-event-joystick"
    let lines = LiveDisplay(style: Self.unicode).panel(long, trace, width: 39).lines
    #expect(lines[0].contains("..") && !lines[0].contains("Hz") && lines[0].hasSuffix("walking  2 h 01 min"))
    #expect(lines[4].contains("112 steps/min") && !lines[4].contains("floors"))
    #expect(lines.allSatisfy { $0.count <= 39 })
  }

  @Test("a standing walker, one step, and no rate are said so")
  func standing() {
    let still = LiveDisplay.Figures(
      source: "counter:device0", walk: WalkTotals(steps: 1, distanceTravelled: 0.7), elapsed: .seconds(3))
    let lines = LiveDisplay(style: Self.unicode).panel(still, SignalCurve(), width: 60).lines
    #expect(lines[0].hasSuffix("standing  3 s") && !lines[0].contains("Hz"))
    #expect(lines[4].hasPrefix(" step ") && lines[4].contains("- steps/min") && !lines[4].contains("provisional"))
  }

  @Test("without Unicode all is ASCII, and without colours nothing has an attribute")
  func ascii() {
    let lines = panel(79, Self.ascii)
    #expect(lines.joined().utf8.allSatisfy { $0 < 0x80 })
    #expect(lines[1...3].map { String($0.prefix(8)) } == ["      _ ", "   |  _|", "   | |_ "])
    var display = LiveDisplay(style: Self.ascii)
    let bytes = display.bytes(showing: figures, trace, in: .init(width: 80, height: 17))
    var screen = ScreenModel(width: 80, height: 17)
    screen.write(bytes.flatMap { $0 == 0x0A ? [0x0D, 0x0A] : [$0] })
    #expect(!screen.hasAttributes && Array(screen.lines[..<5]) == lines)
  }

  @Test("the console of Linux has no braille, a dumb terminal no panel")
  func terminals() {
    let console = LiveDisplay.Style(ProcessEnvironment(["TERM": "linux", "LC_ALL": "C.UTF-8"]))
    #expect(!panel(79, console).joined().unicodeScalars.contains { (0x2800...0x28FF).contains($0.value) })
    #expect(panel(79).joined().unicodeScalars.contains { (0x2801...0x28FF).contains($0.value) })
    var dumb = LiveDisplay(style: LiveDisplay.Style(ProcessEnvironment(["TERM": "dumb", "LC_ALL": "C.UTF-8"])))
    let line = String(decoding: dumb.bytes(showing: figures, trace, in: .init(width: 90, height: 24)), as: UTF8.self)
    #expect(line.hasPrefix("\r\u{1B}[K") && !line.contains("\n") && line.contains("12345 steps + 2 provisional"))
  }

  @Test("from a panel to a line and back, nothing of either stays", arguments: [(39, 24), (80, 5)])
  func changes(width: Int, height: Int) {
    var screen = ScreenModel(width: 80, height: 24)
    var display = LiveDisplay(style: Self.unicode)
    func show(_ size: Terminal.Size) {
      screen.write(
        display.bytes(showing: figures, trace, in: size).flatMap { $0 == 0x0A ? [0x0D, 0x0A] : [$0] })
    }
    screen.write(Array("above\r\n".utf8))
    show(.init(width: 80, height: 24))
    #expect(screen.lines.last { !$0.isEmpty }?.hasSuffix("now") == true)
    show(.init(width: 80, height: 17))
    #expect(screen.lines.count { !$0.isEmpty } == 6)
    show(.init(width: width, height: height))
    #expect(screen.lines.count { !$0.isEmpty } == 2 && screen.lines[1].contains("12345 steps"))
    show(.init(width: 80, height: 17))
    #expect(screen.lines.count { !$0.isEmpty } == 6 && screen.lines[0] == "above")
    screen.write(display.erasing())
    #expect(screen.lines.filter { !$0.isEmpty } == ["above"] && screen.unexpectedOutput == [])
  }

  /// A walk of 90 minutes, with a rest in every tenth minute, at 100 steps a minute.
  private var minutes: MinuteSteps {
    var minutes = MinuteSteps()
    var steps = 0
    for second in 0..<5400 {
      let rests = second / 60 % 10 == 9
      if !rests, second % 3 == 0 { steps += 5 }
      minutes.take(steps: steps, isWalking: !rests, at: .seconds(second))
    }
    return minutes
  }

  private func tall(_ width: Int, goal: Int?, _ style: LiveDisplay.Style = unicode) -> [String] {
    var figures = figures
    (figures.goal, figures.minutes) = (goal, minutes)
    return LiveDisplay(style: style).panel(figures, trace, width: width, height: LiveDisplay.heightWithMinutes).lines
  }

  @Test("with 18 rows the goal and the steps of each of the last minutes are shown, the newest at the right")
  func minuteBars() {
    let lines = tall(79, goal: 20_000)
    #expect(lines.count == LiveDisplay.heightWithMinutes)
    #expect(lines[7].contains("━━━") && lines[7].hasSuffix("61 % of 20 000, 7 655 to go"), "\(lines[7])")
    #expect(lines[8].hasPrefix(" steps a minute") && lines[8].hasSuffix(" min walking"), "\(lines[8])")
    let bars = lines[9...12].map(Array.init)
    // The last minute was a rest; those before were walked, up to the rest ten minutes earlier.
    #expect(bars[0].last == "█" && bars[0].count == 77 && bars[3].count == 78)
    #expect(bars[3][77] == "▁" && bars[3][67] == "▁" && bars[0][68...76].allSatisfy { $0 == "█" })
    #expect(lines[13].hasPrefix(" -76 min") && lines[13].hasSuffix("now"))
    #expect(tall(79, goal: 12_000)[7].contains("goal of 12 000 reached"))
    #expect(tall(79, goal: nil)[7].isEmpty)
  }

  @Test(
    "in 40 columns the bar of the goal is left out whole, and nothing is wider than the window", arguments: [39, 44])
  func narrowGoal(_ width: Int) {
    let lines = tall(width, goal: 1_000_000, Self.ascii)
    #expect(lines[7].contains("1 % of 1 000 000, 987 655 to go") && !lines[7].contains("="))
    #expect(lines.allSatisfy { $0.count <= width } && lines.joined().utf8.allSatisfy { $0 < 0x80 })
  }

  @Test(
    "a taller window gives its rows to the signal and to the minutes",
    arguments: [(18, 14), (24, 20), (40, 36), (60, 40)])
  func taller(window: Int, rows: Int) throws {
    var screen = ScreenModel(width: 120, height: window)
    var display = LiveDisplay(style: Self.unicode)
    var figures = figures
    figures.minutes = minutes
    let bytes = display.bytes(showing: figures, trace, in: .init(width: 120, height: window))
    screen.write(bytes.flatMap { $0 == 0x0A ? [0x0D, 0x0A] : [$0] })
    #expect(screen.lines.lastIndex { !$0.isEmpty } == rows - 1)
    let title = try #require(screen.lines.firstIndex { $0.hasPrefix(" steps a minute") })
    #expect(title == 8 + (rows - 14) / 2)
    // The signal reaches its highest row and its lowest, and so do the bars.
    #expect(
      [1, title - 3].allSatisfy { screen.lines[$0].unicodeScalars.contains { (0x2801...0x28FF).contains($0.value) } })
    #expect(screen.lines[(title + 1)..<(rows - 1)].allSatisfy { $0.contains("█") })
  }

  @Test("in a small window the line leaves out whole fields, the steps last", arguments: 6...80)
  func narrowLine(_ width: Int) {
    let line = LiveDisplay(style: Self.unicode).line(figures, trace, width: width)
    let fields = ["12345 steps + 2 provisional", "8.64 km", "112 steps/min", "2 h 01 min", "50 Hz"]
    let shown = line.split(separator: "   ").map(String.init).filter { fields.contains($0) || $0 == "12345" }
    #expect(line.count <= width && !shown.isEmpty)
    #expect(shown == Array(fields.prefix(shown.count)) || line == "12345", "\(line)")
    // Nothing but the curve stands before them.
    #expect(line.hasSuffix(shown.joined(separator: "   ")), "\(line)")
  }

  @Test("minutes hold the steps of their time; steps that are taken back leave them")
  func corrections() {
    var minutes = MinuteSteps()
    minutes.take(steps: 60, isWalking: true, at: .seconds(50))
    minutes.take(steps: 90, isWalking: true, at: .seconds(70))
    minutes.take(steps: 84, isWalking: false, at: .seconds(80))
    minutes.take(steps: 84, isWalking: false, at: .seconds(185))
    #expect(minutes.minutes == [60, 24, 0, 0] && minutes.walking == .seconds(70))
    minutes.take(steps: 100, isWalking: true, at: .seconds(500_000))
    #expect(minutes.minutes.count == 240 && minutes.minutes.last == 16)
  }
}
