import ChaseEngine

/// The terminal game's picture: turns figures into lines of text. It is pure, so tests can examine it.
///
/// The most important parts remain on the smallest terminal: first the track, then the button, the alert, the steps,
/// the gap; frames and blanks are dropped first.
struct ChaseScreen {
  /// The capabilities of the terminal.
  struct Style {
    /// Whether it shows more than ASCII.
    var isUnicode = true
    /// Whether colours are wanted.
    var hasColour = true
  }

  /// The figures.
  var frame: ChaseFrame
  /// The label of the single button.
  var buttonLabel: String
  /// The queued alerts. The latest one is on top, since it describes what has just happened.
  var alerts: [Alert]
  /// The source of the steps.
  var source: String
  /// The typed part of an answer to the question for a goal; `nil` without the question.
  var typedGoal: String?
  /// The goal for an empty answer.
  var suggestedGoal = StepCountController.suggestedGoal
  /// The problem of the last answer.
  var complaint: String?
  /// The room; `nil` for a chase without a room.
  var room: Room?

  /// The lines of one picture: at most `height`, each of at most `width` columns.
  func lines(width: Int, height: Int, style: Style) -> [String] {
    guard width > 0, height > 0 else { return [] }
    var rows = header(width) + [Row(.blank)]
    rows.append(Row(.track, ChaseTrack(frame: frame).line(width: width, isUnicode: style.isUnicode)))
    rows += (room?.opponents(width: width, style: style) ?? []).map { Row(.opponent, $0) }
    rows.append(Row(.blank))
    rows += figures(width) + [Row(.blank)]
    rows += card(width, style) + [Row(.button, button(width, style))]
    rows += (room?.messages(width: width, style: style) ?? []).map { Row(.message, $0) }
    while rows.count > height, let least = rows.map(\.part.rawValue).max() {
      // A frame without one of its edges looks broken, so all edges are dropped at once; otherwise the last line is
      // dropped.
      if least == Part.border.rawValue {
        rows.removeAll { $0.part == .border }
      } else if least == Part.message.rawValue, let oldest = rows.firstIndex(where: { $0.part == .message }) {
        rows.remove(at: oldest)
      } else if let last = rows.lastIndex(where: { $0.part.rawValue == least }) {
        rows.remove(at: last)
      }
    }
    return rows.map { $0.line.rendered(width: width, hasColour: style.hasColour) }
  }

  /// Parts of the picture, the most important one first.
  private enum Part: Int {
    case track, button, alert, steps, gap, opponent, message, timeUntilCaught, cadence, distance, nessie, time, detail,
      header, border
    case blank
  }

  private struct Row {
    var part: Part
    var line: ScreenLine

    init(_ part: Part, _ line: ScreenLine = ScreenLine()) {
      self.part = part
      self.line = line
    }
  }
}

// MARK: - header, button

extension ChaseScreen {
  private func header(_ width: Int) -> [Row] {
    var line = ScreenLine(" \(ScreenText.safe(source, isUnicode: false))", role: .faint)
    let state = " " + (frame.state == .inProgress ? stateInWords : room?.state ?? stateInWords)
    line.put(state, at: width - state.count - 1, role: .strong)
    return [Row(.header, line)]
  }

  private var stateInWords: String {
    switch frame.state {
    case .notStarted: "ready"
    case .inProgress: "in progress"
    case .paused: "paused"
    case .completed: "you made it"
    case .caught: "caught"
    }
  }

  private func button(_ width: Int, _ style: Style) -> ScreenLine {
    var line: ScreenLine
    var keys: [String]
    if let typedMessage = room?.typedMessage {
      // Show the end of the text that is being typed.
      let shown = String(typedMessage.suffix(max(1, width - 32)))
      line = ScreenLine(
        " Say: \(ScreenText.visible(shown, isUnicode: style.isUnicode, columns: width - 8))_", role: .strong)
      keys = ["enter send", "esc cancel"]
    } else if let typedGoal {
      line = ScreenLine(" Goal in steps: \(typedGoal.isEmpty ? "\(suggestedGoal)?" : typedGoal)_", role: .strong)
      keys = (complaint.map { [$0] } ?? []) + ["enter set", "esc cancel"]
    } else {
      line = ScreenLine(" [\(buttonLabel)]", role: .strong)
      keys = ["space \(buttonLabel.lowercased())"] + (alerts.isEmpty ? [] : ["d dismiss"])
      if let room {
        if frame.state == .notStarted || frame.state.isOver { keys = ["space count down"] + keys.dropFirst() }
        keys += ["t talk", room.standings.race?.race == .open ? "c count down" : nil].compactMap { $0 }
      }
      keys += ["g goal", "r restart", "q quit"]
    }
    for key in keys where line.width + 3 + key.count <= width {
      line.put(key, at: line.width + 3, role: key == complaint ? .bad : .faint)
    }
    return line
  }
}

// MARK: - figures

