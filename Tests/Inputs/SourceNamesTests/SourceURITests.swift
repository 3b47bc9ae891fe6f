import SourceNames
import Testing

@Suite("The name of a source", .timeLimit(.minutes(30)))
struct SourceURITests {
  @Test(
    "is parsed by its scheme; everything else is a path",
    arguments: [
      ("-", SourceURI.standardInput), ("iio:device0", .iio("device0")), ("iio:iio:device0", .iio("device0")),
      ("evdev:/dev/input/event5", .evdev(path: "/dev/input/event5")), ("counter:device1", .counter("device1")),
      ("walk.csv", .file(path: "walk.csv")), ("file:walk.csv", .file(path: "walk.csv")),
      ("10:30.csv", .file(path: "10:30.csv")), ("C:dump.csv", .file(path: "C:dump.csv")),
      ("synthetic:", .synthetic([])), ("client:ann", .client("ann")), ("udp:5555", .udp(UDPAddress(port: 5555))),
      ("udp:127.0.0.1:5555", .udp(UDPAddress(host: "127.0.0.1", port: 5555))),
      ("udp:[::1]:65535", .udp(UDPAddress(host: "::1", port: 65_535))),
      (
        "synthetic:cadence=110,duration=60",
        .synthetic([.init(key: "cadence", value: "110"), .init(key: "duration", value: "60")])
      ),
    ])
  func reads(text: String, expected: SourceURI) throws {
    #expect(try SourceURI(parsing: text) == expected)
  }

  @Test(
    "is refused with the reason if it is invalid",
    arguments: [
      ("", SourceURI.ParsingError.empty), ("iio:", .missingName(scheme: "iio")),
      ("file:", .missingName(scheme: "file")), ("synthetic:cadence", .settingWithoutValue("cadence")),
      ("ble:", .invalid("", as: "ble")), ("ble:00:11:22", .invalid("00:11:22", as: "ble")),
      ("ble:C0:FF:EE:00:11:2G", .invalid("C0:FF:EE:00:11:2G", as: "ble")),
      ("ble:C0:FF:EE:00:11:22,steps", .invalid("C0:FF:EE:00:11:22,steps", as: "ble")),
      ("udp:", .invalid("udp:", as: "udp")), ("udp:0", .invalid("udp:0", as: "udp")),
      ("udp:+5", .invalid("udp:+5", as: "udp")), ("udp:65536", .invalid("udp:65536", as: "udp")),
      ("udp:::1:5555", .invalid("udp:::1:5555", as: "udp")), ("udp::5555", .invalid("udp::5555", as: "udp")),
      ("udp:5555,rate=50", .invalid("udp:5555,rate=50", as: "udp")),
      ("phyphox:", .invalid("phyphox:", as: "phyphox")),
      ("phyphox:http://", .invalid("phyphox:http://", as: "phyphox")),
      ("phyphox:https://phone:8080", .invalid("phyphox:https://phone:8080", as: "phyphox")),
      ("phyphox:http://phone:80x", .invalid("phyphox:http://phone:80x", as: "phyphox")),
      ("phyphox:http://phone/get", .invalid("phyphox:http://phone/get", as: "phyphox")),
      ("ws:", .invalid("ws:", as: "ws")), ("ws://", .invalid("ws://", as: "ws")),
      ("ws://phone:80x/", .invalid("ws://phone:80x/", as: "ws")),
      ("ws://phone/a b", .invalid("ws://phone/a b", as: "ws")),
      ("ws://phone/#x", .invalid("ws://phone/#x", as: "ws")),
      ("ws://ann@phone/", .invalid("ws://ann@phone/", as: "ws")),
      ("wss:", .invalid("wss:", as: "ws")), ("wss://phone/,ca=", .invalid("wss://phone/,ca=", as: "ws")),
      ("mqtt://broker/a", .invalid("mqtt://broker/a", as: "mqtt")),
      ("client:", .missingName(scheme: "client")),
      ("ble:C0:FF:EE:00:11:22,motion", .invalid("C0:FF:EE:00:11:22,motion", as: "ble")),
    ])
  func refuses(text: String, reason: SourceURI.ParsingError) {
    #expect(throws: reason) { try SourceURI(parsing: text) }
  }

