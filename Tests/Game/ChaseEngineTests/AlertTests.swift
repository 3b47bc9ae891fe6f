import ChaseEngine
import Pedometry
import TestSupport
import Testing

@Suite("Alert", .timeLimit(.minutes(30)))
struct AlertTests {
  @Test(
    "the catalogue has the names of event lines, and the good alerts are marked",
    arguments: [
      (Alert.dataAlert, "dataAlert", Alert.Severity.bad), (.noPedometer, "noPedometer", .bad),
      (.notAuthorized, "notAuthorized", .bad), (.milestone25Percent, "milestone25Percent", .good),
      (.milestone50Percent, "milestone50Percent", .good), (.milestone75Percent, "milestone75Percent", .good),
      (.goalComplete, "goalComplete", .good), (.nessie50Percent, "nessie50Percent", .bad),
      (.nessie90Percent, "nessie90Percent", .bad), (.caughtByNessie, "caughtByNessie", .bad),
    ])
  func catalogue(alert: Alert, name: String, severity: Alert.Severity) {
    #expect(alert.kind.rawValue == name)
    #expect(alert.severity == severity)
    #expect("\(alert)" == alert.text)
    #expect(Alert.catalogue.contains { $0 === alert })
  }

  @Test("sentences differ and end with a full stop, and an alert is bad by default")
  func sentences() {
    #expect(Set(Alert.catalogue.map(\.text)).count == Alert.catalogue.count)
    #expect(Alert.catalogue.allSatisfy { $0.text.last == "." })
    #expect(Alert(kind: Alert.Kind(rawValue: "mine"), text: "").severity == .bad)
  }

  @Test("an unknown error of a pedometer becomes an alert with its own text, and pauses")
  func unknownError() throws {
    // given
    struct Odd: Error, CustomStringConvertible { let description = "the sensor sings" }
    let chase = try Chase.inProgress()
    let log = EventLog(chase.model)
    // when
    chase.pedometer.sendEvent(Odd())
    chase.wait(seconds: 0)
    // then
    #expect(log.alerts.map(\.text) == ["the sensor sings"])
    #expect(log.alerts.map(\.kind.rawValue) == ["sensorError"])
    #expect(log.states == [.paused])
  }

  @Test("the sentences of errors state the remedy")
  func errors() {
    let sentences = AppState.allCases.map { "\(AppError.invalidState($0))" }
    #expect(Set(sentences).count == AppState.allCases.count)
    #expect("\(AppError.goalNotSet)" == "no goal set; set a number of steps first")
    #expect("\(AppError.goalNotPositive(-2))".contains("-2 steps"))
  }
}
