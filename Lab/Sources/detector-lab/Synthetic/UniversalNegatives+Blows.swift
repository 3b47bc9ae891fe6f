import Glibc

/// What labelled recordings of other sources showed to be missing: blows, strokes, breath and noise.
extension UniversalNegatives {
  private typealias Vector = MovementSketch.Vector

  /// Both hands meet, or a fist hits: the jerk is across gravity, each blow is like the last, and nothing alternates.
  static func claps(_ sketch: inout MovementSketch) -> [MovementSketch.Vector] {
    let phase = sketch.phase(sketch.scale(1.2...4), drift: 0...0.12, jitter: 0...0.12)
    let (across, vigour) = (sketch.level(), sketch.vigour())
    let tilt = sketch.number(-0.35...0.35)
    let direction = MovementSketch.unit(across + MovementSketch.up * tilt)
    let blows = sketch.blows(phase, size: sketch.scale(0.2...3), along: direction)
    let (swing, lead) = (sketch.scale(0.05...0.9), sketch.angle())
    // The forearm also turns a little while it swings.
    let (turn, axis) = (sketch.number(0...0.25), sketch.direction())
    let felt = phase.indices.map { i in
      let wave = direction * (swing * sin(phase[i] + lead))
      return MovementSketch.turned(
        MovementSketch.up + (blows[i] + wave) * vigour[i], about: axis, by: -turn * sin(phase[i] + lead))
    }
    return sum(felt, sketch.noise())
  }

  /// A hand pushes a ball down, falls with it, and is stopped: an upward jerk in every stroke.
  static func ball(_ sketch: inout MovementSketch) -> [MovementSketch.Vector] {
    let phase = sketch.phase(sketch.scale(1.2...3), drift: 0...0.15, jitter: 0...0.15)
    let (size, vigour) = (sketch.scale(0.3...3), sketch.vigour())
    let share = sketch.number(0.15...0.4)
    let direction = MovementSketch.unit(MovementSketch.up + 0.3 * sketch.normalVector())
    let (turn, lead) = (sketch.number(0...0.6), sketch.angle())
    let axis = MovementSketch.unit(MovementSketch.cross(MovementSketch.up, sketch.level()))
    let felt = phase.indices.map { i in
      let place = phase[i] / (2 * .pi) - (phase[i] / (2 * .pi)).rounded(.down)
      // A sharp stop, then a long, weak push with the same impulse.
      let stop = place < share ? sin(.pi * place / share) * (1 - place / share) : 0
      let push = place >= share ? -0.32 * share / (1 - share) * sin(.pi * (place - share) / (1 - share)) : 0
      let along = direction * (size * vigour[i] * (stop + push))
      return MovementSketch.turned(MovementSketch.up + along, about: axis, by: -turn * sin(phase[i] + lead))
    }
    return sum(felt, sketch.noise())
  }

  /// Strokes along one line with a sharp turn at both ends, for a while each, then along another.
  static func brushing(_ sketch: inout MovementSketch) -> [MovementSketch.Vector] {
    let phase = sketch.phase(sketch.scale(1.5...6), drift: 0...0.2, jitter: 0...0.15)
    let (size, vigour) = (sketch.scale(0.05...1.2), sketch.vigour())
    let (hardness, lead) = (sketch.number(0...0.5), sketch.angle())
    let first = sketch.level()
    let second = MovementSketch.unit(first + 0.5 * sketch.normalVector())
    let (posture, change) = (MovementSketch.up, sketch.number(3...10))
    let (lean, axis) = (sketch.number(0...0.3), sketch.direction())
    let felt = phase.indices.map { i in
      let isFirst = Int(MovementSketch.time(i) / change).isMultiple(of: 2)
      let wave = sin(phase[i]) + hardness * sin(3 * phase[i] + lead)
      let along = (isFirst ? first : second) * (size * vigour[i] * wave)
      return MovementSketch.turned(posture + along, about: axis, by: isFirst ? 0 : lean)
    }
    return sum(felt, sketch.noise())
  }

