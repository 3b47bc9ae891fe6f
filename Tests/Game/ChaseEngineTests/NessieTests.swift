import ChaseEngine
import Pedometry
import TestSupport
import Testing

@Suite("Nessie", .timeLimit(.minutes(30)))
struct NessieTests {
  @Test("testNessie_whenUpdated_incrementsDistance: by one velocity")
  func incrementsDistance() {
    // given
    let sut = Nessie()
    // when
    sut.incrementDistance()
    // then
    #expect(sut.distance == sut.velocity)
    #expect(sut.distance > 0)
  }

  @Test("she sleeps at first, wakes once, and sleeps where she is")
  func sleep() {
    // given
    let sut = Nessie(velocity: 9.5)
    #expect(sut.isSleeping)
    #expect(sut.nextStroke == nil)
    // when, then
    sut.startSwimming(at: .seconds(5))
    #expect(!sut.isSleeping)
    #expect(sut.nextStroke == .seconds(6))
    sut.startSwimming(at: .seconds(5.5))
    #expect(sut.nextStroke == .seconds(6))
    // when, then
    sut.stopSwimming(at: .seconds(5.75))
    sut.stopSwimming(at: .seconds(5.9))
    #expect(sut.isSleeping)
    #expect(sut.nextStroke == nil)
    sut.startSwimming(at: .seconds(20))
    #expect(sut.nextStroke == .seconds(20.25))
  }
}
