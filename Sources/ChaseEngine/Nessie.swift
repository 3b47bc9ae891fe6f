/// The pursuer.
///
/// She has no timer: the owner of the chase sets the time, and she says when her next stroke is due.
/// One stroke a second, of as many metres as she swims in one.
public final class Nessie {
  /// Metres swum since the chase began.
  public var distance = 0.0
  /// Whether she waits.
  public private(set) var isSleeping = true
  /// When her next stroke is due, by the owner's time; `nil` while she sleeps.
  public private(set) var nextStroke: Duration?
  /// By what rule she swims.
  public let pursuer: Pursuer

  private var pursuit = AdaptivePursuit()
  /// How much of the present second had passed when she fell asleep. Kept, or else a walker who pauses each 0.9 s
  /// would never be pursued.
  private var beginning = Duration.zero

  /// Makes a sleeping Nessie.
  public init(pursuer: Pursuer = ChaseSettings.walking.pursuer) { self.pursuer = pursuer }

  /// Metres a second, at present.
  public var velocity: Double {
    switch pursuer {
    case .constant(let velocity): velocity
    case .adaptive: pursuit.velocity
    }
  }

  /// Whether she is after the walker: always, for a constant pursuer; in turns with rests, for an adaptive one.
  public var isHunting: Bool {
    switch pursuer {
    case .constant: !isSleeping
    case .adaptive: !isSleeping && pursuit.isHunting
    }
  }

  /// Wakes her. If she is awake already nothing happens, so two starts are one.
  public func startSwimming(at now: Duration = .zero) {
    guard isSleeping else { return }
    isSleeping = false
    nextStroke = now + .seconds(1) - beginning
  }

  /// Lets her sleep where she is. If she sleeps already nothing happens.
  public func stopSwimming(at now: Duration = .zero) {
    guard let stroke = nextStroke else { return }
    beginning = min(max(now + .seconds(1) - stroke, .zero), .seconds(1))
    isSleeping = true
    nextStroke = nil
  }

  /// Swims for one second.
  public func incrementDistance() { distance += velocity }

  /// Decides how fast to swim, swims for one second and plans the next stroke.
  func swim(after walk: RecentWalk) {
    pursuit.decide(by: walk)
    incrementDistance()
    nextStroke = nextStroke.map { $0 + .seconds(1) }
  }

  /// Back to the beginning, asleep.
  func reset() {
    distance = 0
    isSleeping = true
    nextStroke = nil
    pursuit = AdaptivePursuit()
    beginning = .zero
  }
}
