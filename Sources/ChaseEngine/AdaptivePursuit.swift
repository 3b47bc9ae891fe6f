/// A Nessie who goes by the walker's own pace.
///
/// As walkers know it from chase games, she hunts for a minute and then lets go for a while, and who is a fifth
/// faster than before gets away. One round is 90 s of the chase:
///
/// - **Rest**, 30 s: she swims along at the walker's mean pace of the last 30 s. The gap stays what it is.
/// - **Hunt**, 60 s: she swims 20 % faster than the mean of the 30 s before the hunt began. The speed is fixed when the
///   hunt begins and does not follow the walker, else speeding up would be of no use.
///
/// A chase begins with a rest, from which the first hunt takes its measure. A hunt is never slower than
/// ``slowestHunt``, so a walker who stands is caught. Who keeps an even pace of 1.4 m/s loses 17 m in each hunt: with
/// a head start of 20 m that is the end in the second one, or in the third where the sensor tells of the first steps
/// late: Nessie, too, notices the walker late.
public struct AdaptivePursuit: Sendable, Hashable {
  /// How much faster than the walker she hunts.
  public static let advantage = 1.2
  /// Seconds of a rest; also the seconds over which the walker's pace is taken.
  public static let rest = 30
  /// Seconds of a hunt.
  public static let hunt = 60
  /// Metres a second: no hunt is slower.
  public static let slowestHunt = 1.0

  private var second = 0
  /// Whether she hunts at present.
  public private(set) var isHunting = false
  /// Metres a second in the second that was decided last.
  public private(set) var velocity = 0.0

  /// Begins with a rest.
  public init() {}

  /// Decides one more second.
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
