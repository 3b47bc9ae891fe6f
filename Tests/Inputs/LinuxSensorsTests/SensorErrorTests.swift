import Glibc
import LinuxSensors
import Testing

@Suite("Sensor errors", .timeLimit(.minutes(30)))
struct SensorErrorTests {
  private static let all: [(SensorError, SensorError.Kind)] = [
    (.notFound(name: "a sensor", remedy: "plug one in"), .unavailable),
    (.unusable(path: "/p", reason: "it is round", remedy: "choose another"), .unavailable),
    (.removed(path: "/p"), .unavailable),
    (.disconnected(name: "a watch", reason: "it sleeps", remedy: "wake it up"), .unavailable),
    (.permissionDenied(path: "/p", errno: EACCES, remedy: SensorError.permissionRemedy), .permission),
    (.busy(path: "/p", holders: [DeviceHolder(process: 7, name: "iio_cat")]), .busy),
    (.busy(path: "/p", holders: []), .busy),
    (.nonsense(path: "/p", text: "x", expected: "a number"), .protocolViolation),
    (.silent(path: "/p", after: .seconds(10)), .protocolViolation),
    (.system(operation: "read", path: "/p", errno: EIO), .inputOutput),
  ]

  @Test("each failure has its class, and one sentence with a remedy", arguments: all)
  func kinds(_ error: SensorError, _ kind: SensorError.Kind) {
    #expect(error.kind == kind)
    #expect(error.description == "\(error.reason); \(error.remedy)")
    #expect(!error.description.contains("\n"))
  }

  @Test("a busy node names its holder")
  func holder() {
    #expect(
      SensorError.busy(path: "/p", holders: [DeviceHolder(process: 7, name: "iio_cat")]).reason.contains(
        "iio_cat (process 7)"))
  }

  @Test("invalid text is quoted without control characters, and shortened")
  func quoting() {
    let error = SensorError.nonsense(
      path: "/p", text: "a\u{1B}[2J\n" + String(repeating: "b", count: 500), expected: "c")
    #expect(error.reason.contains("'a?[2J?bbb"))
    #expect(error.reason.count < 120)
  }

  @Test("only a loss, a disconnection and a silence are temporary")
  func passing() {
    #expect(Self.all.filter { $0.0.mayPass }.map(\.0.code) == [.removed, .disconnected, .silent, .system])
  }

  @Test("the holder of a node is found among the processes, by its open descriptors")
  func holders() throws {
    let machine = try FakeMachine()
    try machine.write("iio_cat\n", to: "proc/812/comm")
    try machine.makeFolder("proc/812/fd")
    try machine.makeFolder("proc/9/fd")
    try machine.makeFolder("proc/self/fd")
    _ = unsafe symlink("/dev/iio:device0", "\(machine.root)/proc/812/fd/3")
    _ = unsafe symlink("/dev/null", "\(machine.root)/proc/9/fd/3")
    #expect(
      DeviceHolder.holders(of: "/dev/iio:device0", in: machine.environment)
        == [DeviceHolder(process: 812, name: "iio_cat")])
  }

  @Test("a child that has not called exec yet is not a holder; children that run other programs are, and so are others")
  func forks() throws {
    let machine = try FakeMachine()
    let run = { (process: Int32, parent: Int32, program: String) in
      try machine.write("\(process)\n", to: "proc/\(process)/comm")
      try machine.write("Name:\t\(process)\nPPid:\t\(parent)\nUid:\t0\n", to: "proc/\(process)/status")
      try machine.makeFolder("proc/\(process)/fd")
      _ = unsafe symlink(program, "\(machine.root)/proc/\(process)/exe")
      _ = unsafe symlink("/dev/ttyACM0", "\(machine.root)/proc/\(process)/fd/3")
    }
    let this = getpid()
    try run(this, 1, "/usr/bin/pedometerd")
    try run(this + 1, this, "/usr/bin/pedometerd")
    try run(this + 2, this, "/usr/bin/cat")
    try run(this + 3, 1, "/usr/bin/pedometerd")
    #expect(
      DeviceHolder.holders(of: "/dev/ttyACM0", in: machine.environment).map(\.process) == [this, this + 2, this + 3])
  }
}
