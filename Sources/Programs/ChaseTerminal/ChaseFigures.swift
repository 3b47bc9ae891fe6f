import ChaseEngine
import JSONLines
import Terminals

extension ChaseScreen {
  /// The figures in as many columns as there is room for, the most important first.
  func figureRows(_ width: Int, _ height: Int, atMost most: Int) -> [ScreenRow] {
    let figures = figures(Figure.room(width))
    let shown = Self.hasLargeDigits(width, height) ? Array(figures.suffix(3)) : figures
    return Figure.rows(shown, width: width, atMost: most)
  }

  /// - Parameter room: the characters of a value and its words.
  private func figures(_ room: Int) -> [Figure] {
    let alarming = CellStyle(ink: CellStyle.bad.ink, isBold: true)
    return [
      Figure("Steps", "\(frame.steps)", aim(room), .strong),
      Figure("Gap", ScreenText.number(max(0, frame.gap), digits: 1), gap, isClose ? alarming : .strong),
      Figure("Cadence", ScreenText.number(frame.cadence * 60, digits: 0), "steps/min"),
      Figure("Time", ScreenText.time(frame.elapsed)),
      Figure("Caught", caught, "", isClose ? .bad : .plain),
      Figure("Pace", pace, frame.velocity > 0.1 ? "min/km" : ""),
      Figure("Distance", ScreenText.number(frame.distance, digits: 1), "m"),
      Figure("Nessie", nessie),
    ]
  }

  /// Whether Nessie arrives in less than half a minute.
  var isClose: Bool { frame.timeUntilCaught.map { $0 < .seconds(30) } ?? false }

  static func hasLargeDigits(_ width: Int, _ height: Int) -> Bool { width >= 120 && height >= 40 }

  /// The most important figures, for large digits. When she arrives stands below the time.
  var largeFigures: [Figure] {
    var figures = Array(figures(.max).prefix(4))
    figures[0].value = Decimals.grouped(frame.steps, by: " ")
    if frame.state == .inProgress { figures[3].words = frame.timeUntilCaught == nil ? caught : "caught " + caught }
    return figures
  }

  /// What the steps are a part of; the percentage if it fits.
  private func aim(_ room: Int) -> String {
    guard let goal = frame.goal else { return "" }
    if frame.steps >= goal { return "at goal" }
    let words = ["of \(goal) (\(percent(of: goal)) %)", "of \(goal), \(percent(of: goal)) %"]
    return words.first { "\(frame.steps) \($0)".count <= room } ?? "of \(goal)"
  }

  /// Computed from integers, since 0.29 × 100 is less than 29.
  private func percent(of goal: Int) -> String {
    ScreenText.number((Double(frame.steps) * 100 / Double(max(goal, 1))).rounded(.down), digits: 0)
  }

  /// Metres, and the seconds that Nessie takes for them.
  private var gap: String {
    guard frame.nessieVelocity > 0, frame.gap > 0, frame.gap / frame.nessieVelocity < 36_000 else { return "m" }
    return "m, \(ScreenText.number(frame.gap / frame.nessieVelocity, digits: 0)) s"
  }

  private var caught: String {
    switch frame.state {
    case .caught: "yes"
    case .completed: "no"
    case .inProgress: frame.timeUntilCaught.map { "in " + ScreenText.time($0) } ?? "out of reach"
    case .notStarted, .paused: "-"
    }
  }

  /// Minutes for a kilometre.
  private var pace: String { frame.velocity > 0.1 ? ScreenText.time(.seconds((1000 / frame.velocity).rounded())) : "-" }

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
  private var title: String { frame.state == .completed ? "You made it!" : "Nessie caught you" }

  /// The title in the sky of the scene.
  func drawTitle(on grid: inout CellGrid, rows: Range<Int>, _ style: ScreenStyle) {
    let text = "  \(title)  "
    let paper = frame.state == .completed ? Colour(0x1E_6842, ansi: 2) : Colour(0xA3_262F, ansi: 1)
    grid.put(
      text, at: (grid.width - text.count) / 2, rows.lowerBound + rows.count / 5,
      CellStyle(ink: Colour(0xFFFFFF, ansi: 15), paper: paper, isBold: true))
  }

  func endRows(_ width: Int, _ height: Int, _ style: ScreenStyle) -> [ScreenRow] {
    let colour = CellStyle(ink: (frame.state == .completed ? CellStyle.good : .bad).ink, isBold: true)
    var sentences = [ending(width)]
    if let place = room?.result(of: frame) { sentences.append(place) }
    let rows = sentences.flatMap { sentence in
      ScreenText.wrapped(ScreenText.visible(sentence, isUnicode: style.isUnicode), width: width - 2)
    }.map { ScreenRow(" " + $0, colour) }
    return height < 10 ? Array(rows.prefix(2)) : rows
  }

  /// Who won, in a sentence; in a narrow window in a short one, which is not cut.
  private func ending(_ width: Int) -> String {
    let time = ScreenText.time(frame.elapsed)
    if frame.state == .completed {
      let won = "You won: \(frame.steps) steps in \(time)."
      return width < 50 ? won : won + " Nessie was \(ScreenText.number(max(0, frame.gap), digits: 0)) m behind you."
    }
    let missing = frame.goal.map { max(0, $0 - frame.steps) } ?? 0
    let before = "\(missing) \(missing == 1 ? "step" : "steps") before your goal."
    return width < 50 ? "Nessie won after \(time)." : "Nessie won: she caught you after \(time), \(before)"
  }
}
