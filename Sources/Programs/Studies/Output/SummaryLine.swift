import JSONLines
import Recordings

extension StudyResult {
  /// The keys of `summary.json` with the results of the recording.
  func add(to line: inout JSONLine) {
    line.add([
      "start": minutesText(minutes.first?.number), "end": minutesText(minutes.last.map { $0.number + 1 }),
      "duration": duration.decimals(3), "steps": steps, "distanceTravelled": distance.decimals(1), "days": days.count,
      "validDays": validDays.count, "stepsPerValidDay": mean { Double($0.steps) }.decimals(1),
      "wearHours": (Double(minutes.count { $0.isWorn }) / 60).decimals(2),
      "wearHoursPerValidDay": mean { Double($0.wear) / 60 }.decimals(2), "bouts": bouts.count,
      "walkingMinutes": (bouts.reduce(0) { $0 + Double($1.end - $1.start) * 1e-9 } / 60).decimals(2),
      "walkingMinutesPerValidDay": mean { $0.walking / 60 }.decimals(2), "peak1Cadence": mean(\.peak1).decimals(1),
      "peak30Cadence": mean(\.peak30).decimals(1),
    ])
    for (index, band) in CadenceBands.bands.enumerated() {
      line.add("minutes_\(band.name)", mean { Double($0.bands.minutes[index]) }.decimals(1))
    }
    line.add("enmo", mean(\.enmo).decimals(2))
    let mad = minutes.filter(\.isWorn).compactMap(\.mad)
    if !mad.isEmpty { line.add("mad", (mad.reduce(0, +) / Double(mad.count)).decimals(2)) }
    PeerFigures.add(days.compactMap(\.peers), to: &line)
    if let gait { GaitColumns.add(gait, stepLength: stepLength, to: &line) }
    addRecording(to: &line)
    line.add("warnings", warnings)
  }

  private func addRecording(to line: inout JSONLine) {
    line.add("samples", samples)
    line.add("samplingFrequency", samplingFrequency.decimals(3))
    guard let recording else { return }
    line.add([
      "format": recording.format.rawValue, "maker": recording.device?.maker, "model": recording.device?.model,
      "serial": recording.device?.serial, "range": recording.device?.range.decimals(1), "gaps": recording.gaps,
      "gapDuration": recording.gapDuration, "damagedParts": recording.damagedParts,
    ])
    guard let calibration else { return }
    line.add("calibrationErrorBefore", calibration.errorBefore.decimals(2))
    line.add("calibrationErrorAfter", calibration.errorAfter.decimals(2))
    for (axis, name) in ["x", "y", "z"].enumerated() {
      line.add("gain_\(name)", Double(calibration.gain[axis]).decimals(5))
      line.add("offset_\(name)", Double(calibration.offset[axis]).decimals(5))
    }
  }

  /// The beginning of a minute; for an undated recording, minutes since its first sample.
  func minutesText(_ minute: Int64?) -> String? { minute.map { isDated ? clock.text(of: $0 * 60) : String($0) } }
}