  @Test(
    "has a remedy if it begins like a source, but there is no such kind and no such file",
    arguments: [
      ("foo:bar", true), ("http://phone/", true), ("serial", true), ("iio:device0", false), ("C:dump.csv", false),
      ("10:30.csv", false),
      ("walks/a:b.csv", false), ("walk.csv", false),
    ])
  func remedy(text: String, isThere: Bool) {
    #expect((SourceURI.remedy(forAbsent: text) != nil) == isThere)
  }

  @Test(
    "parses its own description",
    arguments: [
      "-", "iio:device0", "evdev:/dev/input/event5", "counter:device0", "a b.csv", "file:iio:device0",
      "synthetic:seed=1", "ble:C0:FF:EE:00:11:22", "ble:C0:FF:EE:00:11:22,strides",
      "udp:5555", "udp:127.0.0.1:5555", "udp:[fe80::1%eth0]:5555", "phyphox:http://192.168.1.7:8080",
      "phyphox:http://[::1]:80", "phyphox:http://phone", "client:ann", "file:client:ann", "file:udp:5555",
      "ws://192.168.1.7:8080/", "ws://[fe80::1%eth0]:80/samples?rate=50", "file:ws:x", "file:wss:x",
      "wss://phone.example/walk",
      "wss://phone:8443/a,b?c,ca=/home/ann/my keys, home.pem",
    ])
  func roundTrip(text: String) throws {
    #expect(try SourceURI(parsing: text).description == text)
  }

  @Test(
    "is the address of a phone, with or without what browsers write around it",
    arguments: ["phyphox:192.168.1.7:8080", "phyphox:http://192.168.1.7:8080/", "phyphox:http://192.168.1.7:8080"])
  func phone(text: String) throws {
    #expect(try SourceURI(parsing: text).description == "phyphox:http://192.168.1.7:8080")
  }

  @Test(
    "is the URL of a WebSocket; host and port alone are SensorServer's accelerometer",
    arguments: ["ws:phone:8080", "ws://phone:8080", "ws:ws://phone:8080"])
  func webSocket(text: String) throws {
    let url = "ws://phone:8080/sensor/connect?type=android.sensor.accelerometer"
    #expect(try SourceURI(parsing: text).description == url)
    guard case .webSocket(let address) = try SourceURI(parsing: "ws:[::1]/a?b=c") else {
      Issue.record("not a WebSocket")
      return
    }
    #expect(address.host == "::1" && address.port == 80 && address.authority == "[::1]" && address.target == "/a?b=c")
    #expect(!address.isEncrypted && address.authorities == nil)
  }

  @Test("is the URL of a WebSocket with TLS, and the file with its certificate")
  func encryptedWebSocket() throws {
    guard case .webSocket(let address) = try SourceURI(parsing: "wss://phone/walk,ca=home.pem"),
      case .webSocket(let plain) = try SourceURI(parsing: "ws://phone/walk,ca=home.pem")
    else {
      Issue.record("not a WebSocket")
      return
    }
    #expect(address.isEncrypted && address.port == 443)
    #expect(address.target == "/walk" && address.url == "wss://phone/walk")
    #expect(address.authorities == "home.pem")
    // Without TLS it is a part of the path.
    #expect(plain.target == "/walk,ca=home.pem" && plain.authorities == nil)
  }

