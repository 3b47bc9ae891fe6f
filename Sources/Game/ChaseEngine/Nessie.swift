/// The pursuer.
///
/// She has no timer: the owner of the chase sets the time, and she returns when her next stroke is due. She makes one
/// stroke a second, whose length is her speed.
public final class Nessie {
  /// Metres swum since the chase began.
  public var distance = 0.0
  /// Whether she is paused.
  public private(set) var isSleeping = true
  /// When her next stroke is due, in the owner's time; `nil` while she sleeps.
  public private(set) var nextStroke: Duration?
  /// Her speed in metres a second.
  public let velocity: Double

  /// The part of the current second that had passed when she fell asleep. Without it, a walker who pauses every 0.9 s
  /// would never be pursued.
  private var beginning = Duration.zero

  /// Creates a sleeping Nessie.
  public init(velocity: Double = ChaseSettings.walking.velocity) { self.velocity = velocity }

  /// Wakes her. If she is awake it has no effect, so two starts are one.
  public func startSwimming(at now: Duration = .zero) {
    guard isSleeping else { return }
    isSleeping = false
    nextStroke = now + .seconds(1) - beginning
  }

  /// Puts her to sleep where she is. If she sleeps it has no effect.
  public func stopSwimming(at now: Duration = .zero) {
    guard let stroke = nextStroke else { return }
    beginning = min(max(now + .seconds(1) - stroke, .zero), .seconds(1))
    isSleeping = true
    nextStroke = nil
  }

  /// Swims for one second.
  public func incrementDistance() { distance += velocity }

  /// Swims for one second and schedules the next stroke.
  func swim() {
    incrementDistance()
    nextStroke = nextStroke.map { $0 + .seconds(1) }
  }

  /// Returns to the beginning, asleep.
  func reset() {
    distance = 0
    isSleeping = true
    nextStroke = nil
    beginning = .zero
  }
}
