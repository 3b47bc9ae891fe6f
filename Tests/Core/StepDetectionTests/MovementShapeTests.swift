import Platform
import Testing

@testable import StepDetection

#if canImport(Glibc)
  import Glibc
#endif

@Suite("The shape of a movement", .timeLimit(.minutes(30)))
struct MovementShapeTests {
  private typealias Vector = SIMD4<Float>
  private static let place = Dictionary(uniqueKeysWithValues: MovementShape.names.enumerated().map { ($1, $0) })

  /// Eight blocks of a movement about gravity, with a stride of one second.
  private static func shape(
    up: Vector = Vector(0, 0, 1, 0), turned: Vector? = nil, _ movement: (_ turns: Float) -> Vector
  ) -> MovementShape {
    var window = MovementWindow()
    for i in 0..<48 {
      let moved = movement(Float(i) * 0.08)
      let gravity = i < 24 ? up : turned ?? up
      window.append(moved, before: moved + gravity)
      if i % 6 == 5 { window.finishBlock() }
    }
    return window.shape(period: 12.5, ampleness: 0.5)
  }

  private static func wave(_ turns: Float, _ harmonic: Float = 1) -> Float { sin(2 * .pi * turns * harmonic) }
  private static func turn(_ turns: Float, _ harmonic: Float = 1) -> Float { cos(2 * .pi * turns * harmonic) }

  private func value(_ name: String, of shape: MovementShape) throws -> Float {
    shape.values[try #require(Self.place[name])]
  }

  @Test("every value has a name")
  func names() {
    #expect(Set(MovementShape.names).count == MovementShape.count)
  }

  @Test("a bounce of two a stride is the second vertical harmonic, a pedal the first horizontal one")
  func harmonics() throws {
    let bounce = Self.shape { Vector(0, 0, 0.2 * Self.wave($0, 2), 0.2 * Self.wave($0, 2)) }
    #expect(abs(try value("vertical 2", of: bounce) - 1) < 0.02)
    #expect(abs(try value("magnitude 2", of: bounce) - 1) < 0.02)
    #expect(try value("vertical 1", of: bounce) < 0.02)
    #expect(try value("vertical share", of: bounce) > 0.98)
    #expect(try value("harmonic ratio", of: bounce) > 3)
    let sway = Self.shape { Vector(0.2 * Self.wave($0), 0, 0, 0.02 * Self.wave($0, 2)) }
    #expect(abs(try value("horizontal 1", of: sway) - 1) < 0.02)
    #expect(try value("vertical share", of: sway) < 0.02)
  }

  @Test("a circle is round, a line is not; a level circle turns about gravity")
  func circles() throws {
    let level = Self.shape { Vector(0.2 * Self.wave($0), 0.2 * Self.turn($0), 0, 0) }
    let upright = Self.shape { Vector(0.2 * Self.wave($0), 0, 0.2 * Self.turn($0), 0) }
    let line = Self.shape { Vector(0.2 * Self.wave($0), 0.1 * Self.wave($0), 0, 0) }
    #expect(try value("circle 1", of: level) > 0.95 && (try value("level circle", of: level)) > 0.95)
    #expect(try value("circle 1", of: upright) > 0.95 && (try value("level circle", of: upright)) < 0.05)
    #expect(try value("circle 1", of: line) < 0.05)
  }

  @Test("blows have a direction and a skewness: a clap across gravity, a step upwards")
  func blows() throws {
    let blow = { (turns: Float) -> Float in
      let place = (2 * turns).truncatingRemainder(dividingBy: 1)
      return place < 0.2 ? 0.6 : -0.15
    }
    let step = Self.shape { Vector(0, 0, blow($0), blow($0)) }
    let clap = Self.shape { Vector(blow($0), 0, 0, abs(blow($0))) }
    #expect(try value("vertical jerk share", of: step) > 0.98)
    #expect(try value("vertical jerk share", of: clap) < 0.02)
    #expect(try value("vertical skewness", of: step) > 1)
    #expect(try value("skewness", of: step) > 1 && (try value("crest", of: step)) > 1)
    let soft = Self.shape { Vector(0, 0, 0.1 * Self.wave($0, 2), 0.1 * Self.wave($0, 2)) }
    #expect(try value("jerk", of: step) > (try value("jerk", of: soft)) + 1)
  }

  @Test("gravity that turns is a tilt")
  func tilt() throws {
    let still = Self.shape { Vector(0, 0, 0.2 * Self.wave($0, 2), 0) }
    #expect(try value("tilt", of: still) < -3)
    let turned = Self.shape(turned: Vector(0.5, 0, 0.866, 0)) { Vector(0, 0, 0.2 * Self.wave($0, 2), 0) }
    // Thirty degrees.
    #expect(abs(try value("tilt", of: turned) - 0.5 * log(1 - 0.866)) < 0.1)
    #expect(try value("amplitude/cadence²", of: still) == 0.5)
  }

  @Test("turning the sensor changes nothing")
  func rotation() {
    var random = SplitMix64(seed: 4)
    let noise = (0..<48).map { _ in
      Vector(
        Float.random(in: -0.3...0.3, using: &random), Float.random(in: -0.3...0.3, using: &random),
        Float.random(in: -0.3...0.3, using: &random), Float.random(in: -0.3...0.3, using: &random))
    }
    let one = Self.shape { noise[Int(($0 / 0.08).rounded())] }
    let other = Self.shape(up: Vector(0, 1, 0, 0)) { turns in
      let cell = noise[Int((turns / 0.08).rounded())]
      return Vector(cell.y, cell.z, cell.x, cell.w)
    }
    for i in 0..<MovementShape.count { #expect(abs(one.values[i] - other.values[i]) < 2e-3) }
  }

  @Test("a window without movement or gravity has finite values")
  func empty() {
    var window = MovementWindow()
    for values in [window.shape(period: 12.5, ampleness: 0).values, Self.shape { _ in .zero }.values] {
      for i in values.indices { #expect(values[i].isFinite) }
    }
    window.append(Vector(1, 1, 1, 1), before: .zero)
    window.finishBlock()
    let values = window.shape(period: 7, ampleness: 0).values
    for i in values.indices { #expect(values[i].isFinite) }
  }
}
