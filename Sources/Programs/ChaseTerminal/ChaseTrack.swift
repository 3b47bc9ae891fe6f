import ChaseEngine
import Terminals

/// The whole way in one row: Nessie, the runner, the others, marks at each quarter of the goal, and the goal.
///
/// The founding picture begins at the runner's start; here it begins at Nessie's, so that the head start and a Nessie
/// who approaches a standing walker are visible.
struct ChaseTrack {
  /// Columns of a picture.
  static let icon = 3

  /// The figures.
  var frame: ChaseFrame
  /// The others' shares of their goals.
  var opponents: [Double] = []

  /// Draws it over the whole width of a screen; without pictures if there is no room for both.
  func draw(on grid: inout CellGrid, row: Int, isUnicode: Bool) {
    let width = grid.width
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
