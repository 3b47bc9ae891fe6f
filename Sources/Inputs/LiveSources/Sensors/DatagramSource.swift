import Accelerometry
import Counting
import LinuxSensors
import Platform
import Recordings
import SourceNames

/// An app that sends its samples as text over UDP, such as HyperIMU.
package struct DatagramSource: SourceKind {
  package var openChannel: @Sendable (UDPAddress) throws -> any TextChannel = { try DatagramPort($0) }

  package init() {}

  package func way(to uri: SourceURI?, for use: Sources.Use, _ sources: Sources) -> SourceWay? {
    guard case .udp(let address)? = uri else { return nil }
    return SourceWay(.port) { [openChannel] isAgain in
      SourceConnection(
        text: .udp(address), name: "UDP port \(address.port)", medium: .datagrams(port: address.port), sources,
        isAgain: isAgain
      ) { try openChannel(address) }
    }
  }
}

extension DatagramPort: TextChannel {}
