import Accelerometry

/// Removes impossible values from the samples before they reach the detector.
///
/// Damaged values are large: they are near the end of a range of 2 g or more, or beyond it. So whole runs of samples
/// below ``Tuning/unremarkable`` pass with one multiplication and one OR each. Larger samples are examined one by one,
/// together with their neighbours; samples whose classification needs later ones are held until these arrive, at most
/// 0.3 s.
///
/// | damage | recognised by | becomes |
/// | --- | --- | --- |
/// | no acceleration | not finite, or beyond 10⁵ g | dropped |
/// | spike | one or two samples far from all their neighbours, which are close together | dropped |
/// | overflow | a jump across the range and back, smooth once the range is added | the sum |
/// | saturation | the same highest value repeatedly | an arch as steep as its ends |
///
/// The resampler replaces dropped samples by the line between their neighbours. The result does not depend on the batches.
struct SampleScreening: Sendable {
  /// The damage found so far.
  private(set) var damage = SampleDamage()
  /// The latest two samples that were passed on.
  private var previous: AccelerationSample?
  private var beforePrevious: AccelerationSample?
  /// Samples in order of time; the first ``decided`` of them may be passed on. Empty, and without storage, if there is no damage.
  private var queue: [AccelerationSample] = []
  private var decided = 0
  /// The end of the latest repair of each lane, in nanoseconds: until then the lane is not examined again.
  private var repaired = InlineArray<3, Int64>(repeating: .min)
  private var limits = InlineArray<6, RangeLimit>(repeating: RangeLimit())
  /// The largest lane of all valid samples above ``Tuning/unremarkable``, in g.
  private var largest: Float = 0
  /// Whether samples have overflowed: then every sample is examined, since one may reappear anywhere in the range.
  private var overflows = false

  /// A lower bound for the number of samples from an index that need no screening.
  ///
  /// A lane of 2 or more, or one that is not finite, has the highest bit of its exponent set, so that the bits of many
  /// samples can be combined with OR and tested once.
  @inline(__always)
  mutating func pass(_ samples: Span<AccelerationSample>, from index: Int) -> Int {
    if overflows || !queue.isEmpty { return 0 }
    var end = index
    let limit = min(samples.count, index &+ Tuning.screenedAtOnce)
    // Sixteen at once, then what is left: loops of a constant length are written out by the compiler.
    while end &+ 16 <= limit, !Self.isRemarkable(samples, from: end, count: 16) { end &+= 16 }
    if limit &- end < 16, !Self.isRemarkable(samples, from: end, count: limit &- end) { end = limit }
    if end > index {
      beforePrevious = end &- index > 1 ? samples[end &- 2] : previous
      previous = samples[end &- 1]
    }
    return end &- index
  }

  /// Whether some samples may contain one that needs screening. The caller guarantees that they exist.
  @inline(__always)
  private static func isRemarkable(_ samples: Span<AccelerationSample>, from first: Int, count: Int) -> Bool {
    var bits = SIMD4<UInt32>.zero
    for i in 0..<count {
      // In bounds: by the caller's guarantee.
      bits |= unsafe unsafeBitCast(
        samples[unchecked: first &+ i].lanes * SIMD4(repeating: 2 / Tuning.unremarkable), to: SIMD4<UInt32>.self)
    }
    return (bits.x | bits.y | bits.z) & 0x4000_0000 != 0
  }

  /// Takes a sample that may be damaged.
  mutating func take(_ sample: AccelerationSample) {
    // NaN compares false.
    guard sample.lanes.squaredLength < Tuning.largestAccelerationSquared else {
      damage.absurd.note(at: sample.nanoseconds)
      return
    }
    if let latest = queue.last ?? previous, sample.nanoseconds <= latest.nanoseconds { return }
    queue.append(sample)
    decide(isLast: false)
  }

  /// Decides all held samples, because no sample follows for now.
  mutating func flush() {
    decide(isLast: true)
    if queue.isEmpty { (previous, beforePrevious) = (nil, nil) }
  }

  /// Passes on samples, as many as fit.
  /// - Returns: their number.
  mutating func handOn(_ ready: inout InlineArray<32, AccelerationSample>) -> Int {
    let count = min(decided, 32)
    if count == 0 { return 0 }
    for i in 0..<count { ready[i] = queue[i] }
    beforePrevious = count > 1 ? queue[count - 2] : previous
    previous = queue[count - 1]
    queue.removeFirst(count)
    decided -= count
    return count
  }

  // MARK: Decisions

  private enum Verdict {
    case good
    case unknown
    case spike(Int)
  }

  private mutating func decide(isLast: Bool) {
    while decided < queue.count {
      let sample = queue[decided]
      if !overflows, isUnremarkable(sample) {
        decided += 1
        continue
      }
      if let before = self.sample(at: -1), (sample.lanes - before.lanes).squaredLength > Tuning.smallestJumpSquared {
        if case .unknown = unwrap(after: before, isLast: isLast) { return }
        switch spike(after: before, isLast: isLast) {
        case .unknown: return
        case .spike(let count):
          damage.spikes.note(at: sample.nanoseconds, count: count)
          queue.removeSubrange(decided..<(decided + count))
          continue
        case .good: break
        }
      }
      if case .unknown = desaturate(isLast: isLast) { return }
      decided += 1
    }
  }

