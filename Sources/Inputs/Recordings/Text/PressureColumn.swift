import Platform

/// The column of a barometer in a recording of text.
struct PressureColumn {
  /// The column, from 0.
  let place: Int
  /// Whether it contains metres above some level instead of a pressure.
  private let isHeight: Bool

  /// Finds it by its name: a pressure, or a height that a barometer has measured. The altitude of satellites is too
  /// inexact for floors.
  init?(names: [String], time: Int?) {
    guard let time else { return nil }
    let plain = names.map { $0.lowercased().filter(\.isLetter) }
    let isHeight = { (name: String) in
      name.holds("relativealtitude") || name.holds("baro") && (name.holds("alt") || name.holds("height"))
    }
    let found =
      plain.firstIndex { ($0.holds("pressure") || $0.holds("baro")) && !isHeight($0) }
      ?? plain.firstIndex(where: isHeight)
    guard let found, found != time else { return nil }
    place = found
    self.isHeight = isHeight(plain[found])
  }

  /// Kilopascals for one in the column, by the size of the first values: Pa, hPa (mbar) or kPa; `nil` if they are no
  /// pressure of air. For heights, 1.
  func scale(of values: some Collection<Double>) -> Double? {
    if isHeight { return 1 }
    let sorted = values.filter { $0 > 0 }.sorted()
    guard !sorted.isEmpty else { return nil }
    switch sorted[sorted.count / 2] {
    case 30...120: return 1
    case 300...1200: return 0.1
    case 30_000...120_000: return 0.001
    default: return nil
    }
  }

  /// A value in kilopascals; of a height, that of the standard atmosphere (ISO 2533:1975).
  func kilopascals(_ value: Double, scale: Double) -> Double {
    isHeight ? 101.325 * pow(1 - 2.25577e-5 * value, 5.25588) : value * scale
  }
}