  /// The chest rises and tilts with each quick breath; coughs come in bursts.
  static func breathing(_ sketch: inout MovementSketch) -> [MovementSketch.Vector] {
    let phase = sketch.phase(sketch.scale(0.4...2.4), drift: 0...0.15, jitter: 0...0.15)
    let (size, tilt, vigour) = (sketch.scale(0.004...0.12), sketch.scale(0.003...0.08), sketch.vigour())
    let (along, axis, lead) = (sketch.direction(), sketch.direction(), sketch.angle())
    let (second, secondLead) = (sketch.number(0...0.5), sketch.angle())
    let coughs =
      sketch.chance(0.4)
      ? scaled(
        sketch.blows(
          sketch.phase(sketch.scale(1.5...4), drift: 0...0.2, jitter: 0...0.2), size: sketch.scale(0.03...0.6),
          along: sketch.direction()),
        bursts(&sketch))
      : []
    let gravity = sketch.direction()
    let felt = phase.indices.map { i in
      let wave = sin(phase[i]) + second * sin(2 * phase[i] + secondLead)
      return MovementSketch.turned(
        gravity + along * (size * vigour[i] * wave), about: axis, by: tilt * vigour[i] * sin(phase[i] + lead))
    }
    return sum(sum(felt, coughs), sketch.noise(0.002...0.02))
  }

  /// White, or with less power at higher frequencies, from a nervous hand to the whole range of a sensor.
  static func noise(_ sketch: inout MovementSketch) -> [MovementSketch.Vector] {
    let (gravity, size) = (sketch.direction(), sketch.scale(0.03...8))
    let width = sketch.chance(0.4) ? 1 : sketch.whole(2...25)
    let shape = Vector(sketch.number(0.2...1), sketch.number(0.2...1), sketch.number(0.2...1))
    let vigour = sketch.vigour()
    let (x, y, z) = (sketch.smooth(width), sketch.smooth(width), sketch.smooth(width))
    return vigour.indices.map { i in gravity + shape * Vector(x[i], y[i], z[i]) * (size * vigour[i]) }
  }

  // MARK: Parts

  static func sum(_ a: [MovementSketch.Vector], _ b: [MovementSketch.Vector]) -> [MovementSketch.Vector] {
    b.isEmpty ? a : zip(a, b).map { $0 + $1 }
  }

  static func scaled(_ a: [MovementSketch.Vector], _ factors: [Double]) -> [MovementSketch.Vector] {
    zip(a, factors).map { $0 * $1 }
  }

  /// A swing and its second harmonic, in two directions.
  static func stroke(
    _ sketch: inout MovementSketch, _ phase: [Double], size: Double
  ) -> [MovementSketch.Vector] {
    let (along, lead, aside) = (sketch.direction(), sketch.angle(), sketch.direction() * sketch.number(0...0.4))
    let (secondLead, vigour) = (sketch.angle(), sketch.vigour())
    return phase.indices.map { i in
      (along * sin(phase[i] + lead) + aside * sin(2 * phase[i] + secondLead)) * (size * vigour[i])
    }
  }

  /// A few seconds of every ten or so.
  private static func bursts(_ sketch: inout MovementSketch) -> [Double] {
    let (period, share, begin) = (sketch.number(4...12), sketch.number(0.1...0.6), sketch.number(0...1))
    return (0..<sketch.count).map { i in
      let place = MovementSketch.time(i) / period + begin
      return place - place.rounded(.down) < share ? 1 : 0
    }
  }

  /// Noise through a resonator of second order, with a deviation of 1.
  static func resonance(_ sketch: inout MovementSketch, _ frequency: Double, _ quality: Double) -> [Double] {
    let pace = 2 * .pi * frequency / MovementSketch.frequency
    let radius = 1 - pace / (2 * quality)
    var (last, before) = (0.0, 0.0)
    let raw = (0..<(sketch.count + 100)).map { _ in
      let next = sketch.normal() + 2 * radius * cos(pace) * last - radius * radius * before
      (last, before) = (next, last)
      return next
    }
    let series = raw.dropFirst(100)
    let energy = series.reduce(0) { $0 + $1 * $1 } / Double(max(1, series.count))
    return series.map { $0 / max(1e-9, energy.squareRoot()) }
  }

  static func smoothVectors(_ sketch: inout MovementSketch, _ width: Int) -> [MovementSketch.Vector] {
    let (x, y, z) = (sketch.smooth(width), sketch.smooth(width), sketch.smooth(width))
    return x.indices.map { Vector(x[$0], y[$0], z[$0]) }
  }

  /// The mean of each value and its neighbours.
  static func averaged(_ values: [Double], _ width: Int) -> [Double] {
    values.indices.map { i in
      let part = values[max(0, i - width / 2)...min(values.count - 1, i + width / 2)]
      return part.reduce(0, +) / Double(part.count)
    }
  }

  static func averaged(_ values: [MovementSketch.Vector], _ width: Int) -> [MovementSketch.Vector] {
    values.indices.map { i in
      let part = values[max(0, i - width / 2)...min(values.count - 1, i + width / 2)]
      return part.reduce(.zero, +) / Double(part.count)
    }
  }
}
