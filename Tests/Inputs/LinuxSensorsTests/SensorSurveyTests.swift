import Glibc
import Testing

@testable import LinuxSensors

private let denied = SensorError.permissionDenied(path: "/dev/input/event5", errno: EACCES, remedy: "ask")
private let polled = DiscoveredSensor.Usability.pollingOnly(because: "no trigger", remedy: "load one")

@Suite("Access to sensors", .timeLimit(.minutes(30)))
struct SensorSurveyTests {
  @Test("without sensors there is neither availability nor a missing permission")
  func nothing() {
    let survey = SensorSurvey([])
    #expect(!survey.pedometerAvailable && !survey.permissionDeclined)
    #expect(survey.obstacle?.kind == .unavailable)
  }

  @Test("declined means that a sensor is present without any permitted access")
  func declined() {
    let closed = sensor(.evdev(path: "/dev/input/event5"), usability: .unusable(denied))
    let survey = SensorSurvey([closed])
    #expect(!survey.pedometerAvailable && survey.permissionDeclined)
    #expect(survey.obstacle == denied)
    let open = SensorSurvey([closed, sensor(.iio("device0"), usability: polled)])
    #expect(open.pedometerAvailable && !open.permissionDeclined && open.obstacle == nil)
  }

  @Test("a broken sensor alone is not a missing permission, but together with a declined one it is")
  func broken() {
    let broken = sensor(.iio("device0"), usability: .unusable(.noThreeAxes("/sys")))
    #expect(!SensorSurvey([broken]).permissionDeclined)
    let closed = sensor(.iio("device1"), usability: .unusable(denied))
    #expect(SensorSurvey([broken, closed]).permissionDeclined)
    #expect(SensorSurvey([broken, closed]).obstacle?.kind == .permission)
  }
}
