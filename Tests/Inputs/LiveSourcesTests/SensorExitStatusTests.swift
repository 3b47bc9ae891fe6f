import LinuxSensors
import Testing

@testable import LiveSources

@Suite("Exit codes of sensors", .timeLimit(.minutes(30)))
struct SensorExitStatusTests {
  @Test("each class of failure has its exit code")
  func codes() {
    let errors: [SensorError] = [
      .notFound(name: "a sensor", remedy: "plug one in"), .removed(path: "/p"),
      .permissionDenied(path: "/p", errno: 13, remedy: "ask"), .busy(path: "/p", holders: []),
      .silent(path: "/p", after: .seconds(10)), .system(operation: "read", path: "/p", errno: 5),
    ]
    #expect(errors.map(\.exitStatus.rawValue) == [69, 69, 77, 75, 76, 74])
    #expect(Set(errors.map(\.kind)) == Set(SensorError.Kind.allCases))
  }
}
