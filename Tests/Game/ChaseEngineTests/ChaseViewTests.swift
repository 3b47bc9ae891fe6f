import Pedometry
import TestSupport
import Testing

@testable import ChaseEngine

@Suite("ChaseView", .timeLimit(.minutes(30)))
struct ChaseViewTests {
  @Test(
    "each state has its two pictures",
    arguments: [
      (AppState.notStarted, ChaseView.Picture.nessieSleeping, ChaseView.Picture.runnerPaused),
      (.inProgress, .nessie, .runner), (.paused, .nessieSleeping, .runnerPaused),
      (.completed, .nessieLost, .runnerWon), (.caught, .nessieWon, .runnerEaten),
    ])
  func pictures(state: AppState, nessie: ChaseView.Picture, runner: ChaseView.Picture) {
    // when
    let sut = ChaseView()
    sut.state = state
    // then
    #expect(sut.nessiePicture == nessie)
    #expect(sut.runnerPicture == runner)
  }

  @Test("the founding layout: 100 units of picture, a track of the remaining width, Nessie on the runner's way")
  func layout() {
    // given
    let sut = ChaseView()
    // when
    sut.updateState(runner: 0.5, nessie: 0.25)
    #expect(sut.needsLayout)
    let (runner, nessie) = sut.layout(width: 500, height: 128)
    // then
    #expect(runner == ChaseView.Frame(x: 200, y: 28, width: 100, height: 100))
    #expect(nessie == ChaseView.Frame(x: 50, y: 28, width: 100, height: 100))
    #expect(!sut.needsLayout)
  }

  @Test("at the runner's fraction 1 Nessie is at the runner, and both are at the end of the track")
  func ends() {
    // given
    let sut = ChaseView()
    // when
    sut.updateState(runner: 1, nessie: 1)
    let (runner, nessie) = sut.layout(width: 80, height: 1, icon: 2)
    // then
    #expect(runner.x == 78)
    #expect(nessie == runner)
    #expect(runner.y == 0)
  }

  @Test("fractions outside of 0 to 1 are clamped, NaN counts as 0")
  func nonsense() {
    // given
    let sut = ChaseView()
    // when, then
    sut.updateState(runner: 7, nessie: -3)
    #expect(sut.runner == 1)
    #expect(sut.nessie == 0)
    sut.updateState(runner: .nan, nessie: .infinity)
    #expect(sut.runner == 0)
    #expect(sut.nessie == 1)
  }

  @Test("an area too small for a picture places it at its left and upper edge")
  func tiny() {
    // given
    let sut = ChaseView()
    sut.updateState(runner: 1, nessie: 0.5)
    // when
    let (runner, nessie) = sut.layout(width: 60, height: 50)
    // then
    #expect(runner.x == 0)
    #expect(runner.y == 0)
    #expect(nessie.x == 0)
  }
}
