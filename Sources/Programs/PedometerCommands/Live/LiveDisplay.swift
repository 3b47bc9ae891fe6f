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
    /// The steps of each minute, the current one last.
    var minutes = MinuteSteps()
    var trouble: Trouble?
  }

  /// Why nothing is counted; the sentence about it stands above the panel.
  enum Trouble: String, Sendable {
    case lost = "sensor lost"
    case uncounted = "not counted"
  }

  /// A smaller window gets one line.
  static let least = Terminal.Size(width: 40, height: 8)
  /// The rows of the longest message above the panel.
  var rowsAbove = 1

  private let style: ScreenStyle
  private var screen: InPlaceScreen
  private var hasLine = false
  /// The window of the picture.
  private var size: Terminal.Size?

  init(style: ScreenStyle) {
    self.style = style
    screen = InPlaceScreen(depth: style.depth)
  }

  mutating func bytes(showing figures: Figures, _ trace: SignalCurve, in size: Terminal.Size) -> [UInt8] {
    var bytes: [UInt8] = []
    if let former = self.size, former != size { bytes = erasing() }
    self.size = size
    if hasPanel(in: size) {
      // A row that is as wide as the window could continue in the next one.
      let height = max(Self.least.height - 1, size.height - min(rowsAbove, 3))
      return bytes + screen.bytes(showing: panel(figures, trace, width: size.width - 1, height: height))
    }
    hasLine = true
    // A line wider than the terminal could not be erased, and the terminal adds ^C after it.
    return bytes + Array((Self.clearLine + line(figures, trace, width: max(1, size.width - 3))).utf8)
  }

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
  /// Name, rate and what the wearer does; the main figures in large digits, the signal, and as there are rows the goal, the
  /// other figures and the minutes.
  func panel(_ figures: Figures, _ trace: SignalCurve, width: Int, height: Int) -> CellGrid {
    var grid = CellGrid(width: width, height: height)
    let (state, ink) = state(of: figures, trace)
    header(figures, state, ink, width: width).draw(on: &grid, row: 0)
    var row = height < 12 ? 1 : 2
    if row > 1, ink != .bad, let reason = reason(figures, trace) { grid.put(reason, at: 1, 1, ink) }
    let all = list(figures)
    let large = Figure.fitting(Array(all.prefix(4)), width: width)
    Figure.drawLarge(Array(all.prefix(large)), on: &grid, row: row, isUnicode: style.isUnicode)
    row += BigDigits.height + 2
    if let (share, words) = aim(figures) {
      drawBar(share, words, on: &grid, row: row)
      row += 1
    }
    let small = Figure.rows(Array(all.dropFirst(large)), width: width, atMost: height / 8)
    let hasMinutes = height >= 15
    let rest = height - row - small.count - (hasMinutes ? 2 : 0)
    // With an even number of rows of bars, one begins at the half.
    let bars = hasMinutes ? (rest - min(max(2, rest * 2 / 5), 12)) & ~1 : 0
    let curve = trace.rows(width: width - 1, height: rest - bars, hasBraille: style.hasBraille)
    for (index, line) in curve.enumerated() { grid.put(line, at: 1, row + index, ink) }
    row += rest - bars
    for (index, line) in small.enumerated() { line.draw(on: &grid, row: row + index) }
    if hasMinutes { drawMinutes(figures.minutes.minutes, on: &grid, row: row + small.count) }
    return grid
  }

  /// What the wearer does.
  private func state(of figures: Figures, _ trace: SignalCurve) -> (words: String, style: CellStyle) {
    if figures.walk.currentCadence != nil { return ("walking", .good) }
    if let trouble = figures.trouble, trouble == .lost || figures.walk.steps == 0 { return (trouble.rawValue, .bad) }
    return trace.moves(for: 2) == true ? ("moving", .warning) : ("standing", .faint)
  }

  /// Why a movement, or none, is not counted.
  private func reason(_ figures: Figures, _ trace: SignalCurve) -> String? {
    guard figures.walk.currentCadence == nil, let moves = trace.moves(for: 2) else { return nil }
    if trace.moves(for: 8) == true { return "not counted: the movement lacks the rhythm of walking" }
    return moves ? "steps show within six seconds" : figures.walk.steps == 0 ? "the sensor hardly moves" : nil
  }

  /// The figures, the most important first.
  private func list(_ figures: Figures) -> [Figure] {
    let (walk, minutes) = (figures.walk, figures.minutes.minutes)
    let rate = { (cadence: Double?) in cadence.flatMap { Decimals.text($0 * 60, 0) } ?? "-" }
    let distance = (distance(figures) ?? "- no --step-length").split(separator: " ", maxSplits: 1).map(String.init)
    let provisional = figures.provisional > 0 ? "+ \(figures.provisional) provisional" : ""
    let steps = Figure("Steps", Decimals.grouped(figures.test?.steps ?? walk.steps, by: " "), provisional, .strong)
    let isBrisk = walk.currentCadence.map { $0 * 60 >= Double(MinuteSteps.brisk) } ?? false
    let cadence = Figure("Cadence", rate(walk.currentCadence), "steps/min", isBrisk ? .good : .plain)
    let way = Figure("Distance", distance[0], distance[1], figures.test == nil ? .plain : .strong)
    var all = [steps, cadence, way]
    if let test = figures.test {
      let words = test.left ?? .zero > .zero ? "of 6:00" : test.words
      all = [Figure("To go", ScreenText.time(test.seconds), words, .strong), way, steps, cadence]
    } else {
      all.append(Figure("Walked", ScreenText.time(walk.activeTime), "of \(ScreenText.time(figures.elapsed))"))
    }
    let seconds = walk.activeTime / .seconds(1)
    let inMiles = Decimals.readsMiles
    let pace = walk.currentPace.map { ScreenText.time(.seconds(($0 * (inMiles ? Decimals.mile : 1000)).rounded())) }
    let rest: [Figure?] = [
      Figure("Mean", rate(seconds > 0 ? Double(walk.steps) / seconds : nil), "steps/min"),
      Figure("Best", "\(minutes.max() ?? 0)", "in a minute"),
      walk.floorsAscended.map { Figure("Floors", "\($0) up,", "\(walk.floorsDescended ?? 0) down") },
      Figure("Walks", "\(figures.minutes.walks)"),
      Figure("Brisk", "\(minutes.count { $0 >= MinuteSteps.brisk })", "min"),
      Figure("Pace", pace ?? "-", inMiles ? "min/mi" : "min/km"),
    ]
    return all + rest.compactMap { $0 }
  }

  /// In a six-minute walk only what was measured.
  private func distance(_ figures: Figures) -> String? {
    guard let test = figures.test else { return Decimals.distance(figures.walk.distanceTravelled) }
    return test.distance.map { Decimals.distance($0, inMiles: false) }
  }

  /// The share of the goal, or of six minutes, and what is left, unless a figure says it.
  private func aim(_ figures: Figures) -> (share: Double, words: String)? {
    if let test = figures.test { return (test.share, "") }
    guard let goal = figures.goal, goal > 0 else { return nil }
    let share = Double(figures.walk.steps) / Double(goal)
    let left = goal - figures.walk.steps
    let words =
      left > 0
      ? "\(Int(100 * share)) % of \(Decimals.grouped(goal, by: " ")), \(Decimals.grouped(left, by: " ")) to go"
      : "goal of \(Decimals.grouped(goal, by: " ")) reached"
    return (share, words)
  }

  /// A bar as wide as the window, with a share.
  private func drawBar(_ share: Double, _ words: String, on grid: inout CellGrid, row: Int) {
    let bar = max(0, grid.width - 2 - (words.isEmpty ? 0 : words.count + 2))
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

  /// The steps of the last minutes as bars, the newest at the right, with their axes. While there are few minutes, the bars
  /// are wider.
  private func drawMinutes(_ minutes: [Int], on grid: inout CellGrid, row: Int) {
    let (left, right) = (5, grid.width - 1)
    let bars = grid.height - row - 2
    var title = ScreenRow(" Steps a minute", .faint)
    let legend = "\(style.isUnicode ? "█" : "#") brisk: \(MinuteSteps.brisk) or more"
    if style.depth != .none, title.width + legend.count + 3 <= grid.width {
      title.put(legend, at: right - legend.count, .good)
    }
    title.draw(on: &grid, row: row)
    let pitch = max(1, (right - left) / max(15, minutes.count))
    let shown = Array(minutes.suffix((right - left) / pitch))
    let top = max(120, ((shown.max() ?? 0) + 59) / 60 * 60)
    for (value, line) in [(top, row + 1), (top / 2, row + 1 + bars / 2)] {
      grid.put("\(value)".padded(to: -left + 1), at: 0, line, .faint)
      grid.put(String(repeating: style.hasBraille ? "▔ " : ". ", count: (right - left) / 2), at: left, line, .faint)
    }
    for (index, line) in Sparkline.rows(
      shown.map(Double.init), height: bars, top: Double(top), isUnicode: style.isUnicode
    ).enumerated() {
      for (place, glyph) in line.enumerated() where glyph != " " {
        let ink = shown[place] >= MinuteSteps.brisk ? CellStyle.good : .faint
        let bar = String(repeating: glyph, count: max(1, pitch - 1))
        grid.put(bar, at: right - (shown.count - place) * pitch, row + 1 + index, ink)
      }
    }
    let step = [1, 5, 15, 30].first { $0 * pitch >= 10 } ?? 60
    for minute in stride(from: step, to: (right - left) / pitch, by: step) {
      grid.put("-\(minute) min", at: right - (minute + 1) * pitch, grid.height - 1, .faint)
    }
    grid.put("now", at: right - max(3, pitch), grid.height - 1, .faint)
  }

  private func header(_ figures: Figures, _ state: String, _ ink: CellStyle, width: Int) -> ScreenRow {
    let name = ScreenText.visible(figures.source, isUnicode: style.isUnicode)
    let room = width - 4 - state.count
    var row = ScreenRow(" ")
    row.append(shortened(name, to: room))
    if let rate = rate(of: figures), name.count + rate.count + 2 <= room { row.append("  " + rate, .faint) }
    row.put(state, at: width - state.count - 1, ink)
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

  private static func cadence(_ walk: WalkTotals) -> String? {
    walk.currentCadence.flatMap { Decimals.text($0 * 60, 0) }.map { "\($0) steps/min" }
  }

  /// All in one line; what does not fit is left out.
  func line(_ figures: Figures, _ trace: SignalCurve, width: Int) -> String {
    let walk = figures.walk
    let provisional = figures.provisional > 0 ? " + \(figures.provisional) provisional" : ""
    let steps = "\(walk.steps) step\(walk.steps == 1 ? "" : "s")\(provisional)"
    let parts =
      [steps, figures.test?.words, distance(figures)].compactMap { $0 } + [
        Self.cadence(walk) ?? "standing", Decimals.duration(figures.elapsed.wholeSeconds),
      ]
    let curve = trace.points.isEmpty ? [] : trace.rows(width: 20, height: 1, hasBraille: style.hasBraille)
    let rate = rate(of: figures) ?? ""
    // The first that fits: the name of the source was printed before the line, so it gives way to the curve. Nothing is cut.
    let withCurve = curve + parts
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
