import Foundation
import TestSupport
import Testing

@Suite("Commands with sensors of another computer", .timeLimit(.minutes(30)), .ownThreads)
struct RemoteDeviceTests {
  @Test("devices --remote lists them as those of this computer, with the name to use")
  func listed() throws {
    var lid = FakeIIOD.Device(id: "iio:device1", name: "kxcjk1013")
    (lid.label, lid.hasScans) = ("accel-display", false)
    let server = try FakeIIOD([.init(name: "adxl345"), lid])
    defer { server.close() }
    let place = "127.0.0.1:\(server.port)"
    let executable = try Executable.built("pedometer")
    let text = try executable.run(["devices", "--remote", place])
    #expect(text.ending == .exit(0) && text.errors == "")
    #expect(
      text.output.hasPrefix(
        """
        iio:ip:\(place)/adxl345  adxl345
          accelerometer at 50 Hz, ±32.8 g
          ip at \(place)/iio:device0
          usable, through its buffer and iiod

        iio:ip:\(place)/kxcjk1013  kxcjk1013 (accel-display)
          accelerometer at 50 Hz
          ip at \(place)/iio:device1
          not usable
            iio:ip:\(place)/kxcjk1013 cannot be used: its driver has neither a buffer nor values
        """), "\(text.output)")
    let lines = try executable.run(["devices", "--remote", place, "--format", "json"]).outputLines
    let found = try lines.map { try #require(JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any]) }
    #expect(found.map { $0["source"] as? String } == ["iio:ip:\(place)/adxl345", "iio:ip:\(place)/kxcjk1013"])
    #expect(found.map { $0["usable"] as? Bool } == [true, false] && found[0]["mode"] as? String == "buffer")
    #expect(found[0]["samplingFrequency"] as? Double == 50 && found[0]["bus"] as? String == "ip")
    let here = ["name", "kind", "identity", "place", "path", "parents", "external", "holders", "remarks"]
    #expect(here.allSatisfy { found[0][$0] != nil }, "\(found[0])")
  }

  @Test("a computer that cannot be listed is an error with its own exit code")
  func notListed() throws {
    let closed = try LoopbackServer { _ in }
    closed.close()
    let web = try LoopbackServer { connection in
      _ = connection.receive(upTo: "\r\n")
      connection.send("HTTP/1.1 400 Bad Request\r\n\r\n")
    }
    let empty = try FakeIIOD([])
    defer {
      web.close()
      empty.close()
    }
    let executable = try Executable.built("pedometer")
    for (place, code, words) in [
      ("127.0.0.1:\(closed.port)", Int32(69), "Connection refused; check the address, start iiod on 127.0.0.1"),
      ("127.0.0.1:\(web.port)", 76, "answers 'HTTP/1.1 400 Bad Request"), ("pi:x", 64, "'pi:x' is not a computer"),
      ("pi/adxl345", 64, "give HOST or HOST:PORT"), ("127.0.0.1:\(empty.port)", 0, "has no accelerometer"),
    ] {
      let transcript = try executable.run(["devices", "--remote", place])
      #expect(transcript.ending == .exit(code) && transcript.output == "", "\(transcript)")
      #expect(transcript.errors.contains(words), "\(transcript.errors)")
    }
  }

  @Test("live and record say why a sensor there cannot be read")
  func refused() throws {
    var device = FakeIIOD.Device()
    device.openAnswers = [-16]
    let server = try FakeIIOD([device])
    defer { server.close() }
    let source = "iio:ip:127.0.0.1:\(server.port)/accel_3d"
    let executable = try Executable.built("pedometer")
    for arguments in [["live", source], ["record", source, "-o", "-"]] {
      let transcript = try executable.run(arguments)
      #expect(transcript.ending == .exit(75), "\(transcript)")
      #expect(transcript.errors.contains("\(source) is in use by another program on 127.0.0.1"), "\(transcript)")
    }
    let name = try executable.run(["live", "iio:ip:pi:x/accel_3d"])
    #expect(name.ending == .exit(64) && name.errors.contains("iio:ip:raspberrypi.local/adxl345"), "\(name)")
  }
}