  @Test("is a serial port without a scheme if it has the name of one; other names are files")
  func barePorts() throws {
    for name in ["/dev/ttyUSB0", "ttyUSB0", "/dev/ttyACM12", "ttyACM12", "/dev/ttyS0", "/dev/rfcomm0"] {
      let path = name.hasPrefix("/") ? name : "/dev/" + name
      #expect(try SourceURI(parsing: name) == .serial(SerialAddress(path: path)))
    }
    let link = "/dev/serial/by-id/usb-1a86_USB_Serial-if00-port0"
    #expect(try SourceURI(parsing: link) == .serial(SerialAddress(path: link)))
    #expect(
      try SourceURI(parsing: "ttyUSB0,baud=9600") == .serial(SerialAddress(path: "/dev/ttyUSB0", rate: 9600)))
    for name in ["/dev/tty", "/dev/tty1", "ttyUSB", "ttyUSB0.csv", "walk/ttyUSB0", "/dev/input/event5", "ttyUSBx"] {
      #expect(try SourceURI(parsing: name) == .file(path: name))
    }
    #expect(SourceURI.file(path: "ttyUSB0").description == "file:ttyUSB0")
  }

  @Test("is a serial port with settings; impossible and unknown ones are refused with what may be written")
  func serialSettings() throws {
    let name = "serial:/dev/ttyUSB0,baud=9600,dtr=off,rts=on"
    #expect(
      try SourceURI(parsing: name)
        == .serial(SerialAddress(path: "/dev/ttyUSB0", rate: 9600, dtr: false, rts: true)))
    #expect(try SourceURI(parsing: name).description == name)
    for word in ["baud=", "baud=fast", "baud=49", "baud=4000001", "baud=-9600", "dtr=1", "rts", "parity=even", ""] {
      #expect(throws: SourceURI.ParsingError.invalid(word, as: "serial")) {
        try SourceURI(parsing: "serial:/dev/ttyUSB0,\(word)")
      }
    }
    #expect("\(SourceURI.ParsingError.invalid("parity=even", as: "serial"))".contains("baud=N"))
  }

  @Test("is a Bluetooth address in upper case, however it was written")
  func bluetoothAddress() throws {
    let address = try BluetoothAddress(parsing: "c0:ff:ee:00:11:22,strides")
    #expect(address.device == "C0:FF:EE:00:11:22" && address.countsStrides)
    #expect(try SourceURI(parsing: "ble:c0:ff:ee:00:11:22,strides") == .bluetooth(address))
  }

  @Test("states in each refusal what to write instead")
  func remedies() {
    #expect("\(SourceURI.ParsingError.invalid("watch", as: "ble"))".contains("ble:C0:FF:EE:00:11:22"))
    #expect("\(SourceURI.ParsingError.missingName(scheme: "evdev"))".contains("evdev:/dev/input/event5"))
    #expect("\(SourceURI.ParsingError.invalid("udp:x", as: "udp"))".contains("udp:5555"))
    #expect("\(SourceURI.ParsingError.invalid("phyphox:x y", as: "phyphox"))".contains("http://192.168.1.7:8080"))
    #expect("\(SourceURI.ParsingError.invalid("wss://x", as: "ws"))".contains(",ca=FILE"))
    #expect("\(SourceURI.ParsingError.settingWithoutValue("seed"))".contains("key=value"))
  }

  @Test(
    "a command is split into words as by a shell, without expanding anything, and keeps its spelling",
    arguments: [
      ("ssccli -s accelerometer", ["ssccli", "-s", "accelerometer"]),
      ("ssh pi 'python3 -u read.py'", ["ssh", "pi", "python3 -u read.py"]),
      (#"sh -c "echo \"a\"; b""#, ["sh", "-c", #"echo "a"; b"#]), ("a\\ b  c", ["a b", "c"]),
      ("a '' b", ["a", "", "b"]),
      ("/opt/x:y 'it'\\''s' $HOME *", ["/opt/x:y", "it's", "$HOME", "*"]), ("a'b'\"c\"", ["abc"]),
    ])
  func command(_ text: String, _ words: [String]) throws {
    let uri = try SourceURI(parsing: "exec:" + text)
    guard case .program(let command) = uri else { throw SourceURI.ParsingError.empty }
    #expect(command.words == words && "\(uri)" == "exec:" + text)
    #expect(uri.isSensor && !uri.isLocalSensor)
  }

  @Test(
    "a command without a program, or with a quote that is not closed, is refused",
    arguments: ["", " ", "'", "a 'b", "a \\", "'' a"])
  func noCommand(_ text: String) {
    #expect { try SourceURI(parsing: "exec:" + text) } throws: {
      $0 is SourceURI.ParsingError && "\($0)".contains("each quote must be closed")
    }
  }
}