  private func isUnremarkable(_ sample: AccelerationSample) -> Bool {
    let v = sample.lanes
    return max(abs(v.x), max(abs(v.y), abs(v.z))) < Tuning.unremarkable
  }

  /// The sample at an offset from the first undecided one; negative offsets are before it.
  private func sample(at offset: Int) -> AccelerationSample? {
    let i = decided + offset
    if i >= 0 { return i < queue.count ? queue[i] : nil }
    return i == -1 ? previous : i == -2 ? beforePrevious : nil
  }

  // MARK: Spikes

  private func spike(after before: AccelerationSample, isLast: Bool) -> Verdict {
    guard (queue[decided].lanes - before.lanes).squaredLength > Tuning.smallestSpikeSquared else { return .good }
    guard isLast || sample(at: 4) != nil else {
      // Do not wait for slow samples, which would not count as neighbours.
      return queue[queue.count - 1].nanoseconds &- before.nanoseconds > Tuning.spikeNeighbourhood ? .good : .unknown
    }
    for count in 1...2 where isSpike(count, after: before) { return .spike(count) }
    return .good
  }

  /// Whether some samples are far from their neighbours, while these are close together.
  private func isSpike(_ count: Int, after before: AccelerationSample) -> Bool {
    guard let after = sample(at: count), after.nanoseconds &- before.nanoseconds <= Tuning.spikeNeighbourhood else {
      return false
    }
    var rest = (after.lanes - before.lanes).squaredLength
    if let earlier = sample(at: -2) { rest = max(rest, (before.lanes - earlier.lanes).squaredLength) }
    if let later = sample(at: count + 1) {
      var change = (later.lanes - after.lanes).squaredLength
      // The later one may be a spike too.
      if let latest = sample(at: count + 2) { change = min(change, (latest.lanes - after.lanes).squaredLength) }
      rest = max(rest, change)
    }
    let middle = (before.lanes + after.lanes) * SIMD4(repeating: 0.5)
    var least = max(Tuning.smallestSpikeSquared, Tuning.spikeRatioSquared * rest)
    if after.nanoseconds &- before.nanoseconds > Int64(count + 1) * Tuning.slowSpikeInterval {
      least = min(
        max(Tuning.largeSlowSpikeSquared, Tuning.largeSlowSpikeRatioSquared * rest),
        max(Tuning.clearSlowSpikeSquared, Tuning.clearSlowSpikeRatioSquared * rest))
    }
    for i in 0..<count {
      guard let one = sample(at: i), (one.lanes - middle).squaredLength > least else { return false }
    }
    return true
  }

  // MARK: Overflow

  /// Adds the range to overflowed samples. A sensor that saturates at the ends of its range does not overflow.
  private mutating func unwrap(after before: AccelerationSample, isLast: Bool) -> Verdict {
    if damage.saturated.count > 0 { return .good }
    let now = queue[decided]
    let share = overflows ? Tuning.knownOverflowStep : Tuning.overflowStep
    for lane in 0..<3 where now.nanoseconds > repaired[lane] {
      let jump = before.lanes[lane] - now.lanes[lane]
      guard abs(jump) > Tuning.ranges.lowerBound, before.lanes[lane] * now.lanes[lane] < 0 else { continue }
      let reach = max(largest, abs(now.lanes[lane]), abs(before.lanes[lane]))
      guard let range = Self.range(reaching: reach) else { continue }
      let shift = jump > 0 ? 2 * range : -2 * range
      let step = share * range
      guard abs(jump - shift) <= step else { continue }
      // The jump back.
      var (i, value) = (1, now.lanes[lane])
      if isAtLimit(lane, value) || isAtLimit(lane, before.lanes[lane]) { continue }
      while let next = sample(at: i), next.nanoseconds &- now.nanoseconds <= Tuning.longestOverflow {
        let back = next.lanes[lane] - value
        if abs(back) > step {
          guard back * jump > 0, abs(back - shift) <= step, abs(next.lanes[lane]) <= 1.03 * range,
            !isAtLimit(lane, next.lanes[lane])
          else { break }
          for k in 0..<i { queue[decided + k].lanes[lane] += shift }
          repaired[lane] = queue[decided + i - 1].nanoseconds
          damage.overflows.note(at: now.nanoseconds, count: i)
          overflows = true
          break
        }
        value = next.lanes[lane]
        if isAtLimit(lane, value) { break }
        i += 1
      }
      if !isLast, sample(at: i) == nil { return .unknown }
    }
    return .good
  }

  /// The smallest range of a sensor, in g, that includes a value, with a tolerance for inaccurate scales.
  private static func range(reaching value: Float) -> Float? {
    var range = Tuning.ranges.lowerBound
    while value > 1.03 * range {
      range *= 2
      if range > Tuning.ranges.upperBound { return nil }
    }
    return range
  }