extension ChaseScreen {
  /// Two columns if there is room for them, otherwise one.
  private func figures(_ width: Int) -> [Row] {
    let left = [steps(width), distance, cadence, time]
    let right = [gap, timeUntilCaught, nessie]
    guard width >= 60 else { return (left + right).map { Row($0.part, line($0, at: 1)) } }
    return left.indices.map { index in
      var both = line(left[index], at: 1)
      guard index < right.count else { return Row(left[index].part, both) }
      both.put(line(right[index], at: 0).rendered(width: width, hasColour: false), at: width / 2)
      let part = left[index].part.rawValue < right[index].part.rawValue ? left[index].part : right[index].part
      return Row(part, both)
    }
  }

  private typealias Figure = (part: Part, label: String, value: String)

  private func line(_ figure: Figure, at column: Int) -> ScreenLine {
    var line = ScreenLine()
    line.put(figure.label, at: column)
    line.put(figure.value, at: column + Self.labelWidth)
    return line
  }

  private static let labelWidth = 11

  /// With the percentage if it fits.
  private func steps(_ width: Int) -> Figure {
    guard let goal = frame.goal else { return (.steps, "Steps", "\(frame.steps)") }
    // Computed from integers, since 0.29 × 100 is less than 29.
    let percent = (Double(frame.steps) * 100 / Double(max(goal, 1))).rounded(.down)
    let value = "\(frame.steps) of \(goal)"
    let both = value + " (\(ScreenText.number(percent, digits: 0)) %)"
    return (.steps, "Steps", 1 + Self.labelWidth + both.count <= width ? both : value)
  }
  private var distance: Figure { (.distance, "Distance", ScreenText.number(frame.distance, digits: 1) + " m") }
  private var cadence: Figure {
    (.cadence, "Cadence", ScreenText.number(frame.cadence * 60, digits: 0) + " steps/min")
  }
  private var time: Figure { (.time, "Time", ScreenText.time(frame.elapsed)) }
  private var gap: Figure { (.gap, "Gap", ScreenText.number(max(0, frame.gap), digits: 1) + " m") }
  private var timeUntilCaught: Figure {
    let open = frame.state == .inProgress ? "not at this pace" : "-"
    return (.timeUntilCaught, "Caught in", frame.timeUntilCaught.map(ScreenText.time) ?? open)
  }
  private var nessie: Figure {
    let doing = frame.state != .inProgress ? "asleep" : frame.isHunted ? "hunting" : "resting"
    return (.nessie, "Nessie", "\(ScreenText.number(frame.nessieVelocity, digits: 2)) m/s, \(doing)")
  }
}

// MARK: - cards

extension ChaseScreen {
  private struct Edges {
    let horizontal, vertical: String
    let top, bottom: (left: String, right: String)

    init(isUnicode: Bool) {
      (horizontal, vertical) = isUnicode ? ("─", "│") : ("-", "|")
      top = isUnicode ? ("┌", "┐") : ("+", "+")
      bottom = isUnicode ? ("└", "┘") : ("+", "+")
    }
  }

  /// The top card, and the edge of the next one below it.
  private func card(_ width: Int, _ style: Style) -> [Row] {
    guard let top = alerts.last, width >= 8 else { return [] }
    let inner = min(width, 72) - 6
    let role = Self.role(top.severity)
    let edges = Edges(isUnicode: style.isUnicode)
    let bar = String(repeating: edges.horizontal, count: inner + 2)
    let wrap = { (text: String) in
      ScreenText.wrapped(ScreenText.safe(text, isUnicode: style.isUnicode), width: inner)
    }
    let body = { (text: String) -> ScreenLine in
      let blanks = String(repeating: " ", count: max(0, inner - text.count))
      return ScreenLine(" \(edges.vertical) \(text)\(blanks) \(edges.vertical)", role: role)
    }
    var rows = [Row(.border, ScreenLine(" \(edges.top.left)\(bar)\(edges.top.right)", role: role))]
    rows += wrap(top.text).map { Row(.alert, body($0)) }
    rows += wrap(top.detail ?? "").map { Row(.detail, body($0)) }
    rows.append(Row(.border, ScreenLine(" \(edges.bottom.left)\(bar)\(edges.bottom.right)", role: role)))
    if let below = alerts.dropLast().last {
      let more = " \(alerts.count - 1) more "
      var line = ScreenLine("  \(edges.bottom.left)\(bar)\(edges.bottom.right)", role: Self.role(below.severity))
      if more.count < inner { line.put(more, at: 4, role: Self.role(below.severity)) }
      rows.append(Row(.border, line))
    }
    return rows
  }

  private static func role(_ severity: Alert.Severity) -> ScreenLine.Role { severity == .good ? .good : .bad }
}

extension ChaseScreen {
  /// The picture of the current state of a screen's controllers.
  init(
    of root: RootViewController, source: String, typedGoal: String? = nil,
    suggestedGoal: Int = StepCountController.suggestedGoal, complaint: String? = nil
  ) {
    let model = root.stepController.model
    frame = ChaseFrame(of: model)
    buttonLabel = root.stepController.startButtonTitle
    alerts = model.alertCenter.alerts
    self.source = source
    self.typedGoal = root.stepController.isAskingForGoal ? typedGoal ?? "" : nil
    self.suggestedGoal = suggestedGoal
    self.complaint = complaint
  }
}
