import Synchronization
import Testing

@testable import LinuxSensors

/// What happened to a scripted reader.
final class ReaderLog: Sendable {
  private let entries = Mutex<[String]>([])
  var all: [String] { entries.withLock { $0 } }
  func add(_ entry: String) { entries.withLock { $0.append(entry) } }
}

/// A reader that delivers given elements and then follows its script.
final class ScriptedReader<Element: Sendable>: SensorReader {
  enum End {
    case silence, over
    case failure(SensorError)
  }
  private var elements: [Element]
  private let end: End
  private let refusal: SensorError?
  private let log: ReaderLog
  private let logsRests: Bool

  init(
    _ elements: [Element], end: End, refusal: SensorError? = nil, log: ReaderLog = ReaderLog(), logsRests: Bool = false
  ) {
    self.logsRests = logsRests
    self.elements = elements
    self.end = end
    self.refusal = refusal
    self.log = log
  }

  func open() throws(SensorError) {
    log.add("open")
    if let refusal { throw refusal }
  }

  func next(until stop: StopSignal) throws(SensorError) -> Element? {
    log.add("next")
    if !elements.isEmpty { return elements.removeFirst() }
    switch end {
    case .over: return nil
    case .failure(let error): throw error
    case .silence:
      while stop.wait() != .raised {}
      return nil
    }
  }

  func rest(until stop: StopSignal) { if logsRests { log.add("rest") } }

  func close() { log.add("close") }
}

/// A reader that reports when it starts to wait, and then waits for the flag in one call without a timeout.
final class WaitingReader: SensorReader {
  private let announce: @Sendable () -> Void
  private let waitsAtRest: Bool

  init(waitsAtRest: Bool = false, announce: @escaping @Sendable () -> Void) {
    self.announce = announce
    self.waitsAtRest = waitsAtRest
  }

  func open() {}

  func next(until stop: StopSignal) -> Int? {
    if waitsAtRest { return 0 }
    wait(until: stop)
    return nil
  }

  func rest(until stop: StopSignal) { if waitsAtRest { wait(until: stop) } }

  private func wait(until stop: StopSignal) {
    announce()
    #expect(stop.wait(atMost: .seconds(Int64.max)) == .raised)
  }

  func close() {}
}
