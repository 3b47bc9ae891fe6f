import Accelerometry
import Pedometry
import StepDetection

/// Samples of any kind: a walk that is counted in pieces has the same steps, and two walks with a gap between them have
/// the steps of both.
func checkCounting(_ bytes: [UInt8]) {
  guard bytes.count >= 16 else { return }
  var dice = Dice(bytes)
  let middle = bytes.count / 2
  let period = [Int64(20_000_000), 10_000_000, 31_250_000, 40_000_000][Int(bytes[0] & 3)]
  let first = motion(bytes[1..<middle], from: 0, period: period)
  guard let last = first.last else { return }
  let pause = last.nanoseconds + 30_000_000_000
  let second = motion(bytes[middle...], from: 0, period: period)
  let later = second.map { AccelerationSample(nanoseconds: $0.nanoseconds + pause, acceleration: $0.acceleration) }
  let steps = count([first + later])
  require(count(dice.cutSamples(first + later)) == steps, "the steps depend on the pieces")
  require(zip(steps, steps.dropFirst()).allSatisfy { $0.timestamp <= $1.timestamp }, "steps go back in time")
  require(count([first]).count + count([second]).count == steps.count, "a walk changes the count of the next")
}

/// Four bytes each describe some seconds: the cadence, the strength and the direction of the motion, and its noise.
private func motion(_ bytes: ArraySlice<UInt8>, from start: Int64, period: Int64) -> [AccelerationSample] {
  var samples: [AccelerationSample] = []
  var phase = 0.0
  var time = start
  var noise = UInt64(bytes.first ?? 1) | 1
  var place = bytes.startIndex
  while place + 4 <= bytes.endIndex, samples.count < 4000 {
    let cadence = Double(bytes[place]) / 64
    let strength = Float(bytes[place + 1]) / 256
    let tilt = Float(bytes[place + 2]) / 255
    let seconds = Int64(bytes[place + 3] & 31)
    let roughness = Float(bytes[place + 3] >> 5) / 100
    for _ in 0..<seconds * 1_000_000_000 / period {
      phase += cadence * Double(period) / 1e9
      if phase > 1 { phase -= 1 }
      noise ^= noise << 13
      noise ^= noise >> 7
      noise ^= noise << 17
      // A wave without mathematics of the system: four parabolas.
      let turn = Float(phase < 0.5 ? phase : phase - 1) * 2
      let wave = turn < 0 ? 4 * turn * (1 + turn) : 4 * turn * (1 - turn)
      let shake = roughness * (Float(noise >> 40) / Float(1 << 24) - 0.5)
      samples.append(
        AccelerationSample(
          nanoseconds: time,
          acceleration: SIMD3(tilt * 0.7 + wave * strength * tilt, shake, 1 - tilt * 0.3 + wave * strength + shake)))
      time += period
    }
    place += 4
  }
  return samples
}

private func count(_ pieces: [[AccelerationSample]]) -> [Step] {
  var detector = StepDetector()
  var steps: [Step] = []
  for piece in pieces { detector.process(piece.span, into: &steps) }
  detector.finish(into: &steps)
  return steps
}

extension Dice {
  /// Samples in pieces of any sizes.
  fileprivate mutating func cutSamples(_ samples: [AccelerationSample]) -> [[AccelerationSample]] {
    var pieces: [[AccelerationSample]] = []
    var place = 0
    while place < samples.count {
      let size = min(samples.count - place, 1 + roll(1 << (1 + roll(10))))
      pieces.append(Array(samples[place..<place + size]))
      place += size
    }
    return pieces
  }
}
