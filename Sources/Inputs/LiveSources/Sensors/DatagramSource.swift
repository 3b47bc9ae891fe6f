import Accelerometry
import Counting
import LinuxSensors
import Platform
import Recordings
import SourceNames

/// An app that sends its samples as text over UDP, such as HyperIMU.
package struct DatagramSource: SourceKind {
  package var openChannel: @Sendable (UDPAddress) throws -> any TextChannel = { DatagramChannel(try DatagramPort($0)) }

  package init() {}

  package func way(to uri: SourceURI?, for use: Sources.Use, _ sources: Sources) -> SourceWay? {
    guard case .udp(let address)? = uri else { return nil }
    let openChannel = openChannel
    let text = TextSource(
      uri: .udp(address), name: "UDP port \(address.port)", medium: .datagrams(port: address.port)
    ) { try openChannel(address) }
    return SourceWay(.port) { text.connection(sources, isAgain: $0) }
  }
}

/// The datagrams of a UDP port as lines of text.
final class DatagramChannel: TextChannel {
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
      unsafe UnsafeMutableRawBufferPointer(rebasing: target[filled...]).copyBytes(from: datagram[taken..<taken + count])
      (filled, taken) = (filled + count, taken + count)
    }
    return filled
  }

  /// A datagram is a line, whether it says so or not; programs in C send the end of a string, too.
  private func endLine() {
    while datagram.last == 0 { datagram.removeLast() }
    if let last = datagram.last, last != 0x0A { datagram.append(0x0A) }
  }

  func takeRemark() -> String? {
    guard !hasRemarked, let other = port.otherSender, let sender = port.sender else { return nil }
    hasRemarked = true
    return "samples from \(other) are ignored, because \(sender) was first; give each phone its own port"
  }
}
