import Foundation
import History
import Platform

extension CivilDay {
  /// The day that contains a moment. A day that begins at 04:00 on the 21st is the 21st.
  init(containing date: Date, _ calendar: DayCalendar) {
    let start = calendar.civil(calendar.day(containing: date).start)
    self.init(number: CivilDays.days(year: start.year, month: start.month, day: start.day))
  }

  /// When it begins.
  package func start(_ calendar: DayCalendar) -> Date {
    calendar.reading(text)?.start ?? Date(timeIntervalSince1970: Double(number) * 86_400)
  }
}
