import JSONLines
import Pedometry
import Terminals

/// What `pedometer live` shows on a terminal: a panel that is redrawn in place, or one line in a small window.
///
/// It is a pure value that gives bytes, so tests can examine it.
struct LiveDisplay {
  struct Figures {
    var source: String
    /// Samples per second, if they are known.
    var frequency: Double?
    var walk: WalkTotals
    /// The time since the first sample.
    var elapsed = Duration.zero
    /// The number of announced steps that are undecided.
    var provisional = 0
    /// The steps to reach, if there is a goal.
    var goal: Int?
    /// The standing of a six-minute walk, which is shown instead of the goal.
    var test: WalkTest.Standing?
    /// The steps of each minute, the current one last, and the time walked.
    var minutes = MinuteSteps()
  }

  /// The capabilities of the terminal.
  struct Style {
    /// Whether it shows more than ASCII.
    var isUnicode = true
    /// Whether it has braille patterns: the console of Linux has not.
    var hasBraille = true
    var depth = ColourDepth.direct
    /// Whether the cursor can be moved; otherwise there is always one line.
    var canMove = true

    /// The terminal of this environment.
    init(_ environment: ProcessEnvironment) {
      let term = environment["TERM"] ?? ""
      (isUnicode, depth) = (environment.isUTF8, environment.colourDepth)
      hasBraille = isUnicode && term != "linux"
      canMove = !term.isEmpty && term != "dumb"
    }
  }

  /// The rows of the panel in a small window, and the fewest and the most in one of at least ``leastForMinutes``, which also
  /// shows the minutes.
  static let (height, heightWithMinutes, greatestHeight) = (5, 14, 40)
  /// A smaller window gets one line.
  static let least = Terminal.Size(width: 40, height: 6)
  private static let leastForMinutes = 18

  private let style: Style
  private var screen: InPlaceScreen
  private var hasLine = false
  /// The window of the picture.
  private var size: Terminal.Size?

  /// Shows nothing yet.
  init(style: Style) {
    self.style = style
    screen = InPlaceScreen(depth: style.depth)
  }

  /// The bytes that show the figures in a window of this size.
  mutating func bytes(showing figures: Figures, _ trace: SignalCurve, in size: Terminal.Size) -> [UInt8] {
    var bytes: [UInt8] = []
    if let former = self.size, former != size { bytes = erasing() }
    self.size = size
    if hasPanel(in: size) {
      // A row that is as wide as the window could continue in the next one. Some rows stay for what was printed before.
      let height = size.height >= Self.leastForMinutes ? min(size.height - 4, Self.greatestHeight) : Self.height
      return bytes + screen.bytes(showing: panel(figures, trace, width: size.width - 1, height: height))
    }
    hasLine = true
    // A line wider than the terminal could not be erased, and the terminal adds ^C after it.
    return bytes + Array((Self.clearLine + line(figures, trace, width: max(1, size.width - 3))).utf8)
  }

  /// Whether a window of this size gets the panel.
  func hasPanel(in size: Terminal.Size) -> Bool {
    style.canMove && size.width >= Self.least.width && size.height >= Self.least.height
  }

  /// The bytes that remove it, so that lines can be printed in its place.
  mutating func erasing() -> [UInt8] {
    defer { hasLine = false }
    return hasLine ? Array(Self.clearLine.utf8) : screen.erasing()
  }

  /// Leaves it behind, as after another program has used the terminal.
  mutating func abandon() {
    screen.abandon()
    hasLine = false
  }

  private static let clearLine = "\r\u{1B}[K"
}

// MARK: - the pictures

extension LiveDisplay {
  /// Name and rate, the steps in large digits beside the signal, and the other figures; with room, the goal and the steps
  /// of the last minutes below. Rows beyond that are shared by the signal and the minutes.
  func panel(_ figures: Figures, _ trace: SignalCurve, width: Int, height: Int = Self.height) -> CellGrid {
    var grid = CellGrid(width: width, height: height)
    let isWalking = figures.walk.currentCadence != nil
    let steps = Decimals.grouped(figures.walk.steps, by: " ")
    let column = max(BigDigits.columns(steps), 5) + 4
    let spare = height - Self.heightWithMinutes
    let traceRows = spare >= 0 ? 5 + spare / 2 : 3
    header(figures, isWalking, width: width).draw(on: &grid, row: 0)
    BigDigits.draw(steps, on: &grid, at: 1, 1 + (traceRows - 3) / 2, .strong, isUnicode: style.isUnicode)
    let ink = isWalking ? CellStyle.good : .faint
    for (row, line) in trace.rows(width: width - column, height: traceRows, hasBraille: style.hasBraille).enumerated() {
      grid.put(line, at: column, 1 + row, ink)
    }
    var last = ScreenRow(figures.walk.steps == 1 ? " step" : " steps", .faint)
    var place = column
    for part in parts(of: figures) where place + part.count <= width {
      last.put(part, at: place)
      place = last.width + 3
    }
    last.draw(on: &grid, row: traceRows + 1)
    if spare >= 0 {
      drawGoal(figures, on: &grid, row: traceRows + 2)
      drawMinutes(figures.minutes, on: &grid, row: traceRows + 3)
    }
    return grid
  }

  /// The share of the goal, or of six minutes, and what is left.
  private func aim(_ figures: Figures) -> (share: Double, words: String)? {
    if let test = figures.test { return (test.share, test.words) }
    guard let goal = figures.goal, goal > 0 else { return nil }
    let share = Double(figures.walk.steps) / Double(goal)
    let left = goal - figures.walk.steps
    let words =
      left > 0
      ? "\(Int(100 * share)) % of \(Decimals.grouped(goal, by: " ")), \(Decimals.grouped(left, by: " ")) to go"
      : "goal of \(Decimals.grouped(goal, by: " ")) reached"
    return (share, words)
  }

