import Accelerometry
import Recordings
import Testing

/// All samples of a walk.
private func samples(_ walk: SyntheticWalk) throws -> [AccelerationSample] {
  var reader = try walk.reader()
  var (all, some): ([AccelerationSample], [AccelerationSample]) = ([], [])
  while reader.read(into: &some) { all += some }
  return all
}

/// A short walk, derived from the default one.
private func walk(seconds: Int = 10, _ change: (inout SyntheticWalk) -> Void = { _ in }) -> SyntheticWalk {
  var walk = SyntheticWalk()
  walk.duration = .seconds(seconds)
  change(&walk)
  return walk
}

private func magnitude(_ sample: AccelerationSample) -> Float {
  let a = sample.acceleration
  return (a * a).sum().squareRoot()
}

@Suite(.timeLimit(.minutes(30))) struct SyntheticWalkTruthTests {
  @Test("the mean cadence is the requested one", arguments: [50.0, 85, 110, 140, 200])
  func meanCadence(cadence: Double) throws {
    let count = try walk(seconds: 600) { $0.cadence = cadence }.steps.count
    #expect(abs(Double(count) / (10 * cadence) - 1) < 0.02)
  }

  @Test("steps are in order, at plausible intervals")
  func intervals() throws {
    let steps = try walk(seconds: 300).steps
    let intervals = zip(steps, steps.dropFirst()).map { $1 - $0 }
    #expect(intervals.allSatisfy { $0 > .milliseconds(400) && $0 < .milliseconds(700) })
    #expect(Set(intervals).count > intervals.count / 2)
  }

  @Test("a walk with a requested number of steps has exactly that number", arguments: [1, 2, 3, 100, 1001])
  func stepCount(count: Int) throws {
    let walk = walk(seconds: 0) {
      $0.stepCount = count
      $0.lead = .seconds(2)
      $0.tail = .seconds(3)
      $0.bout = .seconds(20)
    }
    let steps = try walk.steps
    #expect(steps.count == count)
    #expect(steps.first.map { $0 > .seconds(2) } == true)
    let last = try #require(try samples(walk).last)
    let tail = try last.timestamp - #require(steps.last)
    #expect(tail > .seconds(3) && tail < .seconds(4))
  }

  @Test("there are no steps before the end of the lead, after the start of the tail, or in a pause")
  func restingTimes() throws {
    let steps = try walk(seconds: 60) {
      $0.lead = .seconds(5)
      $0.tail = .seconds(5)
      $0.bout = .seconds(15)
      $0.pause = .seconds(5)
    }.steps
    let walking = steps.filter { step in
      let time = step.inSeconds - 5
      return time >= 0 && time <= 60 && time.truncatingRemainder(dividingBy: 20) <= 15
    }
    #expect(walking.count == steps.count)
    #expect(abs(steps.count - 82) <= 4)
  }

  @Test("activities other than walking and running have no steps", arguments: SyntheticWalk.Activity.allCases)
  func activities(activity: SyntheticWalk.Activity) throws {
    #expect(try walk { $0.activity = activity }.steps.isEmpty == !activity.isGait)
  }

  @Test("a program's steps are in its walking and running parts, at their cadences")
  func program() throws {
    let steps = try walk {
      $0.program = [
        .init(.typing, .seconds(30)), .init(.walking, .seconds(60), cadence: 100), .init(.running, .seconds(60)),
        .init(.driving, .seconds(30)),
      ]
    }.steps
    #expect(steps.allSatisfy { $0 >= .seconds(30) && $0 <= .seconds(150) })
    #expect(abs(steps.count { $0 < .seconds(90) } - 100) <= 4)
    #expect(abs(steps.count { $0 >= .seconds(90) } - 165) <= 5)
  }

  @Test("the sensor does not affect the steps")
  func sensorLeavesStepsAlone() throws {
    let plain = walk()
    let other = walk {
      $0.rate = 12.5
      $0.position = .foot
      $0.noise = 0.1
      $0.lost = 0.5
      $0.jitter = 0.3
      $0.orientation = .random
    }
    #expect(try plain.steps == other.steps)
  }

  @Test("an empty walk has neither steps nor samples")
  func emptyWalk() throws {
    #expect(try walk(seconds: 0).steps.isEmpty)
    #expect(try samples(walk(seconds: 0)).isEmpty)
  }
}

