import ChaseEngine
import JSONLines
import Terminals

extension ChaseScreen {
  /// The figures in as many columns as there is room for, the most important first.
  func figureRows(_ width: Int, _ height: Int, atMost most: Int) -> [ScreenRow] {
    let figures = Self.digitScale(width, height) == nil ? figures(width) : smallFigures
    let columns = min(max(1, width / Self.figureWidth), 4)
    let count = min((figures.count + columns - 1) / columns, most)
    return (0..<max(0, count)).map { index in
      var row = ScreenRow()
      for column in 0..<columns where column + index * columns < figures.count {
        let figure = figures[column + index * columns]
        let place = 1 + column * (width / columns)
        row.put(figure.label, at: place, .faint)
        row.put(figure.value, at: place + Self.labelWidth, figure.style)
      }
      return row
    }
  }

  typealias Figure = (label: String, value: String, style: CellStyle)

  private static let labelWidth = 9
  /// The columns of a label and a value.
  private static let figureWidth = 26

  private func figures(_ width: Int) -> [Figure] {
    return [
      ("Steps", steps(width), .strong),
      ("Gap", gap, isClose ? Self.alarming : .strong),
      ("Cadence", "\(ScreenText.number(frame.cadence * 60, digits: 0)) steps/min", .plain),
      ("Time", ScreenText.time(frame.elapsed), .plain),
      ("Caught", caught, isClose ? .bad : .plain),
      ("Pace", pace, .plain),
      ("Distance", ScreenText.number(frame.distance, digits: 1) + " m", .plain),
      ("Nessie", nessie, .plain),
    ]
  }

  /// The figures beside large ones.
  private var smallFigures: [Figure] { figures(80).filter { ["Pace", "Distance", "Nessie"].contains($0.label) } }

  /// Whether Nessie arrives in less than half a minute.
  var isClose: Bool { frame.timeUntilCaught.map { $0 < .seconds(30) } ?? false }

  /// The edge of a pixel of large digits; `nil` if the window is too small for them.
  static func digitScale(_ width: Int, _ height: Int) -> Int? {
    if width >= 200, height >= 60 { return 2 }
    return width >= 120 && height >= 40 ? 1 : nil
  }

  /// Draws the most important figures in large digits side by side, each below its label and above words.
  func drawLargeFigures(on grid: inout CellGrid, row: Int, _ style: Style, scale: Int) {
    let figures = largeFigures
    for (index, (figure, words)) in figures.enumerated() {
      let column = 1 + index * (grid.width / figures.count)
      grid.put(figure.label, at: column, row, .faint)
      BigDigits.draw(
        figure.value, on: &grid, at: column, row + 1, figure.style, isUnicode: style.isUnicode, scale: scale)
      grid.put(words, at: column, row + 1 + BigDigits.height(scale: scale), .faint)
    }
  }

  private var largeFigures: [(figure: Figure, words: String)] {
    let goal = frame.goal.map { frame.steps >= $0 ? "goal reached" : "of \($0) (\(percent(of: $0)) %)" } ?? "steps"
    let seconds = gap.split(separator: ", ").dropFirst().first.map { ", \($0)" } ?? ""
    let caught = frame.timeUntilCaught.map { "caught in " + ScreenText.time($0) } ?? "not caught at this pace"
    return [
      (("Steps", Decimals.grouped(frame.steps, by: " "), .strong), goal),
      (("Gap", ScreenText.number(max(0, frame.gap), digits: 1), isClose ? Self.alarming : .strong), "m" + seconds),
      (("Cadence", ScreenText.number(frame.cadence * 60, digits: 0), .plain), "steps/min"),
      (("Time", ScreenText.time(frame.elapsed), .plain), frame.state == .inProgress ? caught : ""),
    ]
  }

  private static let alarming = CellStyle(ink: CellStyle.bad.ink, isBold: true)

  /// With the percentage if it fits.
  private func steps(_ width: Int) -> String {
    guard let goal = frame.goal else { return "\(frame.steps)" }
    let room = (width >= 2 * Self.figureWidth ? Self.figureWidth : width) - 1 - Self.labelWidth
    let both = "\(frame.steps) of \(goal)"
    let choices =
      frame.steps >= goal
      ? ["\(frame.steps), goal reached", "\(frame.steps), at goal"]
      : [both + " (\(percent(of: goal)) %)", both + ", \(percent(of: goal)) %", both]
    return choices.first { $0.count <= room } ?? "\(frame.steps)"
  }

