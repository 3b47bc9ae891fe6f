import Foundation
import RaceRoom
import ServiceNetwork
import ServiceTransport
import TestSupport
import Testing

/// pedometerd, the executable, on a free loopback port with its own state and a synthetic walker. It ends when this
/// object is released.
final class RealService {
  static let token = "a-token-of-good-length"

  /// A service with rooms, for the contract tests.
  struct Rooms: RoomServiceUnderTest {
    let url: String
    let transport: any Transport = NetworkTransport()
  }

  let url: String
  private let folder: TemporaryDirectory
  private let socket: NotifySocket
  private let daemon: RunningExecutable
  private let isStateKept: Bool

  /// Starts it, and returns when it accepts requests.
  /// - Parameter folder: the folder of its state.
  init(isGuarded: Bool = false, folder: TemporaryDirectory? = nil) throws {
    isStateKept = folder != nil
    let folder = try folder ?? TemporaryDirectory()
    (self.folder, socket) = (folder, try NotifySocket(folder.path + "/notify"))
    var arguments = [
      "--state", folder.path + "/state", "--listen", "127.0.0.1:0", "--source", "synthetic:cadence=120,duration=600",
    ]
    if isGuarded {
      let file = try folder.write(Array(Self.token.utf8), to: "token")
      // The service refuses a token file that others may read.
      try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file)
      arguments += ["--token-file", file]
    }
    daemon = try Executable.built("pedometerd").start(
      arguments, environment: ["NOTIFY_SOCKET": socket.name, "XDG_RUNTIME_DIR": folder.path])
    let ready = try #require(socket.message(with: "READY=1"))
    let port = try #require(ready.split(separator: ":").last.flatMap { UInt16($0) })
    url = "http://127.0.0.1:\(port)"
  }

  deinit {
    daemon.send(signal: SIGTERM)
    _ = try? daemon.finish()
    try? FileManager.default.removeItem(atPath: folder.path + "/notify")
    if !isStateKept { try? FileManager.default.removeItem(atPath: folder.path + "/state") }
  }

  var rooms: Rooms { Rooms(url: url) }

  /// One request over the network.
  func ask(
    _ method: String = "GET", _ path: String, body: String = "", _ headers: [(String, String)] = [],
    token: String? = nil
  ) async throws -> TransportResponse {
    var all = headers.map { TransportRequest.Header($0.0, $0.1) }
    if let token { all.append(.init("Authorization", "Bearer \(token)")) }
    if !body.isEmpty, !headers.contains(where: { $0.0 == "Content-Type" }) {
      all.append(.init("Content-Type", "application/json"))
    }
    return try await NetworkTransport().send(
      TransportRequest(method: method, url: url + path, headers: all, body: Array(body.utf8)), timeout: Hang.limit)
  }
}

extension TransportResponse {
  var text: String { String(decoding: body, as: UTF8.self) }

  /// The reason of a refusal; `nil` if the body is not one.
  var reason: String? {
    struct Refusal: Decodable {
      var error: Bool
      var reason: String
    }
    let refusal = try? JSONDecoder().decode(Refusal.self, from: Data(body))
    return refusal?.error == true ? refusal?.reason : nil
  }

  func header(_ name: String) -> String? { headers.first { $0.name == name }?.value }
}

extension RoomClient {
  /// A request over HTTP.
  convenience init(at url: String, _ name: String, token: String? = nil, clock: RoomClock = .steady) throws {
    try self.init(
      url: url, username: name, token: token, transport: NetworkTransport(), clock: clock, timeout: Hang.limit,
      silence: Hang.limit)
  }
}
