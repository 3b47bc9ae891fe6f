import Accelerometry
import Counting
import LinuxSensors
import Platform
import Recordings
import SourceNames

/// An app that sends its samples as text over UDP, such as HyperIMU.
package struct DatagramSource: SourceKind {
  /// Waits between two attempts.
  var sleep: @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }

  /// Opens a port.
  package var openLine: @Sendable (UDPAddress) throws -> any BoardLine = { DatagramLine(try DatagramPort($0)) }

  package init() {}

  package func takes(_ uri: SourceURI?) -> Bool { if case .udp? = uri { true } else { false } }

  package func open(_ uri: SourceURI?, for opener: LiveOpener) -> LiveFeed? {
    guard case .udp(let address)? = uri else { return nil }
    return feed(address, for: opener)
  }

  /// A port; it is opened when the first sample is asked for.
  func feed(_ address: UDPAddress, for opener: LiveOpener) -> LiveFeed {
    let (uri, openLine, waits) = (SourceURI.udp(address), openLine, opener.finder.waits)
    let text = TextFeed(
      uri: uri, name: "UDP port \(address.port)", medium: .datagrams(port: address.port)
    ) { try openLine(address) }
    let policy = Reconnecting<SampleBatch>.Policy(
      backoff: Backoff(first: .milliseconds(200), longest: .seconds(8), isPrompt: true), calm: .seconds(1), sleep: sleep
    ) { error, isReading in
      guard let error = error as? SensorError else { return !isReading }
      // After a loss the phone may have another address, and another program the port.
      return !isReading || error.mayPass || waits && error.kind == .busy
    }
    return text.feed(for: opener) { first, again in
      Reconnecting(
        first: .init(name: "\(uri)") { first }, policy: policy, joint: TextFeed.joint,
        open: { .init(name: "\(uri)") { again() } })
    }
  }
}

/// The datagrams of a UDP port as lines of text.
final class DatagramLine: BoardLine {
  private let port: DatagramPort
  private var datagram: [UInt8] = []
  private var taken = 0
  private var hasRemarked = false

  init(_ port: DatagramPort) { self.port = port }

  func wait(until stop: StopSignal, atMost timeout: Duration) -> StopSignal.Outcome {
    taken < datagram.count ? .readable : port.wait(until: stop, atMost: timeout)
  }

  func read(into target: UnsafeMutableRawBufferPointer) throws(SensorError) -> Int {
    var filled = 0
    while filled < target.count {
      if taken == datagram.count {
        guard try port.receive(into: &datagram) else { break }
        taken = 0
        endLine()
      }
      let count = min(target.count - filled, datagram.count - taken)
      unsafe datagram.withUnsafeBytes { bytes in
        unsafe UnsafeMutableRawBufferPointer(rebasing: target[filled...])
          .copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[taken..<taken + count]))
      }
      (filled, taken) = (filled + count, taken + count)
    }
    return filled
  }

  /// A datagram is a line, whether it says so or not; programs in C send the end of a string, too.
  private func endLine() {
    while datagram.last == 0 { datagram.removeLast() }
    if let last = datagram.last, last != 0x0A { datagram.append(0x0A) }
  }

  func rest(until stop: StopSignal, for time: Duration) -> StopSignal.Outcome { stop.wait(atMost: time) }

  var now: Int64 { SensorClock.boottime.now }

  func takeRemark() -> String? {
    guard !hasRemarked, let other = port.otherSender, let sender = port.sender else { return nil }
    hasRemarked = true
    return "samples from \(other) are ignored, because \(sender) was first; give each phone its own port"
  }
}
