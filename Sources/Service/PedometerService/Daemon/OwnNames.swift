import Foundation
import NIOCore
import ServiceCore
import ServiceHTTP

/// The names and addresses of this computer for other computers.
struct OwnNames: Sendable, Hashable {
  /// The host name, and the multicast DNS name.
  var hosts: [String]
  /// Addresses of the interfaces, IPv4 first, loopback last.
  var addresses: [String]

  /// Those of this computer.
  static var machine: OwnNames {
    let name = ProcessInfo.processInfo.hostName.split(separator: ".").first.map { $0.lowercased() } ?? "localhost"
    let isFit = !name.isEmpty && name.utf8.allSatisfy { ($0 | 0x20) &- 0x61 < 26 || $0 &- 0x30 < 10 || $0 == 0x2D }
    let devices = (try? System.enumerateDevices()) ?? []
    let all = devices.compactMap { $0.address?.ipAddress }
      // IPv6 link-local addresses are useless without their interface.
      .filter { !$0.hasPrefix("fe80") && !$0.contains("%") }
    let ranked = all.sorted { rank($0) < rank($1) }
    return OwnNames(hosts: isFit && name != "localhost" ? [name, name + ".local"] : [], addresses: unique(ranked))
  }

  private static func rank(_ address: String) -> Int {
    (Loopback.includes(address) ? 2 : 0) + (address.contains(":") ? 1 : 0)
  }

  private static func unique(_ items: [String]) -> [String] {
    var seen: Set<String> = []
    return items.filter { seen.insert($0).inserted }
  }

  /// The URL of a page for other computers.
  /// - Parameters:
  ///   - listening: the addresses of the service.
  ///   - hostNames: configured host names, which are preferred.
  ///   - isSecure: whether the service uses TLS.
  func url(_ path: String, at listening: [ListenAddress], hostNames: [String], isSecure: Bool) -> String? {
    guard let place = listening.first(where: { !$0.isLoopback }) ?? listening.first else { return nil }
    var host = place.host
    if !place.isLoopback, let name = hostNames.first {
      host = name
    } else if ["0.0.0.0", "::"].contains(host) {
      host = addresses.first { !Loopback.includes($0) } ?? "127.0.0.1"
    }
    return "\(isSecure ? "https" : "http")://\(ListenAddress(host: host, port: place.port))\(path)"
  }
}