@Suite(.timeLimit(.minutes(30))) struct SyntheticWalkSampleTests {
  @Test("the same seed gives the same samples, another seed different ones")
  func seeds() throws {
    let first = try samples(walk { $0.seed = 7 })
    #expect(try samples(walk { $0.seed = 7 }) == first)
    #expect(try samples(walk { $0.seed = 8 }) != first)
  }

  @Test("samples have the requested rate, starting at 0", arguments: [10, 12.5, 50, 99.7, 400])
  func timestamps(rate: Double) throws {
    let all = try samples(walk { $0.rate = rate })
    #expect(all.count == Int((10 * rate).rounded(.up)))
    for (index, sample) in all.enumerated() {
      #expect(abs(sample.timestamp.inSeconds - Double(index) / rate) < 1e-9)
    }
  }

  @Test("different rates sample the same signal", arguments: [SensorPlacement.wrist, .pocket, .foot])
  func sameSignal(position: SensorPlacement) throws {
    let ideal = { (rate: Double) in
      walk {
        $0.rate = rate
        $0.position = position
        $0.noise = 0
        $0.bits = 24
      }
    }
    let slow = try samples(ideal(100))
    let fast = try samples(ideal(300))
    for (index, sample) in slow.enumerated() {
      let difference = sample.acceleration - fast[3 * index].acceleration
      #expect((difference * difference).sum().squareRoot() < 1e-4)
    }
  }

  @Test(
    "at rest the magnitude is 1 g", arguments: SensorPlacement.allCases, [SyntheticWalk.Activity.standing, .typing])
  func rest(position: SensorPlacement, activity: SyntheticWalk.Activity) throws {
    let all = try samples(
      walk(seconds: 20) {
        $0.position = position
        $0.activity = activity
      })
    let mean = all.map(magnitude).reduce(0, +) / Float(all.count)
    #expect(abs(mean - 1) < 0.02)
    #expect(all.allSatisfy { abs(magnitude($0) - 1) < 0.3 })
  }

  @Test("at rest without gravity the magnitude is 0")
  func gravityRemoved() throws {
    let all = try samples(
      walk {
        $0.gravityRemoved = true
        $0.activity = .standing
      })
    #expect(all.allSatisfy { magnitude($0) < 0.05 })
  }

  @Test(
    "rotating the sensor does not change magnitudes",
    arguments: [SyntheticWalk.Orientation.random, .rotated(roll: 30, pitch: -70, yaw: 200)])
  func orientation(orientation: SyntheticWalk.Orientation) throws {
    let ideal = { (orientation: SyntheticWalk.Orientation) in
      walk {
        $0.orientation = orientation
        $0.noise = 0
        $0.bits = 24
      }
    }
    let turned = try samples(ideal(orientation))
    let natural = try samples(ideal(.natural))
    #expect(zip(turned, natural).allSatisfy { abs(magnitude($0) - magnitude($1)) < 1e-5 })
    #expect(zip(turned, natural).contains { abs($0.acceleration.x - $1.acceleration.x) > 0.5 })
  }

  @Test("a quarter turn about y shows gravity on x")
  func quarterTurn() throws {
    let all = try samples(
      walk {
        $0.orientation = .rotated(roll: 0, pitch: 90, yaw: 0)
        $0.activity = .standing
        $0.position = .foot
      })
    #expect(all.allSatisfy { abs($0.acceleration.x - 1) < 0.05 && abs($0.acceleration.z) < 0.05 })
  }

  @Test("dropped samples are missing, and the others are unchanged")
  func lostSamples() throws {
    let whole = try samples(walk(seconds: 40))
    let rest = try samples(walk(seconds: 40) { $0.lost = 0.1 })
    #expect(abs(Double(rest.count) / Double(whole.count) - 0.9) < 0.03)
    #expect(Set(whole).isSuperset(of: rest))
  }

  @Test("jitter moves timestamps by at most its share of the period and keeps their order")
  func jitter() throws {
    let exact = try samples(walk())
    let jittered = try samples(walk { $0.jitter = 0.49 })
    let period = 20_000_000.0
    #expect(zip(exact, jittered).allSatisfy { abs(Double($0.nanoseconds - $1.nanoseconds)) <= 0.49 * period + 1 })
    #expect(zip(exact, jittered).contains { abs(Double($0.nanoseconds - $1.nanoseconds)) > 0.4 * period })
    #expect(zip(jittered, jittered.dropFirst()).allSatisfy { $0.nanoseconds < $1.nanoseconds })
    #expect(exact.map(\.acceleration) == jittered.map(\.acceleration))
  }

  @Test("a coarse sensor reports integer codes within its range")
  func resolution() throws {
    let all = try samples(
      walk {
        $0.position = .foot
        $0.bits = 8
        $0.range = 2
      })
    let values = all.flatMap { [$0.acceleration.x, $0.acceleration.y, $0.acceleration.z] }
    #expect(values.allSatisfy { ($0 * 64).rounded() == $0 * 64 && $0 >= -2 && $0 <= Float(127) / 64 })
    #expect(values.max() == Float(127) / 64)
  }

  @Test("noise has the requested strength")
  func noise() throws {
    let still = { (noise: Double) in
      walk(seconds: 40) {
        $0.activity = .standing
        $0.noise = noise
        $0.bits = 24
      }
    }
    let pairs = zip(try samples(still(0.05)), try samples(still(0)))
    let squares = pairs.map { pair in
      let difference = pair.0.acceleration - pair.1.acceleration
      return Double((difference * difference).sum()) / 3
    }
    #expect(abs((squares.reduce(0, +) / Double(squares.count)).squareRoot() - 0.05) < 0.002)
  }
}

