/// The events that can be reported; the raw value is the name.
public enum AnalyticsEvent: String, Sendable, Hashable, Codable, CaseIterable {
  // Events of the founding app, with their original names.
  case loginShown, loginButtonClicked, announcementsShown, settingShown, orgChartShown, purchasesShown, calendarShown
  case fullDayShown

  // Events of the chase.
  case chaseStarted, chasePaused, chaseResumed, chaseCompleted, chaseCaught, goalSet, alertClosed
  // Events of the race room.
  case roomJoined, roomLeft, countdownStarted, locationShared
  // Screens of the terminal and of the page.
  case chaseShown, roomShown, todayShown, historyShown, devicesShown
}

/// The types of events; the raw value is the type.
public enum AnalyticsType: String, Sendable, Hashable, Codable, CaseIterable {
  /// A screen was shown.
  case screenView
  /// Requested by the user.
  case buttonTap
  /// Something began, continued or ended, or a screen was left; with a duration if there is one.
  case lifecycle
}
