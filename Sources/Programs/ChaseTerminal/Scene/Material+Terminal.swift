import ChaseScenery
import Terminals

extension Material {
  /// The colours of a terminal in the order of the cases.
  static let colours: [Colour] = allCases.map { Colour($0.colour.rgb, ansi: $0.colour.ansi) }
}
