import ChaseEngine
import ChaseScenery
import Terminals

/// The whole way in one row: Nessie, the runner, the others, marks at each quarter of the goal, and the goal.
///
/// The founding picture begins at the runner's start; here it begins at Nessie's, so that the head start and a Nessie
/// who approaches a standing walker are visible.
struct ChaseTrack {
  /// Columns of a picture.
  static let icon = 3
  static let pixelRows = 2

  var frame: ChaseFrame
  /// The others' shares of their goals.
  var opponents: [Double] = []

  /// Draws it over the whole width of a screen, in two rows with the sprites of the scene; without pictures if there is no room
  /// for both.
  func draw(on grid: inout CellGrid, rows: Range<Int>, _ style: ScreenStyle) {
    if rows.count == Self.pixelRows { return drawPixels(on: &grid, rows: rows, style) }
    let (width, row, isUnicode) = (grid.width, rows.lowerBound, style.isUnicode)
    grid.put(String(repeating: isUnicode ? "·" : ".", count: width), at: 0, row, .faint)
    grid.put(isUnicode ? "█" : "#", at: width - 1, row)
    guard let places = places(width: width) else { return }
    for quarter in 1...3 {
      let column = places.lead + (places.end - places.lead) * quarter / 4 + Self.icon - 1
      grid.put(isUnicode ? "┆" : "|", at: column, row, .faint)
    }
    for opponent in opponents {
      if let column = Self.column(runner: opponent, width: width) { grid.put("o", at: column + 1, row, .faint) }
    }
    let view = ChaseView()
    view.state = frame.state
    grid.put(Self.picture(view.nessiePicture, isUnicode: isUnicode), at: places.nessie, row, .bad)
    // A caught runner has disappeared into Nessie.
    if frame.state != .caught {
      grid.put(Self.picture(view.runnerPicture, isUnicode: isUnicode), at: places.runner, row, .good)
    }
  }

  private func drawPixels(on grid: inout CellGrid, rows: Range<Int>, _ style: ScreenStyle) {
    var canvas = PixelCanvas(width: grid.width, rows: rows.count)
    let ground = canvas.height - 1
    if let places = places(width: grid.width) {
      // What Nessie has swum, what the runner has walked, and what is left.
      for column in 0..<grid.width {
        canvas[column, ground] = column <= places.nessie ? .water0 : column <= places.runner ? .grass : .sand
      }
      for quarter in 1...3 {
        let column = places.lead + (places.end - places.lead) * quarter / 4 + Self.icon - 1
        canvas.draw(.smallMilestone, x: column, bottom: ground)
      }
      canvas.draw(.smallFinish, x: grid.width - Self.icon, bottom: ground)
      let walker = { (state: AppState) in
        ChaseScene.walker(of: state, stride: state == .inProgress ? 0 : nil, isSmall: true)
      }
      for (index, opponent) in opponents.enumerated() {
        guard let column = Self.column(runner: opponent, width: grid.width) else { continue }
        let shirt = Material.shirts[index % Material.shirts.count]
        canvas.draw(walker(.inProgress).wearing(shirt), x: column, bottom: ground)
      }
      // Her head has a column more.
      canvas.draw(ChaseScene.head(of: frame.state, isSmall: true), x: places.nessie - 1, bottom: ground)
      if frame.state != .caught { canvas.draw(walker(frame.state), x: places.runner, bottom: ground) }
    }
    canvas.show(on: &grid, row: rows.lowerBound, style: style)
  }

  /// The columns of both pictures, of the runner's start and goal; `nil` if they do not fit.
  func places(width: Int) -> (nessie: Int, runner: Int, lead: Int, end: Int)? {
    guard let runner = Self.column(runner: frame.runner, width: width),
      let lead = Self.column(runner: 0, width: width), let end = Self.column(runner: 1, width: width)
    else { return nil }
    if frame.state == .caught { return (runner, runner, lead, end) }
    let nessie = Int((Double(runner) * min(max(frame.nessie, 0), 1)).rounded(.down))
    return (min(nessie, runner - Self.icon), runner, lead, end)
  }

  /// The column of another runner's picture on a track of this width; `nil` if there is no room for one.
  static func column(runner: Double, width: Int) -> Int? {
    let end = width - 1 - icon
    let lead = max(icon, width / 8)
    guard end > lead else { return nil }
    return lead + Int((Double(end - lead) * min(max(runner, 0), 1)).rounded(.down))
  }

  private static func picture(_ picture: ChaseView.Picture, isUnicode: Bool) -> String {
    switch picture {
    case .nessie: isUnicode ? "≈≈§" : "~~S"
    case .nessieSleeping: isUnicode ? "zz§" : "zzS"
    case .nessieLost: isUnicode ? "··§" : "..S"
    case .nessieWon: isUnicode ? "≈≈Ω" : "~~O"
    case .runner: " o>"
    case .runnerPaused: " o "
    case .runnerWon: "\\o/"
    case .runnerEaten: " x "
    }
  }
}
