import Glibc

/// The weights of activities in the fit, so that it minimises what is wrong in a day.
///
/// Without them, a data set and activity weighs the root of its number of blocks. With a power of 1 it weighs what it takes
/// of an ordinary day, which makes an hour of bench presses next to nothing; a power between is a compromise.
struct DayWeights {
  private struct Stratum: Hashable {
    var name: String
    var isWalk: Bool
  }
  /// The factor of each data set and activity; both classes keep their weight.
  private var factors: [Stratum: Double] = [:]

  init(of recordings: [LabelledRecordings.Recording], _ blocks: [LabelledBlock], power: Double) {
    guard power > 0 else { return }
    var (amounts, kinds) = ([Stratum: (hours: Double, count: Double)](), [Stratum: Int]())
    for recording in recordings {
      let entry = recording.entry
      let stratum = Stratum(name: entry.stratum, isWalk: entry.isWalk)
      let (first, last) = (recording.samples.first?.nanoseconds ?? 0, recording.samples.last?.nanoseconds ?? 0)
      amounts[stratum, default: (0, 0)].hours += Double(last - first) / 3.6e12
      amounts[stratum, default: (0, 0)].count += 1
      kinds[stratum] = Day.index(of: entry.activity, isWalk: entry.isWalk)
    }
    // As in the scores: at most half an hour, or twenty walks.
    let share = { (stratum: Stratum, amount: (hours: Double, count: Double)) in
      stratum.isWalk ? min(amount.count, 20) : min(amount.hours, 0.5)
    }
    var totals: [Stratum: Double] = [:]
    let whole = { (stratum: Stratum) in Stratum(name: "\(kinds[stratum] ?? 0)", isWalk: stratum.isWalk) }
    for (stratum, amount) in amounts { totals[whole(stratum), default: 0] += share(stratum, amount) }
    var sizes: [Stratum: Double] = [:]
    for block in blocks where block.recording != nil {
      sizes[Stratum(name: block.stratum, isWalk: block.isWalking), default: 0] += 1
    }
    var sums: [Bool: (plain: Double, changed: Double)] = [:]
    for (stratum, amount) in amounts.sorted(by: { $0.key.name < $1.key.name }) {
      guard let size = sizes[stratum], let kind = kinds[stratum], let total = totals[whole(stratum)], total > 0 else {
        continue
      }
      let ofDay = (stratum.isWalk ? Day.walks : Day.rests)[kind].amount * share(stratum, amount) / total
      // Of a still hour few blocks are loud enough to be counted.
      let loud = stratum.isWalk ? 1 : size / max(amount.hours, 1e-9)
      let factor = pow(ofDay * loud / size.squareRoot(), power)
      factors[stratum] = factor
      sums[stratum.isWalk, default: (0, 0)].plain += size.squareRoot()
      sums[stratum.isWalk, default: (0, 0)].changed += factor * size.squareRoot()
    }
    for stratum in factors.keys {
      guard let sum = sums[stratum.isWalk], sum.changed > 0 else { continue }
      factors[stratum]? *= sum.plain / sum.changed
    }
  }

  func apply(to blocks: inout LabelledBlocks) {
    blocks.change { block in
      guard block.recording != nil else { return }
      block.importance *= factors[Stratum(name: block.stratum, isWalk: block.isWalking)] ?? 1
    }
  }
}
