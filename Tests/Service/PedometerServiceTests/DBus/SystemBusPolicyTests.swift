import Foundation
import Glibc
import TestSupport
import Testing

@testable import PedometerService
@testable import ServiceMessaging

/// What the tests of the policy need, outside of their type, because an attribute of the type uses it.
private enum Machine {
  private static let programs = ["/usr/bin/dbus-daemon", "/usr/bin/gdbus", "/usr/bin/setpriv"]
  static let isPossible =
    geteuid() == 0 && group != nil && programs.allSatisfy { FileManager.default.isExecutableFile(atPath: $0) }

  /// Any group that this machine has, in place of "pedometer".
  static let member: gid_t = 1
  static var group: String? { unsafe getgrgid(member).map { unsafe String(cString: $0.pointee.gr_name) } }
}

/// The installed policy on a private bus whose other rules are those of the system bus.
@Suite(
  "Who receives figures on the system bus",
  .enabled(if: Machine.isPossible, "this needs root, dbus-daemon, gdbus and setpriv"),
  .timeLimit(.minutes(30)), .ownThreads)
struct SystemBusPolicyTests {
  private static let stranger: uid_t = 65_534

  /// The rules of the system bus for everybody, as dbus-daemon installs them.
  private static let usual = """
    <policy context="default"><allow user="*"/><deny own="*"/><deny send_type="method_call"/>
    <allow send_type="signal"/><allow send_requested_reply="true" send_type="method_return"/>
    <allow send_requested_reply="true" send_type="error"/><allow receive_type="method_call"/>
    <allow receive_type="method_return"/><allow receive_type="error"/><allow receive_type="signal"/>
    <allow send_destination="org.freedesktop.DBus"/></policy>
    """

  private static func policy() throws -> String {
    let path = Repository.path("packaging/dbus/org.pedometer.Pedometer1.conf")
    let lines = try TemporaryDirectory.text(of: path).split(separator: "\n")
      .drop { !$0.contains("<busconfig>") }.dropFirst().dropLast()
    let policy = lines.joined(separator: "\n")
    #expect(policy.contains("group=\"pedometer\""))
    // The user of the service need not exist here; root may own the name, too.
    return policy.replacing("group=\"pedometer\"", with: "group=\"\(try #require(Machine.group))\"")
      .replacing("user=\"pedometer\"", with: "user=\"root\"")
  }

  /// A user's program that prints signals of a connection, after two lines.
  private static func listener(
    _ user: uid_t, _ group: gid_t, to owner: String, at address: String
  ) throws -> RunningExecutable {
    let listener = try Executable(path: "/usr/bin/setpriv").start([
      "--reuid=\(user)", "--regid=\(group)", "--clear-groups", "/usr/bin/gdbus", "monitor", "--address", address,
      "--dest", owner,
    ])
    #expect(try listener.outputLines(2).last?.contains("is owned by") == true)
    return listener
  }

  /// Asks for the unique name of the service's connection.
  private static func askForOwner(at address: String) throws -> Transcript {
    try Executable(path: "/usr/bin/gdbus").run([
      "call", "--address", address, "--dest", "org.freedesktop.DBus", "--object-path", "/org/freedesktop/DBus",
      "--method", "org.freedesktop.DBus.GetNameOwner", BusObject.name,
    ])
  }

  @Test("root and the group receive changes, and other users do not")
  func receivers() async throws {
    let bus = try PrivateBus(type: "system", policies: Self.usual + Self.policy())
    let (address, ready) = (bus.address, Observed(false))
    let connection = BusConnection(
      .address(address), ready: { ready.update { $0 = true } }, ended: { _ in })
    await ready.wait { $0 }
    let asked = try Self.askForOwner(at: address)
    let owner = try #require(asked.output.split(separator: "'").dropFirst().first.map(String.init), "\(asked)")
    let stranger = try Self.listener(Self.stranger, Self.stranger, to: owner, at: address)
    let root = try Self.listener(0, 0, to: owner, at: address)
    let member = try Self.listener(Self.stranger, Machine.member, to: owner, at: address)
    // A gdbus listens only after its second line, so there are changes until those who may have received one.
    let publishing = Task.detached {
      for steps in 100... {
        if Task.isCancelled { return }
        connection.publish(BusObject.properties(of: .walking(steps: steps)))
        // Only to leave the bus some time; a busy machine may fail here.
        _ = try? Self.askForOwner(at: address)
      }
    }
    for listener in [root, member] {
      #expect(try listener.outputLines(3).last?.contains("'StepsToday': <uint64 ") == true)
    }
    publishing.cancel()
    await publishing.value
    connection.close()
    #expect(try stranger.outputLines(3).last?.contains("does not have an owner") == true)
  }
}