@Suite(.timeLimit(.minutes(30))) struct SyntheticGaitTests {
  /// The mean magnitude around the strikes and half a step after them.
  private func foldedMagnitude(_ walk: SyntheticWalk) throws -> (atStrike: Float, between: Float) {
    let steps = try walk.steps.map(\.inSeconds)
    var sums: (strike: [Float], between: [Float]) = ([], [])
    var next = 1
    for sample in try samples(walk) {
      let time = sample.timestamp.inSeconds
      while next < steps.count, steps[next] <= time { next += 1 }
      guard next < steps.count, time >= steps[next - 1] else { continue }
      let phase = (time - steps[next - 1]) / (steps[next] - steps[next - 1])
      if phase < 0.1 || phase > 0.9 { sums.strike.append(magnitude(sample)) }
      if abs(phase - 0.5) < 0.1 { sums.between.append(magnitude(sample)) }
    }
    let mean = { (values: [Float]) in values.reduce(0, +) / Float(values.count) }
    return (mean(sums.strike), mean(sums.between))
  }

  @Test(
    "a walker's body accelerates upwards around the strike and falls in between",
    arguments: [
      SensorPlacement.lowerBack, .hand, .wrist, .pocket,
    ])
  func bounce(position: SensorPlacement) throws {
    let folded = try foldedMagnitude(walk(seconds: 20) { $0.position = position })
    #expect(folded.atStrike > 1.15)
    #expect(folded.between < 0.95)
  }

  @Test("a higher cadence produces larger accelerations")
  func cadence() throws {
    let swing = { (cadence: Double) in
      let folded = try foldedMagnitude(walk(seconds: 20) { ($0.position, $0.cadence) = (.lowerBack, cadence) })
      return folded.atStrike - folded.between
    }
    #expect(try swing(135) > 1.5 * swing(95))
  }

  @Test("at the same cadence, longer steps produce larger accelerations")
  func stepLength() throws {
    let swing = { (length: Double) in
      let folded = try foldedMagnitude(walk(seconds: 20) { ($0.position, $0.stepLength) = (.lowerBack, length) })
      return folded.atStrike - folded.between
    }
    #expect(try swing(0.9) > 1.4 * swing(0.5))
  }

  @Test("a runner's trunk measures over 2 g on the ground and almost 0 in flight")
  func running() throws {
    let all = try samples(
      walk {
        ($0.position, $0.activity) = (.lowerBack, .running)
        $0.rate = 100
      })
    #expect(all.map(magnitude).max().map { $0 > 2 && $0 < 4.5 } == true)
    #expect(all.map(magnitude).min().map { $0 < 0.3 } == true)
  }

  @Test("a foot is still for a third of the time and has strong impacts")
  func foot() throws {
    let all = try samples(
      walk(seconds: 20) {
        $0.position = .foot
        $0.rate = 100
      })
    let still = all.count { abs(magnitude($0) - 1) < 0.05 }
    #expect(Double(still) / Double(all.count) > 0.3)
    #expect(all.map(magnitude).max().map { $0 > 2.5 } == true)
  }

  @Test("an arm that does not swing measures only the trunk")
  func armSwing() throws {
    let turn = { (degrees: Double) in
      let all = try samples(walk(seconds: 20) { $0.armSwing = degrees }).map(\.acceleration.x)
      return try #require(all.max()) - #require(all.min())
    }
    #expect(try turn(25) > 2 * turn(0))
  }
}
