import JSONLines
import Pedometry

/// A measure of gait by its name in lines and tables.
package struct GaitFigure: Sendable {
  package var name: String
  package var value: Double?
  package var decimals: Int

  /// The figure, empty without a value.
  package var text: String { value.flatMap { Decimals.text($0, decimals) } ?? "" }
}

extension GaitMeasures {
  /// All measures, in the order of the columns. Times are in seconds, cadence is in steps a second, asymmetry and variation in
  /// percent.
  /// - Parameter stepLength: in metres, if it was measured: speed in metres a second needs it.
  package func figures(stepLength: Double? = nil) -> [GaitFigure] {
    [
      GaitFigure(name: "cadence", value: stepTime.count > 0 ? 1 / stepTime.mean : nil, decimals: 3),
      GaitFigure(name: "cadenceDeviation", value: cadence.deviation.map { $0 / 60 }, decimals: 4),
      GaitFigure(name: "stepTime", value: stepTime.count > 0 ? stepTime.mean : nil, decimals: 4),
      GaitFigure(name: "stepTimeDeviation", value: stepTime.deviation, decimals: 4),
      GaitFigure(name: "stepTimeVariation", value: stepTime.variation, decimals: 2),
      GaitFigure(name: "strides", value: Double(strideTime.count), decimals: 0),
      GaitFigure(name: "strideTime", value: strideTime.count > 0 ? strideTime.mean : nil, decimals: 4),
      GaitFigure(name: "strideTimeDeviation", value: strideTime.deviation, decimals: 4),
      GaitFigure(name: "strideTimeVariation", value: strideTime.variation, decimals: 2),
      GaitFigure(name: "asymmetry", value: asymmetry, decimals: 2),
      GaitFigure(name: "stepRegularity", value: stepRegularity, decimals: 3),
      GaitFigure(name: "strideRegularity", value: strideRegularity, decimals: 3),
      GaitFigure(name: "symmetry", value: symmetry, decimals: 3),
      GaitFigure(name: "speed", value: speed(stepLength: stepLength), decimals: 3),
    ]
  }

  /// The names of ``figures(stepLength:)``.
  package static let names = GaitMeasures().figures().map(\.name)

  /// The measures for people, the most important first.
  package func phrases(stepLength: Double? = nil) -> [String] {
    func text(_ value: Double?, _ decimals: Int) -> String { value.flatMap { Decimals.text($0, decimals) } ?? "?" }
    var parts = [
      "at \(text(60 / stepTime.mean, 1)) steps/min",
      "stride \(text(strideTime.mean, 3)) s ± \(text(strideTime.deviation.map { $0 * 1000 }, 0)) ms"
        + " (\(text(strideTime.variation, 1)) %)",
    ]
    if let asymmetry { parts.append("asymmetry \(text(asymmetry, 1)) %") }
    if let step = stepRegularity, let stride = strideRegularity {
      parts.append("regularity \(text(step, 2)) a step, \(text(stride, 2)) a stride")
    }
    if let speed = speed(stepLength: stepLength) { parts.append("\(text(speed, 2)) m/s") }
    return parts
  }

  private func speed(stepLength: Double?) -> Double? {
    stepLength.flatMap { stepTime.count > 0 ? $0 / stepTime.mean : nil }
  }
}

extension JSONLine {
  package mutating func add(_ gait: GaitMeasures, stepLength: Double? = nil) {
    for figure in gait.figures(stepLength: stepLength) {
      if figure.decimals == 0 {
        add(figure.name, Int(figure.value ?? 0))
      } else {
        add(figure.name, figure.value.decimals(figure.decimals))
      }
    }
  }
}
