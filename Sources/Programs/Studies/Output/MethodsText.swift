import JSONLines

/// A paragraph for the methods section of a paper, from the records of a study.
package enum MethodsText {
  /// The accuracy on labelled recordings of people who were excluded from the fit; the README states the same figures.
  static let accuracy =
    "On labelled recordings of people who were excluded from the fit of the detector, its mean absolute percentage error of"
    + " steps over five data sets was 1.9 %, with 22 false steps an hour in other activities."

  /// - Returns: `nil` if there are no results.
  package static func paragraph(_ collation: Collation) -> String? {
    guard let first = collation.results.first?.record.source else { return nil }
    let words = Set(first.parameters.split(separator: " ").map(String.init))
    func value(_ key: String) -> String {
      words.first { $0.hasPrefix(key + "=") }.map { String($0.dropFirst(key.count + 1)) } ?? ""
    }
    let (results, failures, missing) = (collation.results.count, collation.failures.count, collation.missing.count)
    var text =
      "Steps were counted from raw acceleration with Pedometer for Linux \(first.version), which finds the rhythm of"
      + " walking in the autocorrelation of the signal and needs no model of the wearer. "
    text += "\(results) of \(results + failures + missing) recordings were analysed"
    text += failures > 0 ? "; \(failures) could not be read" : ""
    text += missing > 0 ? "; \(missing) are not analysed yet. " : ". "
    if words.contains("calibrated") {
      text += "Acceleration was calibrated to local gravity (van Hees et al. 2014), without temperature. "
    }
    text +=
      "Non-wear was found in windows of 60 minutes that move by 15 minutes, in which at least two axes had a standard"
      + " deviation below 13 mg and a range below 50 mg (van Hees et al. 2011, 2013). "
    let start = Int(value("day-start")) ?? 0
    let clock = "\(start / 60 < 10 ? "0" : "")\(start / 60):\(start % 60 < 10 ? "0" : "")\(start % 60)"
    text +=
      "Days began at \(clock) of the participant's clock and were valid with at least \(value("valid-day")) h of wear. "
    text += "Bouts were runs of steps no more than 2 s apart. "
    text +=
      "Cadence bands and peak cadence follow Tudor-Locke et al. (2011, 2012, 2018); ENMO follows van Hees et al. (2013). "
    if words.contains("mad") { text += "MAD follows Vähä-Ypyä et al. (2015). " }
    if words.contains("gait") {
      text +=
        "Each step was moved to where the signal is most like the mean of all steps of its foot (Woody 1967). Variability of"
        + " step and stride times is the pooled standard deviation within bouts; regularity and symmetry are the unbiased"
        + " autocorrelation of the vertical acceleration over bouts of at least 8 strides (Moe-Nilssen and Helbostad 2004). "
    }
    text += recognition(collation.results.map(\.record.source.entry)) + accuracy
    if collation.isMixed { text += " Results of several versions or parameters are mixed; run the study again." }
    return text + "\n"
  }

  /// The works that a paragraph cites.
  static func references(in paragraph: String) -> [String] {
    works.split(separator: "\n").map { $0.split(separator: "|") }.filter {
      paragraph.contains($0[0]) && paragraph.contains($0[1])
    }
    .map { "\($0[0]) \($0[2])" }
  }

  /// Author, year, and the rest of the reference.
  private static let works = """
    Moe-Nilssen|2004|R., Helbostad J. L. Estimation of gait cycle characteristics by trunk accelerometry. Journal of Biomechanics \
    37 (2004) 121–126.
    Tudor-Locke|2011|C. et al. Patterns of adult stepping cadence in the 2005–2006 NHANES. Preventive Medicine 53 (2011) 178–181.
    Tudor-Locke|2012|C. et al. Peak stepping cadence in free-living adults: 2005–2006 NHANES. Journal of Physical Activity and \
    Health 9 (2012) 1125–1129.
    Tudor-Locke|2018|C. et al. How fast is fast enough? Walking cadence (steps/min) as a practical estimate of intensity in \
    adults: a narrative review. British Journal of Sports Medicine 52 (2018) 776–788.
    Vähä-Ypyä|2015|H. et al. A universal, accurate intensity-based classification of different physical activities using raw data \
    of accelerometer. Clinical Physiology and Functional Imaging 35 (2015) 64–70.
    van Hees|2011|V. T. et al. Estimation of daily energy expenditure in pregnant and non-pregnant women using a wrist-worn \
    tri-axial accelerometer. PLoS ONE 6 (2011) e22922.
    van Hees|2013|V. T. et al. Separating movement and gravity components in an acceleration signal and implications for the \
    assessment of human daily physical activity. PLoS ONE 8 (2013) e61691.
    van Hees|2014|V. T. et al. Autocalibration of accelerometer data for free-living physical activity assessment using local \
    gravity and temperature: an evaluation on four continents. Journal of Applied Physiology 117 (2014) 738–744.
    Woody|1967|C. D. Characterization of an adaptive filter for the analysis of variable latency neuroelectric signals. Medical \
    and Biological Engineering 5 (1967) 539–553.
    """

  /// What was known about the recordings' movement.
  /// - Parameter entries: the parts of the manifest entries that affect the results.
  private static func recognition(_ entries: [String]) -> String {
    func share(_ word: String) -> String? {
      let count = entries.count { " \($0)".contains(" \(word)") }
      return count == 0 ? nil : count == entries.count ? "All recordings" : "\(count) of the recordings"
    }
    let known = share("walking=yes").map {
      "\($0) were known to be walks: all movement with the rhythm and strength of their own steps was counted, without the"
        + " model that tells walking from other movement. "
    }
    let learned = share("profile=").map {
      "\($0) were also counted by a profile of the participant's own walk, learned from another recording. "
    }
    return (known ?? "") + (learned ?? "")
  }
}
