import Foundation
import JSONLines

/// Figures of a day as other programs define and name them.
///
/// stepcount 3.20 (`summarize_cadence`, `summarize_steps`) on windows of a minute: cadences are those of minutes with at
/// least 18 steps, its 3 in 10 s. GGIR 3 (`detectEventBouts`): bouts in epochs of 5 s without a threshold of acceleration,
/// each day by itself.
package struct PeerFigures: Sendable, Hashable {
  static let cadenceNames = ["CadencePeak1(steps/min)", "CadencePeak30(steps/min)", "Cadence95th(steps/min)"]
  private static let shares = [5, 25, 50, 75, 95]
  static let timeNames = shares.map { "Steps\($0)thAt" }
  /// Of a bout at least, in minutes.
  static let lengths = [1, 5, 10]
  static let boutNames = lengths.flatMap { length in ["totdur", "number"].map { boutName($0, length) } }
  static func boutName(_ figure: String, _ minutes: Int) -> String {
    "Bout_\(figure)_E5S_B\(minutes)M80%_cadT24_AND_accT0_ENMO_0-24hr"
  }

  /// The highest minute, the mean of the thirty highest and the 95th percentile, in steps/min; `nil` on days with less
  /// than five minutes of walking.
  private var cadences = [Double?](repeating: nil, count: cadenceNames.count)
  /// When 5, 25, 50, 75 and 95 % of the steps were taken, in minutes after midnight; `nil` without steps or dates.
  private var times = [Int?](repeating: nil, count: timeNames.count)
  /// For each minimum length, the minutes in bouts and the number of bouts.
  private var bouts: [Double]

  /// - Parameters:
  ///   - minutes: the minutes after midnight and the steps of each minute of the day.
  ///   - epochs: the steps of each five seconds.
  init(_ minutes: [(clock: Int, steps: Int)], epochs: [Int], isDated: Bool) {
    let walking = minutes.map(\.steps).filter { $0 >= 18 }.sorted(by: >)
    if walking.count >= 5 {
      let place = 0.05 * Double(walking.count - 1)
      let (above, below) = (walking[Int(place)], walking[Int(place.rounded(.up))])
      cadences =
        [1, 30].map { count in
          // Minutes as high as the last of them belong to them.
          let highest = walking.prefix { $0 >= walking[min(count, walking.count) - 1] }
          return Double(highest.reduce(0, +)) / Double(highest.count)
        } + [Double(above) - (place - place.rounded(.down)) * Double(above - below)]
    }
    let all = Double(minutes.reduce(0) { $0 + $1.steps })
    if all > 0, isDated {
      times = Self.shares.map { share in
        var sum = 0
        return minutes.first { minute in
          sum += minute.steps
          return Double(sum) / all >= Double(share) / 100
        }?.clock
      }
    }
    bouts = Self.lengths.flatMap { length in
      let bouts = BoutFinder.bouts(epochs, minutes: length)
      return [Double(bouts.reduce(0) { $0 + $1.count }) / Double(BoutFinder.epochsOfMinute), Double(bouts.count)]
    }
  }

  /// The cells of a line of `days.csv`.
  var cells: [String] {
    cadences.map { $0.flatMap { Decimals.text($0.rounded(.toNearestOrEven), 0) } ?? "" }
      + times.map { $0.map { Self.time($0 * 60) } ?? "" } + bouts.map { Decimals.text($0, 2) ?? "" }
  }

  /// The figures of a recording: medians of its days' cadences, and means of times on the circle of a day.
  static func add(_ days: [PeerFigures], to line: inout JSONLine) {
    for (index, name) in cadenceNames.enumerated() {
      line.add(name, days.compactMap { $0.cadences[index] }.median.map { $0.rounded(.toNearestOrEven) }.decimals(0))
    }
    for (index, name) in timeNames.enumerated() {
      let angles = days.compactMap { $0.times[index] }.map { Double($0) / 1440 * 2 * .pi }
      let (x, y) = (angles.reduce(0) { $0 + cos($1) }, angles.reduce(0) { $0 + sin($1) })
      let turn = (atan2(y, x) / (2 * .pi) + 1).truncatingRemainder(dividingBy: 1)
      line.add(name, hypot(x, y) < 1e-9 ? nil : time(Int((turn * 86_400e6).rounded() / 1e6) % 86_400))
    }
  }

  /// `13:42:00`
  private static func time(_ seconds: Int) -> String {
    [seconds / 3600, seconds / 60 % 60, seconds % 60].map { $0 < 10 ? "0\($0)" : "\($0)" }.joined(separator: ":")
  }
}

extension [Double] {
  /// The mean of the two in the middle if their number is even; `nil` without any.
  var median: Double? {
    let sorted = sorted()
    guard let middle = sorted.dropFirst(count / 2).first else { return nil }
    return count % 2 == 1 ? middle : (middle + sorted[count / 2 - 1]) / 2
  }
}
