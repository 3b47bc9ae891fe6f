import Foundation
import NIOCore

/// Under which names and addresses other machines find this one.
struct OwnNames: Sendable, Hashable {
  /// The machine's name, and the one that it has in its network by multicast DNS.
  var hosts: [String]
  /// Addresses of its interfaces, IPv4 first, loopback last.
  var addresses: [String]

  /// This machine's.
  static var machine: OwnNames {
    let name = ProcessInfo.processInfo.hostName.split(separator: ".").first.map { $0.lowercased() } ?? "localhost"
    let isFit = !name.isEmpty && name.utf8.allSatisfy { ($0 | 0x20) &- 0x61 < 26 || $0 &- 0x30 < 10 || $0 == 0x2D }
    let devices = (try? System.enumerateDevices()) ?? []
    let all = devices.compactMap { $0.address?.ipAddress }
      // Link-local addresses of IPv6 mean nothing without their interface.
      .filter { !$0.hasPrefix("fe80") && !$0.contains("%") }
    let ranked = all.sorted { rank($0) < rank($1) }
    return OwnNames(hosts: isFit && name != "localhost" ? [name, name + ".local"] : [], addresses: unique(ranked))
  }

  private static func rank(_ address: String) -> Int {
    (ListenAddress.isLoopback(address) ? 2 : 0) + (address.contains(":") ? 1 : 0)
  }

  private static func unique(_ items: [String]) -> [String] {
    var seen: Set<String> = []
    return items.filter { seen.insert($0).inserted }
  }

  /// The address of a page for other machines.
  /// - Parameters:
  ///   - listening: where the service listens.
  ///   - hostNames: the names that the user has given it, which come first.
  ///   - isSecure: whether it speaks TLS.
  func url(_ path: String, at listening: [ListenAddress], hostNames: [String], isSecure: Bool) -> String? {
    guard let place = listening.first(where: { !$0.isLoopback }) ?? listening.first else { return nil }
    var host = place.host
    if !place.isLoopback, let name = hostNames.first {
      host = name
    } else if ["0.0.0.0", "::"].contains(host) {
      host = addresses.first { !ListenAddress.isLoopback($0) } ?? "127.0.0.1"
    }
    return "\(isSecure ? "https" : "http")://\(ListenAddress(host: host, port: place.port))\(path)"
  }
}
