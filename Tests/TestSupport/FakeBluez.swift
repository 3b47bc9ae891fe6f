import Foundation
import LinuxSensors

/// A private bus with a BlueZ of the tests on it (Tests/Inputs/FakeBluez/fake-bluez).
package final class FakeBluez {
  package static let address = "C0:FF:EE:00:11:22"
  package static let cadence = "00002a53-0000-1000-8000-00805f9b34fb"
  package static let steps = "00030001-78fc-48fe-8e23-433b3a1942d0"
  package static let pod = "device \(address) Pod 00001814-0000-1000-8000-00805f9b34fb"
  package static let watch = "device \(address) Watch 00030000-78fc-48fe-8e23-433b3a1942d0"

  private static let script = Repository.path("Tests/Inputs/FakeBluez/fake-bluez")

  /// Whether this machine has the required programs.
  package static let isPossible: Bool = {
    guard FileManager.default.isExecutableFile(atPath: "/usr/bin/dbus-daemon"),
      FileManager.default.isExecutableFile(atPath: "/usr/bin/python3"),
      let python = try? Executable(path: "/usr/bin/python3").run(["-c", "import dbus, gi"])
    else { return false }
    return python.exitCode == 0
  }()

  /// The computer on which it is, below one folder.
  package let folder: TemporaryDirectory
  private let bus: RunningExecutable
  private var service: RunningExecutable?
  private var lines = 0
  package private(set) var calls: [String] = []
  /// This machine with the private bus.
  package private(set) var environment: SensorEnvironment

  /// Starts a bus, without BlueZ.
  package init() throws {
    folder = try TemporaryDirectory()
    // Records whether the bus was asked to start bluetoothd.
    try folder.write(
      Array("[D-BUS Service]\nName=org.bluez\nExec=/usr/bin/touch \(folder.path)/activated\n".utf8),
      to: "org.bluez.service")
    let configuration = try folder.write(
      Array(
        """
        <busconfig><type>session</type><listen>unix:path=\(folder.path)/bus</listen><auth>EXTERNAL</auth>
        <servicedir>\(folder.path)</servicedir>
        <policy context="default"><allow send_destination="*"/><allow receive_sender="*"/><allow own="*"/></policy>
        </busconfig>
        """.utf8), to: "bus.conf")
    bus = try Executable(path: "/usr/bin/dbus-daemon").start([
      "--config-file=\(configuration)", "--nofork", "--print-address=1",
    ])
    environment = SensorEnvironment(root: folder.path)
    environment.systemBus = try bus.outputLines(1).first.map(String.init)
    try folder.makeFolder("sys/class/bluetooth/hci0")
  }

  /// Whether the bus was asked to start bluetoothd.
  package var wasActivated: Bool { folder.contents.contains("activated") }

  /// Starts the fake BlueZ with a command.
  package func begin(_ commands: String...) throws {
    let service = try Executable(path: Self.script).start([environment.systemBus ?? ""])
    (self.service, lines) = (service, 0)
    try wait { $0 == "ready" }
    for command in commands { try tell(command) }
  }

  /// Sends a command to the fake BlueZ, and waits until it is done.
  package func tell(_ command: String) throws {
    try service?.send(Array("\(command)\n".utf8))
    try wait { $0 == "done" }
  }

  /// Waits until BlueZ has received a request.
  package func wait(forCall member: String) throws { try wait { $0 == "call \(member)" } }

  /// Waits for a line that begins with a word; returns its rest.
  package func line(beginning word: String) throws -> String {
    var rest = ""
    try wait { line in
      guard line == word || line.hasPrefix(word + " ") else { return false }
      rest = String(line.dropFirst(word.count + 1))
      return true
    }
    return rest
  }

  private func wait(until isIt: (Substring) -> Bool) throws {
    while let line = try service?.outputLines(lines + 1).dropFirst(lines).first {
      lines += 1
      if line.hasPrefix("call ") { calls.append(String(line.dropFirst(5))) }
      if isIt(line) { return }
    }
    throw Ended()
  }

  package struct Ended: Error {}
}
