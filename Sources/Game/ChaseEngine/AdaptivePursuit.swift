/// A Nessie whose speed depends on the walker's.
///
/// As in other chase games, she hunts for a minute and then rests for a while; a walker who becomes a fifth faster
/// escapes. One round is 90 s of the chase:
///
/// - **Rest**, 30 s: she swims at the walker's mean speed of the last 30 s. The gap does not change.
/// - **Hunt**, 60 s: she swims 20 % faster than the mean of the 30 s before the hunt. The speed is fixed when the hunt
///   begins and does not follow the walker; otherwise speeding up would not help.
///
/// A chase begins with a rest, which determines the speed of the first hunt. A hunt is never slower than
/// ``slowestHunt``, so a standing walker is caught. At an even speed of 1.4 m/s the walker loses 17 m in each hunt:
/// with a head start of 20 m the walker is caught in the second hunt, or in the third if the sensor reports the first
/// steps late, since Nessie then starts late too.
public struct AdaptivePursuit: Sendable, Hashable {
  /// Her speed in a hunt, relative to the walker's.
  public static let advantage = 1.2
  /// The duration of a rest in seconds; also the seconds over which the walker's speed is averaged.
  public static let rest = 30
  /// The duration of a hunt in seconds.
  public static let hunt = 60
  /// The lowest speed of a hunt in metres a second.
  public static let slowestHunt = 1.0

  private var second = 0
  /// Whether she is hunting.
  public private(set) var isHunting = false
  /// The speed in the latest second, in metres a second.
  public private(set) var velocity = 0.0

  /// Begins with a rest.
  public init() {}

  /// Computes the speed of the next second.
  mutating func decide(by walk: RecentWalk) {
    let phase = second % (Self.rest + Self.hunt)
    second += 1
    isHunting = phase >= Self.rest
    let pace = walk.velocity(over: Self.rest)
    if !isHunting {
      velocity = pace
    } else if phase == Self.rest {
      velocity = max(Self.advantage * pace, Self.slowestHunt)
    }
  }
}
