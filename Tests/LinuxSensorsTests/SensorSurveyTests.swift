import Glibc
import Testing

@testable import LinuxSensors

private let denied = SensorError.permissionDenied(path: "/dev/input/event5", errno: EACCES, remedy: "ask")
private let polled = DiscoveredSensor.Usability.pollingOnly(because: "no trigger", remedy: "load one")

@Suite("What this user may count with", .timeLimit(.minutes(10)))
struct SensorSurveyTests {
  @Test("nothing there is neither available nor declined")
  func nothing() {
    let survey = SensorSurvey([])
    #expect(!survey.pedometerAvailable && !survey.permissionDeclined)
    #expect(survey.obstacle?.kind == .unavailable)
  }

  @Test("declined is when a sensor is there and every way to it is closed")
  func declined() {
    let closed = sensor(.evdev(path: "/dev/input/event5"), usability: .unusable(denied))
    let survey = SensorSurvey([closed])
    #expect(!survey.pedometerAvailable && survey.permissionDeclined)
    #expect(survey.obstacle == denied)
    let open = SensorSurvey([closed, sensor(.iio("device0"), usability: polled)])
    #expect(open.pedometerAvailable && !open.permissionDeclined && open.obstacle == nil)
  }

  @Test("a broken sensor is no question of permission, but beside a closed one it is")
  func broken() {
    let broken = sensor(.iio("device0"), usability: .unusable(.noThreeAxes("/sys")))
    #expect(!SensorSurvey([broken]).permissionDeclined)
    let closed = sensor(.iio("device1"), usability: .unusable(denied))
    #expect(SensorSurvey([broken, closed]).permissionDeclined)
    #expect(SensorSurvey([broken, closed]).obstacle?.kind == .permission)
  }
}
