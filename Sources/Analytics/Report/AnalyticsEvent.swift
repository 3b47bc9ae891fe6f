/// What can be reported; the raw value is the name.
public enum AnalyticsEvent: String, Sendable, Hashable, Codable, CaseIterable {
  // The founding app's, by their names of then.
  case loginShown, loginButtonClicked, announcementsShown, settingShown, orgChartShown, purchasesShown, calendarShown
  case fullDayShown

  // The chase's.
  case chaseStarted, chasePaused, chaseResumed, chaseCompleted, chaseCaught, goalSet, alertClosed
  // The race room's.
  case roomJoined, roomLeft, countdownStarted, locationShared
  // Screens of the terminal and of the page.
  case chaseShown, roomShown, todayShown, historyShown, devicesShown
}

/// What kind of thing an event is; the raw value is the type.
public enum AnalyticsType: String, Sendable, Hashable, Codable, CaseIterable {
  /// A screen came up.
  case screenView
  /// Requested by the user.
  case buttonTap
  /// Something began, went on or ended, or a screen was left; with a duration where there is one.
  case lifecycle
}
