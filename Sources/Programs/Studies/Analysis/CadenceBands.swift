/// Minutes by cadence: Tudor-Locke C. et al. "How fast is fast enough? Walking cadence (steps/min) as a practical estimate
/// of intensity in adults". British Journal of Sports Medicine 52 (2018) 776–788, and "Patterns of adult stepping cadence
/// in the 2005–2006 NHANES". Preventive Medicine 53 (2011) 178–181.
package struct CadenceBands: Sendable, Hashable {
  /// The lowest cadence of each band in steps/min, and its name.
  package static let bands: [(from: Int, name: String)] = [
    (0, "none"), (1, "incidental"), (20, "sporadic"), (40, "purposeful"), (60, "slow"), (80, "medium"),
    (100, "brisk"), (120, "fast"),
  ]

  package private(set) var minutes = [Int](repeating: 0, count: bands.count)

  mutating func add(_ steps: Int) { minutes[Self.bands.lastIndex { $0.from <= steps } ?? 0] += 1 }

  /// The mean of the highest minutes of a day, in steps/min: Tudor-Locke C. et al. "Peak stepping cadence in
  /// free-living adults: 2005–2006 NHANES". Journal of Physical Activity and Health 9 (2012) 1125–1129. They need not
  /// be consecutive; missing minutes count as zero.
  static func peak(_ count: Int, of steps: [Int]) -> Double {
    Double(steps.sorted(by: >).prefix(count).reduce(0, +)) / Double(count)
  }
}