  /// Computed from integers, since 0.29 × 100 is less than 29.
  private func percent(of goal: Int) -> String {
    ScreenText.number((Double(frame.steps) * 100 / Double(max(goal, 1))).rounded(.down), digits: 0)
  }

  /// In metres, and in the seconds that Nessie takes for them.
  private var gap: String {
    let metres = ScreenText.number(max(0, frame.gap), digits: 1) + " m"
    guard frame.nessieVelocity > 0, frame.gap > 0, frame.gap / frame.nessieVelocity < 36_000 else { return metres }
    return metres + ", \(ScreenText.number(frame.gap / frame.nessieVelocity, digits: 0)) s"
  }

  private var caught: String {
    switch frame.state {
    case .caught: "yes"
    case .completed: "no"
    case .inProgress: frame.timeUntilCaught.map { "in " + ScreenText.time($0) } ?? "not at this pace"
    case .notStarted, .paused: "-"
    }
  }

  /// Minutes for a kilometre.
  private var pace: String {
    guard frame.velocity > 0.1 else { return "-" }
    return ScreenText.time(.seconds((1000 / frame.velocity).rounded())) + " min/km"
  }

  private var nessie: String {
    switch frame.state {
    case .notStarted, .paused: "asleep"
    case .inProgress: "\(ScreenText.number(frame.nessieVelocity, digits: 2)) m/s"
    case .completed: "left behind"
    case .caught: "well fed"
    }
  }
}

// MARK: - the end

extension ChaseScreen {
  /// Who won, in a few words.
  private var title: String { frame.state == .completed ? "You made it!" : "Nessie caught you" }

  /// The title in the sky of the scene.
  func drawTitle(on grid: inout CellGrid, rows: Range<Int>, _ style: Style) {
    let text = "  \(title)  "
    let colour = frame.state == .completed ? CellStyle.good : .bad
    grid.put(
      text, at: (grid.width - text.count) / 2, rows.lowerBound + rows.count / 5,
      CellStyle(ink: Colour(0xFFFFFF, ansi: 15), paper: colour.ink, isBold: true))
  }

  /// Who won and how, and the course of the race.
  func endRows(_ width: Int, _ height: Int, _ style: Style) -> [ScreenRow] {
    let colour = CellStyle(ink: (frame.state == .completed ? CellStyle.good : .bad).ink, isBold: true)
    var sentences = [ending(width)]
    if let place = room?.result(of: frame) { sentences.append(place) }
    let few = height < 10
    var rows = sentences.flatMap { sentence in
      ScreenText.wrapped(ScreenText.safe(sentence, isUnicode: style.isUnicode), width: width - 2)
    }.map { ScreenRow(" " + $0, colour) }
    if few { rows = Array(rows.prefix(2)) }
    guard !course.isEmpty, width >= 20 else { return rows }
    let label = "Gap "
    let most = " \(ScreenText.number(course.max() ?? 0, digits: 0)) m at most"
    let columns = min(width - 2 - label.count - (width >= 60 ? most.count : 0), 160)
    let curve = Sparkline.rows(
      course, width: columns, height: height >= 40 ? 4 : height >= 20 ? 2 : 1, isUnicode: style.isUnicode)
    for (index, line) in curve.enumerated() {
      var row = ScreenRow(" " + (index == curve.count - 1 ? label : "    "), .faint)
      row.append(line, CellStyle(ink: colour.ink))
      if index == 0, width >= 60 { row.append(most, .faint) }
      rows.append(row)
    }
    return rows
  }

  /// Who won, in a sentence; in a narrow window in a short one, which is not cut.
  private func ending(_ width: Int) -> String {
    let time = ScreenText.time(frame.elapsed)
    if frame.state == .completed {
      let won = "You won: \(frame.steps) steps in \(time)."
      let closest = ScreenText.number(course.min() ?? max(0, frame.gap), digits: 0)
      return width < 50 ? won : won + " Nessie was never closer than \(closest) m."
    }
    let missing = frame.goal.map { max(0, $0 - frame.steps) } ?? 0
    let before = "\(missing) \(missing == 1 ? "step" : "steps") before your goal."
    return width < 50 ? "Nessie won after \(time)." : "Nessie won: she caught you after \(time), \(before)"
  }
}
