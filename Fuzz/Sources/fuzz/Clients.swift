import Accelerometry
import Dispatch
import Foundation
import Glibc
import Pedometry

@testable import History
@testable import LinuxSensors
@testable import LiveSources
@testable import ServiceCore
@testable import SourceNames

private let year: Double = 1_795_000_000

/// Clients whose service has clocks of its own.
private func messages(_ writer: HistoryWriter?) -> ClientMessages {
  let clock = ServiceClock(
    now: { Date(timeIntervalSince1970: year) }, elapsed: { .seconds(86_400) }, sleep: { _ in throw CancellationError() }
  )
  let clients = ClientSources(
    registry: SourceRegistry(), access: Sources(), stepLength: .fixed(0.7), clock: clock, journals: nil,
    outlet: SourceOutlet(), limits: ServiceLimits())
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
