import ArgumentParser
import Foundation
import History

/// The interval of each bar: one that the history knows, or several of its days.
enum HistoryInterval: String, CaseIterable, ExpressibleByArgument {
  case minute, hour, day, week, month

  /// The interval that is asked for.
  var base: HistoryBucketLength { HistoryBucketLength(rawValue: rawValue) ?? .day }

  /// Combines days to weeks, which begin on Mondays, or to months. The first and the last one may be incomplete.
  func combined(_ days: [HistoryBucket], _ calendar: DayCalendar) -> [HistoryBucket] {
    guard self == .week || self == .month else { return days }
    var buckets: [HistoryBucket] = []
    for day in days {
      let date = calendar.civil(day.start)
      let begins = self == .week ? date.weekday == 1 : date.day == 1
      if let last = buckets.indices.last, !begins {
        buckets[last].end = day.end
        buckets[last].totals = buckets[last].totals + day.totals
      } else {
        buckets.append(day)
      }
    }
    return buckets
  }
}
