import Foundation
import Glibc
import TestSupport
import Testing

@testable import PedometerService
@testable import ServiceMessaging

/// A private bus.
final class PrivateBus {
  static let isPossible: Bool = {
    guard
      ["/usr/bin/dbus-daemon", "/usr/bin/busctl", "/usr/bin/python3"].allSatisfy({ path in
        FileManager.default.isExecutableFile(atPath: path)
      }), let python = try? Executable(path: "/usr/bin/python3").run(["-c", "import dbus, gi"])
    else { return false }
    return python.exitCode == 0
  }()

  let folder: TemporaryDirectory
  let address: String
  private let bus: RunningExecutable

  /// - Parameter policy: of everybody.
  convenience init(policy: String = "<allow own=\"*\"/>") throws {
    let everybody = "<allow send_destination=\"*\"/><allow receive_sender=\"*\"/>\(policy)"
    try self.init(type: "session", policies: "<policy context=\"default\">\(everybody)</policy>")
  }

  /// - Parameter policies: the elements of the configuration.
  init(type: String, policies: String) throws {
    folder = try TemporaryDirectory()
    // Not in the folder, which other users cannot enter.
    let configuration = try folder.write(
      Array(
        """
        <busconfig><type>\(type)</type><listen>unix:abstract=\(folder.path)/bus</listen><auth>EXTERNAL</auth>
        \(policies)
        </busconfig>
        """.utf8), to: "bus.conf")
    bus = try Executable(path: "/usr/bin/dbus-daemon").start([
      "--config-file=\(configuration)", "--nofork", "--print-address=1",
    ])
    address = try #require(try bus.outputLines(1).first.map(String.init))
  }

  /// Calls busctl.
  func busctl(_ arguments: String...) throws -> Transcript {
    try Executable(path: "/usr/bin/busctl").run(["--address=\(address)"] + arguments)
  }

  func property(_ name: String) throws -> String {
    let transcript = try busctl("get-property", BusObject.name, BusObject.path, BusObject.name, name)
    return transcript.exitCode == 0 ? transcript.output : transcript.errors
  }

  /// A program that prints each PropertiesChanged, after a line when it listens.
  func listener() throws -> RunningExecutable {
    let script = """
      import dbus, dbus.mainloop.glib, gi.repository.GLib as g
      dbus.mainloop.glib.DBusGMainLoop(set_as_default=True)
      b = dbus.bus.BusConnection('\(address)')
      show = lambda i, c, x: print(sorted((str(k), str(v)) for k, v in c.items()), [str(n) for n in x], flush=True)
      b.add_signal_receiver(show, 'PropertiesChanged', path='\(BusObject.path)')
      b.get_name_owner('org.freedesktop.DBus')
      print('listening', flush=True)
      g.MainLoop().run()
      """
    let listener = try Executable(path: "/usr/bin/python3").start(["-c", script])
    _ = try listener.outputLines(1)
    return listener
  }

  func kill() { bus.send(signal: SIGKILL) }
}

@Suite(
  "The figures on D-Bus", .enabled(if: PrivateBus.isPossible, "dbus-daemon, busctl or python3-dbus is not installed"),
  .timeLimit(.minutes(30)), .ownThreads)
struct BusServiceTests {
  private let clock = ManualClock()
  private let figures = ScriptedFigures()
  private let log = LogLines()

  /// Runs the service, and the body when the name is taken.
  private func running(on bus: borrowing PrivateBus, _ body: () async throws -> Void) async throws {
    let ready = Observed(false)
    let connection = BusConnection(.address(bus.address), ready: { ready.update { $0 = true } }, ended: { _ in })
    defer { connection.close() }
    connection.publish(BusObject.properties(of: await figures.closure()))
    await ready.wait { $0 }
    try await body()
  }

  @Test("busctl reads every property, and cannot write one")
  func properties() async throws {
    let bus = try PrivateBus()
    try await running(on: bus) {
      #expect(try bus.property("StepsToday") == "t 100\n")
      #expect(try bus.property("Total") == "t 10100\n")
      #expect(try bus.property("Cadence") == "d 105\n" && bus.property("Walking") == "b true\n")
      #expect(try bus.property("Sources") == "a(ss) 1 \"iio:device0\" \"counting\"\n")
      #expect(try bus.property("Problem") == "s \"\"\n" && bus.property("Goal") == "t 0\n")
      #expect(try bus.property("Nonsense").contains("unknown property"))
      let all = try bus.busctl(
        "call", BusObject.name, BusObject.path, "org.freedesktop.DBus.Properties", "GetAll", "s", BusObject.name)
      #expect(all.output.hasPrefix("a{sv} 10 \"StepsToday\" t 100 "))
      let writing = try bus.busctl(
        "set-property", BusObject.name, BusObject.path, BusObject.name, "StepsToday", "t", "5")
      #expect(writing.exitCode != 0 && writing.errors.contains("read-only"), "\(writing.errors)")
    }
  }

