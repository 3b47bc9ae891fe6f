import Accelerometry
import Dispatch
import Foundation
import Glibc
import LiveSources
import Pedometry

@testable import History
@testable import LinuxSensors
@testable import ServiceCore
@testable import SourceNames

/// An iiod that says all it has to say when it is connected to, and hangs up.
private final class TalkativeIIOD: @unchecked Sendable {
  private let listener: Int32
  private(set) var port: UInt16 = 0
  private let lock = NSLock()
  private var text: [UInt8] = []

  init() {
    listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    (address.sin_family, address.sin_addr.s_addr) = (sa_family_t(AF_INET), UInt32(0x7F00_0001).bigEndian)
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
        require(bind(listener, pointer, length) == 0 && listen(listener, 8) == 0, "no port")
        require(getsockname(listener, pointer, &length) == 0, "no name")
      }
    }
    port = UInt16(bigEndian: address.sin_port)
    Thread.detachNewThread { self.serve() }
  }

  func say(_ bytes: [UInt8]) { lock.withLock { text = bytes } }

  private func serve() {
    while true {
      let connection = accept(listener, nil, nil)
      if connection < 0 { continue }
      let bytes = lock.withLock { text }
      var sent = 0
      while sent < bytes.count {
        let count = bytes.withUnsafeBytes {
          send(connection, $0.baseAddress! + sent, bytes.count - sent, Int32(MSG_NOSIGNAL))
        }
        if count <= 0 { break }
        sent += count
      }
      shutdown(connection, Int32(SHUT_WR))
      // Closing with unread bytes would take back what was sent.
      var rest = [UInt8](repeating: 0, count: 4096)
      while recv(connection, &rest, rest.count, 0) > 0 {}
      close(connection)
    }
  }
}

private let iiod = TalkativeIIOD()
private let stop: StopSignal = {
  do { return try StopSignal() } catch { fatalError("\(error)") }
}()

/// Whatever an iiod answers, its samples have rising times and finite values.
func checkIIOD(_ bytes: [UInt8]) {
  _ = IIODClient.Answer(parsing: bytes.prefix(24))
  _ = try? IIODContext(parsing: bytes)
  iiod.say(bytes)
  guard let address = try? RemoteIIOAddress(parsing: "127.0.0.1:\(iiod.port)") else { fail("no address") }
  var options = SensorOptions()
  options.samplingFrequency = SamplingFrequency(hertz: 50)
  var now: Int64 = 1_000_000_000
  let reader = RemoteIIOReader(address, options, IIODClient.Timeouts(answer: .seconds(2), scans: .seconds(2))) {
    now += 100_000_000
    return now
  }
  var watch = SampleCheck(limit: 1 << 20)
  do {
    reader.open()
    while let batch = try reader.next(until: stop) { watch.take(batch.samples) }
  } catch { _ = "\(error)" }
  reader.close()
}

private let year: Double = 1_795_000_000

/// Clients whose service has clocks of its own.
private func messages(_ writer: HistoryWriter?) -> ClientMessages {
  let clock = ServiceClock(
    now: { Date(timeIntervalSince1970: year) }, elapsed: { .seconds(86_400) }, sleep: { _ in throw CancellationError() }
  )
  let clients = ClientSources(
    registry: SourceRegistry(), access: Sources(), stepLength: .fixed(0.7), clock: clock, journals: nil,
    outlet: SourceOutlet(walked: { _, _ in }, publish: { _ in }), limits: ServiceLimits())
  return ClientMessages(
    clients: clients, clock: clock,
    count: { reading, source in
      guard let writer else { return CounterReceipt(.first) }
      return try writer.record(reading, source: source, stepLength: .fixed(0.7))
    },
    keep: { steps, source in try writer?.record(period: steps, source: source) ?? HistoryReceipt() })
}

/// Messages of a client, one in each paragraph: the query, and the body behind the first line. The service's samples rise.
func checkClientClock(_ bytes: [UInt8]) {
  let messages = messages(nil)
  var latest = Int64.min
  for paragraph in String(decoding: bytes, as: UTF8.self).components(separatedBy: "\n\n").prefix(40) {
    let lines = paragraph.split(separator: "\n", maxSplits: 1, omittingEmptySubsequences: false)
    var query: [String: String] = ["source": "a"]
    for item in lines[0].split(separator: "&") {
      let parts = item.split(separator: "=", maxSplits: 1)
      if parts.count == 2, parts[0] != "source" { query[String(parts[0])] = String(parts[1]) }
    }
    guard let taken = try? messages.takeSamples(Array((lines.count > 1 ? lines[1] : "").utf8), query) else { continue }
    while let batch = taken.source.inbox.pop() {
      for sample in batch.samples {
        require(sample.nanoseconds > latest, "times of a client do not rise")
        require(sample.nanoseconds <= 10 * 86_400_000_000_000, "a sample is measured after its arrival")
        latest = sample.nanoseconds
      }
    }
  }
}

/// A history that begins anew after some thousand inputs.
private final class FuzzHistory: @unchecked Sendable {
  private let path = "/dev/shm/pedometer-fuzz-\(getpid())"
  private var writer: HistoryWriter?
  private var inputs = 0

  /// The writer, and a name that no earlier input has used.
  func next() -> (HistoryWriter, String) {
    if inputs % 4000 == 0 {
      writer?.close()
      writer = nil
      try? FileManager.default.removeItem(atPath: path)
    }
    inputs += 1
    do {
      let open =
        try writer
        ?? HistoryWriter(
          folder: HistoryFolder(path: path), application: "fuzz", now: { Date(timeIntervalSince1970: year) })
      writer = open
      return (open, "f\(inputs)")
    } catch { fail("\(error)") }
  }
}

private let histories = FuzzHistory()

/// Readings of a counter and finished steps, one in each line: no more steps count than people walk.
func checkCounters(_ bytes: [UInt8]) {
  let (writer, name) = histories.next()
  let messages = messages(writer)
  let done = DispatchSemaphore(value: 0)
  Task {
    for line in bytes.split(separator: 0x0A).prefix(40) {
      if let order = try? ClientMessages.Counter(body: Data(line)) {
        var named = order
        named.source = name
        guard let (_, receipt) = try? await messages.takeCounter(named) else { continue }
        require((0...100_000).contains(receipt.accepted), "a reading adds \(receipt.accepted) steps")
        require(receipt.dropped >= 0 && receipt.elsewhere >= 0, "a negative number of steps")
      } else if let order = try? ClientMessages.Steps(body: Data(line)) {
        var named = order
        named.source = name + "-s"
        guard let (_, receipt, _) = try? await messages.takeSteps(named) else { continue }
        let all = receipt.recorded + receipt.repeated + receipt.impossible
        require(all == order.steps, "\(order.steps) steps became \(all)")
      }
    }
    done.signal()
  }
  done.wait()
}
