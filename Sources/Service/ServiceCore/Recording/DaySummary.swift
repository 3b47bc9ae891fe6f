import Foundation
import History
import Platform

/// The day so far: its figures from the history, its goal, and its end.
///
/// Read after every write and once a minute, so a new day, another time zone and a clock change take effect within a
/// minute without a notification.
package actor DaySummary {
  private let reader: HistoryReader
  private let clock: ServiceClock
  private let calendar: @Sendable () -> DayCalendar
  private let goals: GoalFile
  private let walks: WalkAnswers?
  private let lanes: WorkLanes
  private let publish: @Sendable (String) -> Void
  private let failed: @Sendable (any Error) -> Void
  private var told: TodayFigures?

  /// Creates the summary of a history.
  /// - Parameters:
  ///   - calendar: the current calendar, called for each reading.
  ///   - publish: gets a line whenever the figures have changed.
  ///   - failed: gets the reason when the history cannot be read.
  package init(
    reader: HistoryReader, clock: ServiceClock, calendar: @escaping @Sendable () -> DayCalendar, goals: GoalFile,
    walks: WalkAnswers? = nil, lanes: WorkLanes = WorkLanes(), publish: @escaping @Sendable (String) -> Void,
    failed: @escaping @Sendable (any Error) -> Void
  ) {
    (self.reader, self.clock, self.calendar) = (reader, clock, calendar)
    (self.goals, self.walks) = (goals, walks)
    self.lanes = lanes
    (self.publish, self.failed) = (publish, failed)
  }

  /// The day so far.
  package func today() async throws -> TodayFigures {
    let (reader, now, calendar) = (reader, clock.now(), calendar())
    let day = calendar.day(containing: now)
    let date = calendar.civil(day.start).date
    goals.note(on: date)
    let (totals, corrected) = try await lanes.figures.run { [walks] in
      let totals = try reader.totals(from: day.start, to: day.end)
      let bucket = HistoryBucket(start: day.start, end: day.end, totals: totals)
      return (totals, try walks?.corrected(bucket) { try reader.totals(from: $0, to: $1) })
    }
    return TodayFigures(
      date: date, steps: totals.steps, distanceTravelled: totals.distanceTravelled,
      activeTime: totals.activeTime.timeInterval, goal: goals.plan?[date], floorsAscended: totals.floorsAscended,
      floorsDescended: totals.floorsDescended, corrected: corrected)
  }

  /// Publishes the day if it has changed.
  package func refresh() async {
    do {
      let figures = try await today()
      guard told.changes(to: figures) else { return }
      publish(figures.liveLine)
    } catch { failed(error) }
  }

  package func setGoal(_ plan: GoalPlan) async throws {
    let goals = goals
    do { try await lanes.keeping.run { try goals.set(plan) } } catch let refusal as ServiceRefusal {
      throw refusal
    } catch { throw ServiceRefusal(503, "\(error)") }
    await refresh()
  }
}
