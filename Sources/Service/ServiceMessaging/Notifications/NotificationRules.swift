import Foundation

/// When to notify the user: a goal that was reached, an hour without a step, a sensor that was lost. A pure value.
package struct NotificationRules: Sendable {
  /// The occasions.
  enum Occasion: String, Sendable, Hashable, CaseIterable {
    /// The day's goal was reached.
    case goal
    /// An hour without a step, within the chosen hours.
    case idle
    /// Steps may be missing.
    case sensor
  }

  package struct Notification: Sendable, Hashable {
    var occasion: Occasion
    var title: String
    var text: String
  }

  let occasions: Set<Occasion>
  /// Minutes of the day in which ``Occasion/idle`` is an occasion; the end is exclusive.
  let hours: Range<Int>

  /// The time without a step.
  static let idle = 3600.0
  /// A sensor that is back within this time, in seconds, is no news.
  static let latency = 60.0

  private var hasBegun = false
  /// The day whose goal is reached.
  private var reached: String?
  private var steps: Int?
  /// When the user walked last, or could have begun to.
  private var rested: Date?
  private var problemSince: Date?
  private var hasCounted = false
  private var isProblemTold = false

  init(occasions: Set<Occasion>, hours: Range<Int>) { (self.occasions, self.hours) = (occasions, hours) }

  /// Takes the figures of a moment.
  /// - Parameter minute: of the user's day, 0 to 1439.
  mutating func take(_ figures: PublishedFigures, at now: Date, minute: Int) -> [Notification] {
    let all = [goal(figures), idle(figures, now, minute), problem(figures, now)].compactMap { $0 }
    hasBegun = true
    return all.filter { occasions.contains($0.occasion) }
  }

  private mutating func goal(_ figures: PublishedFigures) -> Notification? {
    guard let today = figures.today, let goal = today.goal else { return nil }
    guard today.steps >= goal else {
      // A higher goal can be reached again.
      reached = nil
      return nil
    }
    defer { reached = today.date }
    // A goal that was reached before the service started was announced then.
    guard hasBegun, reached != today.date else { return nil }
    return Notification(occasion: .goal, title: "Goal reached", text: "\(today.steps) of \(goal) steps today.")
  }

  private mutating func idle(_ figures: PublishedFigures, _ now: Date, _ minute: Int) -> Notification? {
    let isCounting = figures.sources.contains { $0.state == .counting }
    // While nothing counts, nobody knows whether the user walks.
    guard isCounting, let total = figures.total, hours.contains(minute) else {
      (steps, rested) = (nil, nil)
      return nil
    }
    guard let since = rested, steps == total.steps else {
      (steps, rested) = (total.steps, now)
      return nil
    }
    guard now.timeIntervalSince(since) >= Self.idle else { return nil }
    // The next one follows after another hour.
    rested = now
    return Notification(occasion: .idle, title: "Time for a walk", text: "No step for an hour.")
  }

  private mutating func problem(_ figures: PublishedFigures, _ now: Date) -> Notification? {
    guard let problem = figures.problem else {
      (problemSince, isProblemTold, hasCounted) = (nil, false, true)
      return nil
    }
    let since = problemSince ?? now
    problemSince = since
    // A sensor that was never there was not lost.
    guard hasCounted, !isProblemTold, now.timeIntervalSince(since) >= Self.latency else { return nil }
    isProblemTold = true
    return Notification(occasion: .sensor, title: "Steps are not counted", text: problem)
  }
}
