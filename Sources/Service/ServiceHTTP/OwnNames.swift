import Foundation
import Hummingbird
import NIOCore
import ServiceCore

/// The names and addresses of this computer for other computers.
package struct OwnNames: Sendable, Hashable {
  /// The host name, and the multicast DNS name.
  package var hosts: [String]
  /// Addresses of the interfaces, IPv4 first, loopback last.
  package var addresses: [String]

  package init(hosts: [String], addresses: [String]) { (self.hosts, self.addresses) = (hosts, addresses) }

  /// Those of this computer.
  package static var machine: OwnNames {
    let name = ProcessInfo.processInfo.hostName.split(separator: ".").first.map { $0.lowercased() } ?? "localhost"
    let isFit = !name.isEmpty && name.utf8.allSatisfy { ($0 | 0x20) &- 0x61 < 26 || $0 &- 0x30 < 10 || $0 == 0x2D }
    let devices = (try? System.enumerateDevices()) ?? []
    let all = devices.compactMap { $0.address?.ipAddress }
      // IPv6 link-local addresses are useless without their interface.
      .filter { !$0.hasPrefix("fe80") && !$0.contains("%") }
    let unique = all.reduce(into: [String]()) { if !$0.contains($1) { $0.append($1) } }
    return OwnNames(
      hosts: isFit && name != "localhost" ? [name, name + ".local"] : [],
      addresses: unique.sorted { rank($0) < rank($1) })
  }

  private static func rank(_ address: String) -> Int {
    (Loopback.includes(address) ? 2 : 0) + (address.contains(":") ? 1 : 0)
  }

  /// The URL of a page for other computers.
  /// - Parameters:
  ///   - listening: the addresses of the service.
  ///   - hostNames: configured host names, which are preferred.
  ///   - isSecure: whether the service uses TLS.
  package func url(_ path: String, at listening: [ListenAddress], hostNames: [String], isSecure: Bool) -> String? {
    guard let place = listening.first(where: { !$0.isLoopback }) ?? listening.first else { return nil }
    var host = place.host
    if let name = hostNames.first {
      // What only this computer reaches is behind a proxy, which has TLS and no port in its addresses.
      if place.isLoopback { return "https://\(name)\(path)" }
      host = name
    } else if ["0.0.0.0", "::"].contains(host) {
      host = addresses.first { !Loopback.includes($0) } ?? "127.0.0.1"
    }
    return "\(isSecure ? "https" : "http")://\(ListenAddress(host: host, port: place.port))\(path)"
  }
}

extension HTTPSettings {
  /// The full name among the host names, which phones can look up, as opposed to the plain name of this computer.
  package var fullHostNames: [String] { hostNames.filter { $0.contains(".") && !$0.hasSuffix(".local") } }

  /// The address of the service for a phone, without a path: that of the request, unless it is this computer's own; `nil` if
  /// only this computer can reach the service.
  func phoneAddress(for request: Request) -> String? {
    guard let authority = request.head.authority, let host = HostRule.host(of: authority) else { return nil }
    let isSecure = certificate != nil
    if !Loopback.includes(host) {
      // A proxy may have added TLS, and then the page's own address says so.
      return request.headers[.origin] ?? "\(isSecure ? "https" : "http")://\(authority)"
    }
    let open = addresses.first { !$0.isLoopback }
    guard var place = open else { return fullHostNames.first.map { "https://\($0)" } }
    if place.port == 0 { place.port = authority.split(separator: ":").last.flatMap { Int($0) } ?? 0 }
    let address = OwnNames.machine.url("", at: [place], hostNames: fullHostNames, isSecure: isSecure)
    // Without a network there is no other address.
    return address.flatMap { URL(string: $0)?.host() }.map { !Loopback.includes($0) } == true ? address : nil
  }
}
