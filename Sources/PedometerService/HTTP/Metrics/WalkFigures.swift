import Foundation

/// How a walk stands, as the latest `data` line of its source says.
struct WalkFigures: Sendable, Hashable, Decodable {
  /// The source; `nil` where only one counts.
  var source: String?
  /// Metres since the service began.
  var distanceTravelled: Double
  /// Steps a second; `nil` while nobody walks.
  var cadence: Double?

  /// The latest figures of each source, from lines of which the newest comes first.
  static func latest(in lines: [String]) -> [WalkFigures] {
    var figures: [String?: WalkFigures] = [:]
    for line in lines {
      guard let walk = try? JSONDecoder().decode(WalkFigures.self, from: Data(line.utf8)) else { continue }
      if figures[walk.source] == nil { figures[walk.source] = walk }
    }
    return Array(figures.values)
  }
}
