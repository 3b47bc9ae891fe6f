import ChaseEngine
import Terminals

/// The terminal game's picture: the scene and a panel of figures. It is pure, so tests can examine it.
///
/// A small terminal drops the less important parts: the header, then older alerts, figures, the scene. The last row,
/// with the button, stays.
package struct ChaseScreen {
  var frame: ChaseFrame
  var scene = ChaseScene()
  var buttonLabel: String
  /// The alerts that were not dismissed, oldest first, and when they were posted, in the time of the chase.
  var notices: [(alert: Alert, elapsed: Duration?)]
  var source: String
  /// The typed part of an answer to the question for a goal; `nil` without the question.
  var typedGoal: String?
  /// The goal for an empty answer.
  var suggestedGoal = StepCountController.suggestedGoal
  var complaint: String?
  /// The room; `nil` for a chase without a room.
  var room: RaceStandings?
  /// The typed part of a message to the room; `nil` if no message is being typed.
  var typedMessage: String?

  /// The rows of the scene that stay at the end, in windows of some height.
  private static let scenicRows = 10
  private static let scenicHeight = 20

  /// The cells of a terminal of this size.
  func grid(width: Int, height: Int, style: ScreenStyle) -> CellGrid {
    var grid = CellGrid(width: width, height: height)
    guard width > 0, height > 0 else { return grid }
    let header = height >= 14 ? [headerRow(width)] : []
    var panel = panel(width, height, style)
    // Labels, digits, words, and a blank row.
    let large = Self.hasLargeDigits(width, height) ? BigDigits.height + 3 : 0
    let track = height < 12 ? 0 : height >= 20 && style.hasPixels ? ChaseTrack.pixelRows : 1
    let others = 1 + header.count + track + large
    // The panel may take all but three rows, fewer of which would be no scene. At the end the picture of it stays.
    panel = Array(panel.prefix(max(0, height - 1 - (height >= 6 ? 3 : 0))))
    if frame.state.isOver, height >= Self.scenicHeight {
      panel = Array(panel.prefix(max(endRows(width, height, style).count, height - others - Self.scenicRows)))
    }
    var rest = height - others - panel.count
    if rest < 3 { rest = 0 }
    var row = 0
    for line in header {
      line.draw(on: &grid, row: row)
      row += 1
    }
    if rest > 0 { scene.draw(on: &grid, rows: row..<row + rest, style: style) }
    if rest > 0, frame.state.isOver { drawTitle(on: &grid, rows: row..<row + rest, style) }
    row += rest
    if track > 0 {
      ChaseTrack(frame: frame, opponents: room?.opponents.map(\.runner) ?? [])
        .draw(on: &grid, rows: row..<row + track, style)
      row += track
    }
    if large > 0 { Figure.drawLarge(largeFigures, on: &grid, row: row, isUnicode: style.isUnicode) }
    row += large
    for line in panel {
      line.draw(on: &grid, row: row)
      row += 1
    }
    buttonRow(width, style).draw(on: &grid, row: height - 1)
    return grid
  }

  /// The rows between the scene and the button, the most important first.
  private func panel(_ width: Int, _ height: Int, _ style: ScreenStyle) -> [ScreenRow] {
    let few = height < 10
    var rows: [ScreenRow] = []
    if frame.state.isOver { rows += endRows(width, height, style) }
    rows += figureRows(width, height, atMost: frame.state.isOver ? (few ? 0 : 3) : few ? max(1, min(2, height - 2)) : 8)
    let notices = noticeRows(width, style)
    let shown = notices.prefix(few ? 1 : height < 20 ? 2 : max(3, height / 8))
    rows += shown
    if let room {
      // Before the alerts: who is where is what a race is about.
      if !few, let standings = room.standingsRow(of: frame, width: width, style: style) {
        rows.insert(standings, at: rows.count - shown.count)
      }
      let messages = room.messageRows(width: width, style: style)
      rows += messages.suffix(few ? 0 : max(1, height / 6))
    }
    return rows
  }
}