  /// A bar as wide as the window, with the share of the goal.
  private func drawGoal(_ figures: Figures, on grid: inout CellGrid, row: Int) {
    guard let (share, words) = aim(figures) else { return }
    let room = grid.width - 2
    let bar = max(0, min(room - words.count - 2, 60))
    let filled = min(bar, Int(Double(bar) * share))
    let (full, rest) = style.isUnicode ? ("━", "─") : ("=", "-")
    var line = ScreenRow(" ")
    if bar >= 10 {
      line.append(String(repeating: full, count: filled), .good)
      line.append(String(repeating: rest, count: bar - filled) + "  ", .faint)
    }
    if words.count + line.width <= grid.width { line.append(words, share < 1 ? .plain : .good) }
    line.draw(on: &grid, row: row)
  }

  /// The steps of the last minutes as bars of one column or two, and the time walked; the newest minute is at the right.
  private func drawMinutes(_ steps: MinuteSteps, on grid: inout CellGrid, row: Int) {
    let room = grid.width - 2
    let pitch = room >= 80 ? 2 : 1
    let shown = Array(steps.minutes.suffix(room / pitch))
    let bars = grid.height - row - 2
    var title = ScreenRow(" steps a minute", .faint)
    let walked = Decimals.duration(steps.walking.wholeSeconds) + " walking"
    if title.width + walked.count + 3 <= grid.width { title.put(walked, at: grid.width - walked.count - 1) }
    title.draw(on: &grid, row: row)
    let left = 1 + room - shown.count * pitch
    for (index, line) in Sparkline.rows(
      shown.map(Double.init), width: shown.count, height: bars, isUnicode: style.isUnicode
    ).enumerated() {
      let cells = pitch == 1 ? line : line.map { "\($0) " }.joined()
      grid.put(cells, at: left, row + 1 + index, .good)
    }
    var axis = ScreenRow()
    if shown.count * pitch > 16 { axis.put("-\(shown.count - 1) min", at: left, .faint) }
    axis.put("now", at: max(1, grid.width - 4), .faint)
    axis.draw(on: &grid, row: grid.height - 1)
  }

  private func header(_ figures: Figures, _ isWalking: Bool, width: Int) -> ScreenRow {
    let state = isWalking ? "walking" : "standing"
    let right = state + "  " + Decimals.duration(figures.elapsed.wholeSeconds)
    let name = ScreenText.safe(figures.source, isUnicode: style.isUnicode)
    let room = width - 4 - right.count
    var row = ScreenRow(" ")
    row.append(shortened(name, to: room))
    if let rate = rate(of: figures), name.count + rate.count + 2 <= room { row.append("  " + rate, .faint) }
    row.put(right, at: width - right.count - 1, isWalking ? .good : .faint)
    return row
  }

  /// The middle of a longer name is omitted, because names differ at their ends.
  private func shortened(_ name: String, to columns: Int) -> String {
    guard name.count > columns else { return name }
    guard columns > 6 else { return String(name.prefix(max(0, columns))) }
    let head = (columns - 2) / 2
    return name.prefix(head) + ".." + name.suffix(columns - 2 - head)
  }

  private func rate(of figures: Figures) -> String? {
    figures.frequency.flatMap { Decimals.text($0, 0) }.map { "\($0) Hz" }
  }

  /// The figures beside the steps, the most important first.
  private func parts(of figures: Figures) -> [String] {
    let walk = figures.walk
    var parts = [Self.cadence(walk) ?? "- steps/min", Decimals.distance(walk.distanceTravelled)]
    if let test = figures.test { parts.insert(test.words, at: 0) }
    if let up = walk.floorsAscended, let down = walk.floorsDescended, up + down > 0 {
      parts.append("\(up) \(up == 1 ? "floor" : "floors") up, \(down) down")
    }
    if figures.provisional > 0 { parts.append("+ \(figures.provisional) provisional") }
    return parts
  }

  private static func cadence(_ walk: WalkTotals) -> String? {
    walk.currentCadence.flatMap { Decimals.text($0 * 60, 0) }.map { "\($0) steps/min" }
  }

  /// All in one line; what does not fit is left out.
  func line(_ figures: Figures, _ trace: SignalCurve, width: Int) -> String {
    let walk = figures.walk
    let provisional = figures.provisional > 0 ? " + \(figures.provisional) provisional" : ""
    let steps = "\(walk.steps) step\(walk.steps == 1 ? "" : "s")\(provisional)"
    let parts =
      [steps, figures.test?.words].compactMap { $0 } + [
        Decimals.distance(walk.distanceTravelled), Self.cadence(walk) ?? "standing",
        Decimals.duration(figures.elapsed.wholeSeconds),
      ]
    let curve =
      trace.text(isUnicode: style.isUnicode)
      .map { String(repeating: " ", count: SignalCurve.width - $0.count) + $0 } ?? ""
    let rate = rate(of: figures) ?? ""
    // The first that fits: the name of the source was printed before the line, so it gives way to the curve. Nothing is cut.
    let withCurve = [curve] + parts
    let shorter = (0..<parts.count).map { Array(parts.dropLast($0)) }
    let choices = [withCurve + ["\(figures.source) \(rate)"], withCurve + [rate], withCurve, parts + [rate]] + shorter
    let lines = choices.map { words in words.filter { !$0.isEmpty }.joined(separator: "   ") }
    let line = lines.first { $0.count <= width } ?? "\(walk.steps)"
    return ScreenText.printableLines(String(line.prefix(width)))
  }
}

extension Duration {
  /// Rounded down.
  fileprivate var wholeSeconds: Duration { .seconds(Int64(self / .seconds(1))) }
}
