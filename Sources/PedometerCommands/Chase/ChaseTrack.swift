import ChaseEngine

/// The track in one line: Nessie, the runner, marks at each quarter of the goal, and the goal.
///
/// The founding picture begins at the runner's start; here it begins at Nessie's, so that the head start and a Nessie
/// who approaches a standing walker are visible.
struct ChaseTrack {
  /// Columns of a picture.
  static let icon = 3

  /// The figures.
  var frame: ChaseFrame

  /// The line, `width` columns long; without pictures if there is no room for both.
  func line(width: Int, isUnicode: Bool) -> ScreenLine {
    var line = ScreenLine(String(repeating: isUnicode ? "·" : ".", count: width), role: .faint)
    line.put(isUnicode ? "█" : "#", at: width - 1)
    guard let places = places(width: width) else { return line }
    for quarter in 1...3 {
      let column = places.lead + (places.end - places.lead) * quarter / 4 + Self.icon - 1
      line.put(isUnicode ? "┆" : "|", at: column, role: .faint)
    }
    let view = ChaseView()
    view.state = frame.state
    line.put(Self.picture(view.nessiePicture, isUnicode: isUnicode), at: places.nessie, role: .bad)
    // A caught runner has disappeared into Nessie.
    if frame.state != .caught {
      line.put(Self.picture(view.runnerPicture, isUnicode: isUnicode), at: places.runner, role: .good)
    }
    return line
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