  @Test("introspection lists the properties with their types")
  func introspection() async throws {
    let bus = try PrivateBus()
    try await running(on: bus) {
      let listed = try bus.busctl("introspect", BusObject.name, BusObject.path, BusObject.name).output
      for property in BusObject.properties(of: await figures.closure()) {
        let line = listed.split(separator: "\n").first { $0.hasPrefix(".\(property.name) ") }
        #expect(line?.split(separator: " ").dropFirst().prefix(2) == ["property", Substring(property.value.type)])
      }
    }
  }

  @Test("only what has changed is announced, and what is unknown is invalid")
  func changes() async throws {
    let bus = try PrivateBus()
    let listener = try bus.listener()
    let service = BusService(
      place: .address(bus.address), clock: .manual(clock), figures: figures.closure, logger: log.logger)
    let task = Task { try await service.run() }
    _ = try listener.outputLines(2)
    await clock.waitForSleepers()
    figures.set(steps: 117)
    clock.advance(by: BusService.interval)
    let line = try #require(try listener.outputLines(3).last)
    #expect(
      line
        == "[('Distance', '7117.04'), ('DistanceToday', '117.0'), ('StepsToday', '117'), ('Total', '10117')] []")
    await clock.waitForSleepers()
    figures.value.withLock { ($0.total, $0.today) = (nil, nil) }
    clock.advance(by: BusService.interval)
    let lost = try #require(try listener.outputLines(4).last)
    #expect(lost.hasPrefix("[('Problem', 'the history cannot be read')]"))
    #expect(lost.hasSuffix("['StepsToday', 'DistanceToday', 'Goal', 'Total', 'Distance']"))
    #expect(try bus.property("StepsToday").contains("unknown"))
    task.cancel()
    try await task.value
  }

  @Test("a bus that ends, and a name that is taken or not permitted, are in the log, and tried again")
  func failures() async throws {
    let bus = try PrivateBus(policy: "")
    let forbidden = BusService(
      place: .address(bus.address), clock: .manual(clock), figures: figures.closure, logger: log.logger)
    let reason = Observed<[String]>([])
    let connection = BusConnection(
      .address(bus.address), ready: {}, ended: { end in reason.update { $0.append(end) } })
    await reason.wait { !$0.isEmpty }
    connection.close()
    #expect(reason.value[0].contains("policy does not permit the name"))
    let open = try PrivateBus()
    try await running(on: open) {
      let second = BusConnection(
        .address(open.address), ready: {}, ended: { end in reason.update { $0.append(end) } })
      await reason.wait { $0.count == 2 }
      second.close()
    }
    #expect(reason.value[1].contains("another program has the name"))
    let task = Task { try await forbidden.run() }
    await clock.flying {
      while !log.all.contains(where: { $0.contains("policy does not permit") }) { await Task.yield() }
    }
    task.cancel()
    try await task.value
  }

  @Test("pedometerd --dbus session takes the name on the session bus of the environment")
  func daemon() async throws {
    let bus = try PrivateBus()
    let listener = try bus.listener()
    let folder = bus.folder.path
    let daemon = try Executable.built("pedometerd").start(
      [
        "--state", folder + "/state", "--listen", "127.0.0.1:0", "--dbus", "session", "--source",
        "synthetic:cadence=120,duration=600",
      ], environment: ["XDG_RUNTIME_DIR": folder, "DBUS_SESSION_BUS_ADDRESS": bus.address])
    defer { try? FileManager.default.removeItem(atPath: folder + "/state") }
    _ = try listener.outputLines(2)
    #expect(try bus.property("Sources").contains("\"synthetic:cadence=120,duration=600\""))
    daemon.send(signal: SIGTERM)
    #expect(try daemon.finish().ending == .exit(0))
    let wrong = try Executable.built("pedometerd").run(["--dbus", "both", "--check-config"])
    #expect(wrong.exitCode == 78 && wrong.errors.contains("--dbus: 'both' is neither session, system nor off"))
  }
}
