import Counting
import JSONLines
import Pedometry

/// The columns of `study --gait` in tables, in the units of the other columns.
enum GaitColumns {
  /// After the cadence and its deviation, which tables have in steps a minute.
  private static let first = 2

  /// Each with a comma before it.
  static let heading =
    ",cadence_deviation" + GaitMeasures.names.dropFirst(first).map { "," + words(of: $0) }.joined()

  /// Empty cells where nothing was measured, but 0 strides.
  static func cells(_ gait: GaitMeasures?, stepLength: Double?) -> [any LineValue] {
    let gait = gait ?? GaitMeasures()
    let figures = gait.figures(stepLength: stepLength).dropFirst(first)
    return [gait.cadence.deviation.decimals(2)] + figures.map(\.text)
  }

  /// The keys of `summary.json`, with the cadence deviation in steps a minute as well.
  static let keys = ["cadenceDeviation"] + GaitMeasures.names.dropFirst(first)

  static func add(_ gait: GaitMeasures, stepLength: Double?, to line: inout JSONLine) {
    line.add("cadenceDeviation", gait.cadence.deviation.decimals(2))
    for figure in gait.figures(stepLength: stepLength).dropFirst(first) {
      line.add(figure.name, figure.value.decimals(figure.decimals))
    }
  }

  /// `strideTime` as `stride_time`.
  private static func words(of name: String) -> String {
    name.reduce(into: "") { $0 += $1.isUppercase ? "_\($1.lowercased())" : String($1) }
  }
}
