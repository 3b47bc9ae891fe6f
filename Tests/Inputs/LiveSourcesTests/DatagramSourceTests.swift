import Platform
import Recordings
import SourceNames
import Synchronization
import TestSupport
import Testing

@testable import LinuxSensors
@testable import LiveSources

@Suite("Samples over UDP", .timeLimit(.minutes(30)), .ownThreads)
struct DatagramSourceTests {
  private static let home = UDPAddress(host: "127.0.0.1", port: 0)

  /// What a reader made of the datagrams of a script.
  static func read(
    _ chunks: [ScriptedBoard.Chunk], _ change: (DatagramSender) throws -> Void = { _ in }
  ) throws -> BoardReaderTests.Reading {
    let line = try ScriptedDatagrams(chunks)
    try change(line.sender)
    let settings = BoardReader.Settings(name: "udp:5555", medium: .datagrams(port: 5555))
    let reader = BoardReader(settings) { line }
    let stop = try StopSignal()
    var reading = BoardReaderTests.Reading()
    do {
      try reader.open()
      while let batch = try reader.next(until: stop) {
        reading.batches.append(batch)
        reader.rest(until: stop)
      }
    } catch { reading.error = error }
    reader.close()
    return reading
  }

  /// A way in which apps write their samples.
  struct Form: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var row: @Sendable (UInt32, SIMD3<Float>) -> String
  }

  private static func ms2(_ value: Float) -> String { PrintedWalk.text(value * 9.80665) }

  static let forms = [
    Form(testDescription: "milliseconds and m/s², as HyperIMU sends them") { time, g in
      "\(1_777_882_500_000 + UInt64(time)), \(ms2(g.x)), \(ms2(g.y)), \(ms2(g.z)),\n"
    },
    Form(testDescription: "without a time and without an end of the line") { _, g in
      "\(ms2(g.x)),\(ms2(g.y)),\(ms2(g.z))"
    },
    Form(testDescription: "strings of C") { time, g in
      "\(time) \(PrintedWalk.text(g.x)) \(PrintedWalk.text(g.y)) \(PrintedWalk.text(g.z))\0"
    },
    Form(testDescription: "objects of JSON") { time, g in
      #"{"type":"android.sensor.accelerometer","timestamp":\#(UInt64(time) * 1_000_000),"#
        + #""values":[\#(ms2(g.x)),\#(ms2(g.y)),\#(ms2(g.z))]}"#
    },
  ]

  @Test("count 105 to 109 of 107 steps, in every form, and their end is a silence", arguments: forms)
  func counts(_ form: Form) throws {
    var walk = PrintedWalk()
    walk.row = form.row
    let reading = try Self.read(walk.chunks)
    #expect((105...109).contains(reading.steps), "\(reading.steps) \(reading.warnings)")
    #expect(reading.samples.count >= PrintedWalk.walk.count - 3)
    let error = reading.error as? SensorError
    #expect(error?.code == .silent && error?.remedy.contains("start the app again") == true)
  }

  @Test("that are lost, doubled or overtaken on their way cost no step")
  func disorder() throws {
    var chunks = PrintedWalk().chunks
    for index in stride(from: 100, to: chunks.count - 21, by: 40) {
      (chunks[index].bytes, chunks[index + 1].bytes) = (chunks[index + 1].bytes, chunks[index].bytes)
      chunks[index + 11].bytes = chunks[index + 10].bytes
      chunks[index + 20].bytes = []
    }
    let reading = try Self.read(chunks)
    #expect((105...109).contains(reading.steps), "\(reading.steps) \(reading.warnings)")
    #expect(reading.batches.dropFirst().allSatisfy { $0.gap == nil })
  }

  @Test("of a second phone are left out, with one warning that names both")
  func secondSender() throws {
    let reading = try Self.read(PrintedWalk().chunks) { sender in
      sender.disturbance = try DatagramSocket(from: "127.0.0.2")
    }
    #expect((105...109).contains(reading.steps), "\(reading.steps)")
    let warnings = reading.warnings.filter { $0.contains("127.0.0.2") }
    #expect(warnings.count == 1 && warnings[0].contains("127.0.0.1 was first"), "\(reading.warnings)")
  }

  @Test("that are no text, or no samples, are refused with what an app should send")
  func unreadable() throws {
    let noise = (0..<400).map {
      ScriptedBoard.Chunk($0 * 20_000_000, [UInt8](repeating: UInt8($0 & 7) | 0x80, count: 99))
    }
    #expect("\(try Self.read(noise).error as? SourceFailure, default: "")".contains("let the app send text"))
    let words = (0..<400).map { ScriptedBoard.Chunk($0 * 20_000_000, Array("step \($0)".utf8)) }
    let refusal = "\(try Self.read(words).error as? SourceFailure, default: "")"
    #expect(refusal.contains("milliseconds,x,y,z") && !refusal.contains("bits per second"))
    let huge = (0..<1000).map { ScriptedBoard.Chunk($0 * 20_000_000, Array("\($0 * 20),1e30,1e30,1e30\n".utf8)) }
    let reading = try Self.read(huge)
    let error = reading.error.map { "\($0)" }
    #expect(reading.samples.isEmpty && error?.contains("matches no known unit") == true)
  }

  @Test("arrive at a port of all addresses, of both protocols")
  func everywhere() throws {
    let port = try DatagramPort(UDPAddress(port: 0))
    try DatagramSocket(from: "127.0.0.1").send(Array("1,2,3".utf8), to: port.port)
    var bytes = [UInt8](repeating: 0, count: 16)
    #expect(try port.wait(until: StopSignal(), atMost: .seconds(300)) == .readable)
    let count = try unsafe bytes.withUnsafeMutableBytes { try unsafe port.read(into: $0) }
    #expect(bytes.prefix(count) == Array("1,2,3\n".utf8)[...] && port.sender == "127.0.0.1")
    #expect(try unsafe bytes.withUnsafeMutableBytes { try unsafe port.read(into: $0) } == 0)
  }

  @Test("need a port that is free and permitted, and an address of this computer")
  func refusedPorts() throws {
    let port = try DatagramPort(Self.home)
    do {
      _ = try DatagramPort(UDPAddress(host: "127.0.0.1", port: port.port))
      Issue.record("two programs received on one port")
    } catch { #expect(error.kind == .busy && error.remedy.contains("another port")) }
    do {
      // Reserved for documentation: RFC 5737.
      _ = try DatagramPort(UDPAddress(host: "192.0.2.1", port: 5555))
      Issue.record("192.0.2.1 was an address of this computer")
    } catch { #expect(error.kind == .unavailable && error.remedy.contains("address of this computer")) }
    let transcript = try Executable.built("pedometer").run(["live", "udp:127.0.0.1:\(port.port)"])
    #expect(transcript.ending == .exit(75) && transcript.errors.contains("another port"), "\(transcript)")
  }

  @Test("are waited for again when the app has stopped, on a clock that rises")
  func returns() async throws {
    let openings = Mutex<Int64>(0)
    var source = DatagramSource()
    source.openChannel = { _ in
      let opening = openings.withLock { count in
        count += 1
        return count
      }
      // Three seconds of a walk; the phone's clock begins anew each time.
      return try ScriptedDatagrams(Array(PrintedWalk().chunks.prefix(150)), start: opening * 100 * PrintedWalk.second)
    }
    var sources = Sources()
    sources.sleep = { _ in }
    sources.kinds = [source]
    let opened = try #require(try await sources.open(.udp(UDPAddress(port: 5555)), for: .live))
    let followed = try await FollowedSamples(opened, upTo: 5)
    try #require(followed.events.count == 5)
    #expect(followed.events[0].contains("udp:5555 has sent no data for 10 s; start the app again"))
    #expect(followed.events[1] == "back: udp:5555" && followed.samples >= 3 * 148, "\(followed)")
  }
}

/// Who sends a script's datagrams.
final class DatagramSender {
  let socket: DatagramSocket
  /// Sends nonsense in between.
  var disturbance: DatagramSocket?
  init() throws { socket = try DatagramSocket(from: "127.0.0.1") }
}

/// Datagrams over a real socket, on a clock that only the script moves.
final class ScriptedDatagrams: TextChannel {
  let sender: DatagramSender
  private let port: DatagramPort
  private var chunks: ArraySlice<ScriptedBoard.Chunk>
  private(set) var now: Int64

  init(_ chunks: [ScriptedBoard.Chunk], start: Int64 = 0) throws {
    now = start
    sender = try DatagramSender()
    port = try DatagramPort(UDPAddress(host: "127.0.0.1", port: 0))
    self.chunks = chunks.map { ScriptedBoard.Chunk($0.time + start, $0.bytes) }[...]
  }

  func wait(until stop: StopSignal, atMost timeout: Duration) -> StopSignal.Outcome {
    if stop.wait(atMost: .zero) == .raised { return .raised }
    let limit = now + timeout.wholeNanoseconds
    guard let next = chunks.first, next.time <= limit else {
      now = limit
      return .timedOut
    }
    pass(to: max(now, next.time))
    return .readable
  }

  func rest(until stop: StopSignal, for time: Duration) -> StopSignal.Outcome {
    pass(to: now + time.wholeNanoseconds)
    return .timedOut
  }

  func read(into target: UnsafeMutableRawBufferPointer) throws(SensorError) -> Int {
    try unsafe port.read(into: target)
  }

  func takeRemark() -> String? { port.takeRemark() }

  private func pass(to time: Int64) {
    now = time
    while let next = chunks.popFirst(where: { $0.time <= time }) {
      try? sender.socket.send(next.bytes, to: port.port)
      try? sender.disturbance?.send(Array("1,2,3,4\n".utf8), to: port.port)
    }
  }
}

extension ArraySlice {
  /// Removes and returns the first element if it fits.
  fileprivate mutating func popFirst(where fits: (Element) -> Bool) -> Element? {
    guard let first, fits(first) else { return nil }
    return removeFirst()
  }
}
