import Accelerometry
import Glibc
import Pedometry
import TestSupport
import Testing

@testable import PedometerCommands
@testable import Terminals

@Suite("LiveDisplay", .timeLimit(.minutes(30)))
struct LiveDisplayTests {
  private static let unicode = ScreenStyle(ProcessEnvironment(["TERM": "xterm-256color", "LC_ALL": "C.UTF-8"]))
  private static let ascii = ScreenStyle(ProcessEnvironment(["TERM": "xterm", "LC_ALL": "C", "NO_COLOR": "1"]))

  private var figures: LiveDisplay.Figures {
    LiveDisplay.Figures(
      source: "iio:device0 (lis3dh)", frequency: 50.2,
      walk: WalkTotals(
        steps: 12_345, distanceTravelled: 8642, elapsed: .seconds(7265), currentCadence: 112.0 / 60, currentPace: 0.7,
        activeTime: .seconds(3000), floorsAscended: 3, floorsDescended: 1),
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

  private func panel(_ width: Int, _ style: ScreenStyle = unicode) -> [String] {
    LiveDisplay(style: style).panel(figures, trace, width: width, height: 9).lines
  }

  @Test("100 columns: name, rate and state; the main figures in large digits between labels and words")
  func wide() throws {
    let lines = panel(99)
    #expect(lines.count == 9)
    #expect(lines[0].hasPrefix(" iio:device0 (lis3dh)  50 Hz ") && lines[0].hasSuffix(" walking"))
    #expect(lines[1].split(separator: " ") == ["Steps", "Cadence", "Distance", "Walked"])
    #expect(
      lines[2...4].map { String($0.prefix(22)) } == [
        " ▄█  ▀▀█   ▀▀█ █ █ █▀▀", "  █  █▀▀   ▀▀█ ▀▀█ ▀▀█", " ▀▀▀ ▀▀▀   ▀▀▀   ▀ ▀▀▀",
      ])
    // Each in a column of its own.
    let columns = ["+ 2 provisional", "steps/min", "km", "of 2:01:05"].map { lines[5].columns(before: $0) }
    let labels = ["Steps", "Cadence", "Distance", "Walked"].map { lines[1].columns(before: $0) }
    #expect(columns == labels && !columns.contains(nil))
    // The signal moves up to the right edge.
    #expect(lines[6...7].contains { $0.count == 99 })
    #expect(lines[8].contains("Mean     247 steps/min") && lines[8].contains("Floors   3 up, 1 down"))
  }

  @Test("in 40 columns the rate is left out and the name is shortened, and the figures that do not fit large are small")
  func narrow() {
    var long = figures
    long.source = "evdev:/dev/input/by-id/usb-A_very_long_name-event-joystick"
    let lines = LiveDisplay(style: Self.unicode).panel(long, trace, width: 39, height: 9).lines
    #expect(lines[0].contains("..") && !lines[0].contains("Hz") && lines[0].hasSuffix(" walking"))
    #expect(lines[1] == " Steps" && lines[8] == " Cadence  112 steps/min")
    #expect(lines.allSatisfy { $0.count <= 39 })
  }

  @Test("what is not known is a dash, and floors without a barometer are left out")
  func unknown() {
    let still = LiveDisplay.Figures(
      source: "counter:device0", walk: WalkTotals(steps: 1, distanceTravelled: 0.7), elapsed: .seconds(3))
    let lines = LiveDisplay(style: Self.unicode).panel(still, SignalCurve(), width: 119, height: 23).lines
    #expect(lines[0].hasSuffix(" standing") && !lines[0].contains("Hz") && lines[1].isEmpty)
    #expect(lines.contains { $0.contains("Mean     - steps/min") && $0.contains("Walks    0") })
    #expect(!lines.joined().contains("provisional") && !lines.joined().contains("Floors"))
  }

  /// Twelve seconds of this signal in g about gravity.
  private func signal(_ deviation: (Double) -> Float) -> SignalCurve {
    var trace = SignalCurve()
    _ = trace.take(
      stride(from: 0, to: 12, by: 0.02).map { (time: Double) in
        AccelerationSample(timestamp: .seconds(time), acceleration: [0, 0, 1 + deviation(time)])
      })
    return trace
  }

  @Test("the state is said once, in its colour, with the reason why nothing is counted")
  func states() {
    func top(_ trace: SignalCurve, steps: Int = 0, trouble: LiveDisplay.Trouble? = nil) -> [String] {
      let figures = LiveDisplay.Figures(
        source: "x", walk: WalkTotals(steps: steps, distanceTravelled: 0), elapsed: .seconds(12), trouble: trouble)
      let grid = LiveDisplay(style: Self.unicode).panel(figures, trace, width: 79, height: 23)
      let colour = [CellStyle.bad: "red", .warning: "yellow", .faint: "faint"][grid[77, 0].style] ?? "another"
      return [grid.lines[0].split(separator: " ").dropFirst().joined(separator: " "), grid.lines[1], colour]
    }
    let (still, shaken) = (signal { _ in 0 }, signal { Float(sin($0 * 40)) })
    #expect(top(still) == ["standing", " the sensor hardly moves", "faint"])
    #expect(top(still, steps: 5) == ["standing", "", "faint"])
    let begun = signal { $0 < 8 ? 0 : Float(sin($0 * 12)) }
    #expect(top(begun) == ["moving", " steps show within six seconds", "yellow"])
    #expect(top(shaken) == ["moving", " not counted: the movement lacks the rhythm of walking", "yellow"])
    // The sentence stands above the panel; with steps a warning is no reason.
    #expect(top(shaken, trouble: .uncounted) == ["not counted", "", "red"])
    #expect(top(still, steps: 5, trouble: .uncounted) == ["standing", "", "faint"])
    #expect(top(still, steps: 5, trouble: .lost) == ["sensor lost", "", "red"])
    let lines = LiveDisplay(style: Self.unicode).panel(figures, trace, width: 79, height: 23).lines
    #expect(lines.count { $0.contains("walking") } == 1 && lines[1].isEmpty)
  }

  @Test("a six-minute walk has the time that is left and the measured distance in large digits, each once")
  func walkTest() {
    var walk = figures
    walk.test = .init(steps: 51, distance: 36.2, left: .seconds(331))
    let lines = LiveDisplay(style: Self.unicode).panel(walk, trace, width: 79, height: 23).lines
    #expect(lines[2].split(separator: " ") == ["To", "go", "Distance", "Steps", "Cadence"])
    #expect(lines[6].contains("of 6:00") && lines[6].contains(" m "))
    var large = CellGrid(width: 79, height: 3)
    for (index, text) in ["5:31", "36", "51", "112"].enumerated() {
      BigDigits.draw(text, on: &large, at: 1 + 19 * index, 0, .plain, isUnicode: true)
    }
    #expect(Array(lines[3...5]) == large.lines)
    #expect(lines[7].count == 78 && lines[7].contains("━") && !lines.joined().contains("to go"))
    walk.test = .init()
    let ready = LiveDisplay(style: Self.unicode).panel(walk, trace, width: 79, height: 23).lines
    #expect(ready[6].contains("walk when ready") && ready[6].contains("no --step-length"))
  }

  @Test("without Unicode all is ASCII, and without colours nothing has an attribute")
  func ascii() {
    let lines = panel(79, Self.ascii)
    #expect(lines.joined().utf8.allSatisfy { $0 < 0x80 })
    #expect(lines[2...4].map { String($0.prefix(8)) } == ["      _ ", "   |  _|", "   | |_ "])
    var display = LiveDisplay(style: Self.ascii)
    let bytes = display.bytes(showing: figures, trace, in: .init(width: 80, height: 10))
    var screen = ScreenModel(width: 80, height: 10)
    screen.write(bytes.flatMap { $0 == 0x0A ? [0x0D, 0x0A] : [$0] })
    #expect(!screen.hasAttributes && Array(screen.lines[..<9]) == lines)
  }

  @Test("the console of Linux has no braille, a dumb terminal no panel")
  func terminals() {
    let console = ScreenStyle(ProcessEnvironment(["TERM": "linux", "LC_ALL": "C.UTF-8"]))
    #expect(!panel(79, console).joined().unicodeScalars.contains { (0x2800...0x28FF).contains($0.value) })
    #expect(panel(79).joined().unicodeScalars.contains { (0x2801...0x28FF).contains($0.value) })
    var dumb = LiveDisplay(style: ScreenStyle(ProcessEnvironment(["TERM": "dumb", "LC_ALL": "C.UTF-8"])))
    let line = String(decoding: dumb.bytes(showing: figures, trace, in: .init(width: 90, height: 24)), as: UTF8.self)
    #expect(line.hasPrefix("\r\u{1B}[K") && !line.contains("\n") && line.contains("12345 steps + 2 provisional"))
  }

  @Test("from a panel to a line and back, nothing of either stays", arguments: [(39, 24), (80, 7)])
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
    show(.init(width: 80, height: 10))
    #expect(screen.lines.count { !$0.isEmpty } == 10)
    show(.init(width: width, height: height))
    #expect(screen.lines.count { !$0.isEmpty } == 2 && screen.lines[1].contains("12345 steps"))
    show(.init(width: 80, height: 10))
    #expect(screen.lines.count { !$0.isEmpty } == 10 && screen.lines[0] == "above")
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

  private func tall(_ width: Int, goal: Int?, _ style: ScreenStyle = unicode) -> [String] {
    var figures = figures
    (figures.goal, figures.minutes) = (goal, minutes)
    return LiveDisplay(style: style).panel(figures, trace, width: width, height: 23).lines
  }

  @Test("80×24: the goal, and the steps of each of the last minutes over an axis of minutes and beside one of steps")
  func minuteBars() throws {
    let lines = tall(79, goal: 20_000)
    #expect(lines.count == 23)
    #expect(lines[7].contains("━━━") && lines[7].hasSuffix("61 % of 20 000, 7 655 to go"), "\(lines[7])")
    let title = try #require(lines.firstIndex { $0.hasPrefix(" Steps a minute") })
    #expect(lines[title].hasSuffix("brisk: 100 or more"))
    let bars = lines[(title + 1)..<22].map(Array.init)
    #expect(bars.count.isMultiple(of: 2) && String(bars[0].prefix(4)) == " 120")
    #expect(String(bars[bars.count / 2].prefix(4)) == "  60")
    // The last minute was a rest; those before were walked, up to the rest ten minutes earlier.
    let last = try #require(bars.last)
    #expect(last[77] == "▁" && last[67] == "▁" && last[68...76].allSatisfy { $0 == "█" })
    #expect(lines[22].hasSuffix("now") && lines[22].contains("-60 min") && lines[22].contains("-15 min"))
    #expect(tall(79, goal: 12_000)[7].contains("goal of 12 000 reached"))
    #expect(!tall(79, goal: nil)[7].contains("━"))
    for figure in ["Best     100 in a minute", "Walks    9", "Brisk    81 min", "Floors   3 up, 1 down"] {
      #expect(lines.contains { $0.contains(figure) }, "\(figure)")
    }
  }

  @Test("the bars are measured by the axis, brisk minutes are green, and while there are few the bars are wide")
  func scale() throws {
    var figures = figures
    figures.minutes = MinuteSteps()
    figures.minutes.take(steps: 120, isWalking: true, at: .seconds(59))
    figures.minutes.take(steps: 180, isWalking: true, at: .seconds(61))
    let grid = LiveDisplay(style: Self.unicode).panel(figures, trace, width: 79, height: 23)
    let title = try #require(grid.lines.firstIndex { $0.hasPrefix(" Steps a minute") })
    let rows = 22 - title - 1
    // Four columns for a minute, of which three are the bar.
    let heights = (70...77).map { column in (title + 1..<22).count { grid[column, $0].glyph == "█" } }
    #expect(heights == [rows, rows, rows, 0, rows / 2, rows / 2, rows / 2, 0])
    #expect(grid[70, 21].style == .good && grid[74, 21].style == .faint)
    #expect(grid.lines[22].columns(before: "-15 min") == 14 && grid.lines[22].columns(before: "now") == 74)
    figures.minutes.take(steps: 400, isWalking: true, at: .seconds(62))
    let higher = LiveDisplay(style: Self.unicode).panel(figures, trace, width: 79, height: 23).lines
    #expect(higher[title + 1].hasPrefix(" 300"))
  }

  @Test(
    "in 40 columns the bar of the goal is left out whole, and nothing is wider than the window", arguments: [39, 44])
  func narrowGoal(_ width: Int) {
    let lines = tall(width, goal: 1_000_000, Self.ascii)
    #expect(lines[7].contains("1 % of 1 000 000, 987 655 to go") && !lines[7].contains("="))
    #expect(lines.allSatisfy { $0.count <= width } && lines.joined().utf8.allSatisfy { $0 < 0x80 })
  }

  @Test(
    "the panel has the window but for the row of the message above it, and gives its rows to the signal and the minutes",
    arguments: [(80, 18), (80, 24), (120, 36), (250, 70)])
  func taller(width: Int, height: Int) throws {
    var screen = ScreenModel(width: width, height: height)
    var display = LiveDisplay(style: Self.unicode)
    var figures = figures
    (figures.minutes, figures.goal) = (minutes, 20_000)
    let bytes = display.bytes(showing: figures, trace, in: .init(width: width, height: height))
    screen.write(bytes.flatMap { $0 == 0x0A ? [0x0D, 0x0A] : [$0] })
    #expect(screen.lines.lastIndex { !$0.isEmpty } == height - 2)
    let title = try #require(screen.lines.firstIndex { $0.hasPrefix(" Steps a minute") })
    // Below the blank one for the reason.
    #expect(screen.lines[2...title].allSatisfy { !$0.isEmpty })
    #expect(screen.lines[(title + 1)..<(height - 2)].count { $0.contains("█") } >= (height - title - 3) * 3 / 4)
    display.rowsAbove = 2
    let less = display.bytes(showing: figures, trace, in: .init(width: width, height: height))
    screen.write(less.flatMap { $0 == 0x0A ? [0x0D, 0x0A] : [$0] })
    #expect(screen.lines.lastIndex { !$0.isEmpty } == height - 3)
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

  @Test("minutes hold the steps of their time; steps that are taken back leave them; each beginning is a walk")
  func corrections() {
    var minutes = MinuteSteps()
    minutes.take(steps: 60, isWalking: true, at: .seconds(50))
    minutes.take(steps: 90, isWalking: true, at: .seconds(70))
    minutes.take(steps: 84, isWalking: false, at: .seconds(80))
    minutes.take(steps: 84, isWalking: false, at: .seconds(185))
    #expect(minutes.minutes == [60, 24, 0, 0] && minutes.walks == 1)
    minutes.take(steps: 100, isWalking: true, at: .seconds(5_000_000))
    #expect(minutes.minutes.count == 10_080 && minutes.minutes.last == 16 && minutes.walks == 2)
  }
}

extension String {
  /// The characters before a text; `nil` if it is not there.
  fileprivate func columns(before text: String) -> Int? {
    ranges(of: text).first.map { distance(from: startIndex, to: $0.lowerBound) }
  }
}