// MARK: - header, button

extension ChaseScreen {
  private func headerRow(_ width: Int) -> ScreenRow {
    var row = ScreenRow(" \(ScreenText.visible(source, isUnicode: false))", .faint)
    let state = " " + (frame.state == .inProgress ? stateInWords : room?.stateInWords ?? stateInWords)
    row.put(state, at: width - state.count - 1, .strong)
    return row
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

  private func buttonRow(_ width: Int, _ style: ScreenStyle) -> ScreenRow {
    var row: ScreenRow
    var keys: [String]
    if let typedMessage {
      // Show the end of the text that is being typed.
      let shown = String(typedMessage.suffix(max(1, width - 32)))
      row = ScreenRow(" Say: \(ScreenText.visible(shown, isUnicode: style.isUnicode, columns: width - 8))_", .strong)
      keys = ["enter send", "esc cancel"]
    } else if let typedGoal {
      row = ScreenRow(" Goal in steps: \(typedGoal.isEmpty ? "\(suggestedGoal)?" : typedGoal)_", .strong)
      keys = (complaint.map { [$0] } ?? []) + ["enter set", "esc cancel"]
    } else {
      row = ScreenRow(frame.state.isOver && width >= 40 ? " Again?" : "", .strong)
      row.append(" [\(buttonLabel)]", .strong)
      keys = ["space \(buttonLabel.lowercased())"] + (notices.isEmpty ? [] : ["d dismiss"])
      if let room {
        if frame.state == .notStarted || frame.state.isOver { keys = ["space count down"] + keys.dropFirst() }
        keys += ["t talk", room.race?.race == .open ? "c count down" : nil].compactMap { $0 }
      }
      // After the end the button does the same as a restart.
      keys += ["g goal"] + (frame.state.isOver ? [] : ["r restart"]) + ["q quit"]
    }
    for key in keys where row.width + 3 + key.count <= width {
      row.put(key, at: row.width + 3, key == complaint ? .bad : .faint)
    }
    return row
  }
}

// MARK: - alerts

extension ChaseScreen {
  /// The latest first; its details below it.
  private func noticeRows(_ width: Int, _ style: ScreenStyle) -> [ScreenRow] {
    notices.reversed().flatMap { notice -> [ScreenRow] in
      let time = width >= 40 ? notice.elapsed.map { " " + ScreenText.time($0) } ?? "" : ""
      let indent = String(repeating: " ", count: time.isEmpty ? 1 : 9)
      let rows = { (text: String, colour: CellStyle) in
        ScreenText.wrapped(indent + ScreenText.visible(text, isUnicode: style.isUnicode), width: width - 1)
          .map { ScreenRow($0, colour) }
      }
      var all = rows(notice.alert.text, notice.alert.severity == .good ? .good : .bad)
      if !all.isEmpty { all[0].put(time, at: 0, .faint) }
      return all + rows(notice.alert.detail ?? "", .plain)
    }
  }
}

extension ChaseScreen {
  /// The picture of the current state of a screen's controllers.
  init(
    of root: RootViewController, source: String, diary: ChaseDiary? = nil, typedGoal: String? = nil,
    suggestedGoal: Int = StepCountController.suggestedGoal, complaint: String? = nil, scene: ChaseScene? = nil
  ) {
    let model = root.stepController.model
    frame = ChaseFrame(of: model)
    self.scene = scene ?? ChaseMotion.still(frame)
    buttonLabel = root.stepController.startButtonTitle
    notices = model.alertCenter.alerts.map { alert in
      (alert, diary?.entries.last { $0.alert == alert }?.elapsed)
    }
    self.source = source
    self.typedGoal = root.stepController.isAskingForGoal ? typedGoal ?? "" : nil
    (self.suggestedGoal, self.complaint) = (suggestedGoal, complaint)
  }
}