  // MARK: Saturation

  /// Examines lanes at the ends of their ranges, and arches the plateaus that begin here.
  private mutating func desaturate(isLast: Bool) -> Verdict {
    let now = queue[decided]
    var isSaturated = false
    for lane in 0..<3 {
      if now.nanoseconds <= repaired[lane] {
        isSaturated = isSaturated || limits[limit(lane, now.lanes[lane])].isSaturating
        continue
      }
      let value = now.lanes[lane]
      let size = abs(value)
      if size < Tuning.unremarkable { continue }
      let place = limit(lane, value)
      guard limits[place].isSaturating, limits[place].isReached(by: size) else { continue }
      guard let count = plateau(lane, isLast: isLast) else { return .unknown }
      isSaturated = true
      if count > 0 { arch(lane, count: count) }
      limits[place].note(size, times: max(0, count - 1))
      repaired[lane] = queue[decided + max(0, count - 1)].nanoseconds
      damage.range = max(damage.range ?? 0, limits[place].level)
    }
    for lane in 0..<3 where now.nanoseconds > repaired[lane] {
      let size = abs(now.lanes[lane])
      if size < Tuning.unremarkable { continue }
      largest = max(largest, size)
      limits[limit(lane, now.lanes[lane])].note(size)
    }
    if isSaturated { damage.saturated.note(at: now.nanoseconds) }
    return .good
  }

  /// Whether a value equals an earlier maximum, and may therefore be the end of the range, unless the sensor is known
  /// to overflow.
  private func isAtLimit(_ lane: Int, _ value: Float) -> Bool {
    let size = abs(value)
    return !overflows && size >= Tuning.unremarkable
      && limits.indices.contains { limits[$0].isReached(by: size) && size < limits[$0].level * 1.0005 }
  }

  private func limit(_ lane: Int, _ value: Float) -> Int { value < 0 ? lane + 3 : lane }

  /// The number of samples of a plateau that begins here: 0 if it is too long to be repaired; `nil` while its end, with
  /// the two samples that show its steepness, is unknown.
  private func plateau(_ lane: Int, isLast: Bool) -> Int? {
    let first = queue[decided]
    let limit = limits[limit(lane, first.lanes[lane])]
    var count = 1
    while let next = sample(at: count), next.lanes[lane] * first.lanes[lane] > 0,
      limit.isReached(by: abs(next.lanes[lane]))
    {
      if next.nanoseconds &- first.nanoseconds > Tuning.longestPlateau { return 0 }
      count += 1
    }
    return isLast || sample(at: count + 1) != nil ? count : nil
  }

  /// Replaces a plateau by an arch, as high as the intersection of two lines with the slopes of its ends, and at most
  /// as high as the range is wide.
  private mutating func arch(_ lane: Int, count: Int) {
    guard let before = sample(at: -1), let earlier = sample(at: -2), let after = sample(at: count),
      let later = sample(at: count + 1)
    else { return }
    let (first, last) = (queue[decided], queue[decided + count - 1])
    let sign: Float = first.lanes[lane] < 0 ? -1 : 1
    let slope = { (a: AccelerationSample, b: AccelerationSample) in
      sign * (b.lanes[lane] - a.lanes[lane]) / Float(b.nanoseconds &- a.nanoseconds)
    }
    let rise = max(slope(earlier, before), slope(before, first))
    let fall = max(-slope(after, later), -slope(last, after))
    // The plateau is assumed to begin and end half-way to its neighbours.
    let lead = 0.5 * Float(first.nanoseconds &- before.nanoseconds)
    let width = Float(last.nanoseconds &- first.nanoseconds) + lead + 0.5 * Float(after.nanoseconds &- last.nanoseconds)
    let height = min(0.25 * width * (rise + fall), abs(first.lanes[lane]))
    guard height > 0, width < 2 * Float(Tuning.longestPlateau) else { return }
    for i in 0..<count {
      let place = (Float(queue[decided + i].nanoseconds &- first.nanoseconds) + lead) / width * 2 - 1
      queue[decided + i].lanes[lane] += sign * height * (1 - place * place)
    }
  }
}

/// One end of the range of one axis, as far as the samples show it.
///
/// A saturating sensor reports its highest value more often than all values just below it.
private struct RangeLimit: Sendable {
  /// The largest value, in g.
  private(set) var level: Float = 0
  /// The number of samples there, and of those down to nine tenths of it.
  private var top = 0
  private var near = 0

  var isSaturating: Bool { top >= Tuning.saturatedSamples && top > near }

  func isReached(by size: Float) -> Bool { size >= level * 0.9995 }

  mutating func note(_ size: Float, times: Int = 1) {
    if size > level * 1.0005 {
      near = level > 0.9 * size ? near + top : 0
      (level, top) = (size, times)
    } else if isReached(by: size) {
      top += times
    } else if size > 0.9 * level {
      near += times
    }
  }
}
