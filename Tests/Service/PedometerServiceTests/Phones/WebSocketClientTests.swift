import NIOCore
import ServiceTransport
import Synchronization
import TestSupport
import Testing
import WebSocketNetwork

@testable import PedometerService
@testable import ServiceHTTP

@Suite("The WebSocket client", .timeLimit(.minutes(30)), .ownThreads)
struct WebSocketClientTests {
  /// The events of a connection up to its end.
  private func events(
    of authority: String, _ target: String = "/", host: String = "127.0.0.1", trust: MessageServer.Trust? = nil,
    until isEnough: @escaping @Sendable (MessageEvent) -> Bool = { _ in false }
  ) async -> [MessageEvent] {
    let (stream, continuation) = AsyncStream<MessageEvent>.makeStream()
    let port = authority.split(separator: ":").last.flatMap { UInt16($0) } ?? 0
    let server = MessageServer(host: host, port: port, authority: authority, target: target, encryption: trust)
    let connection = NIOMessageClient().connect(to: server) { event in
      continuation.yield(event)
      if case .ended = event { continuation.finish() } else if isEnough(event) { continuation.finish() }
    }
    var events: [MessageEvent] = []
    for await event in stream { events.append(event) }
    connection.close()
    return events
  }

  private func text(_ text: String) -> MessageEvent { .message(Array(text.utf8)) }

  @Test("delivers messages in order, joins fragments, answers pings, and reports why the server closed")
  func conversation() async throws {
    let phone = try await WebSocketPhone([
      .text("one"), .pieces(["t", "w", "o"]), .ping("are you there"), .binary([0, 255]), .close(4002, "no such sensor"),
    ])
    let events = await events(of: phone.authority, "/sensor/connect?type=x")
    #expect(
      events == [
        text("one"), text("two"), .message([0, 255]), .ended(.closed(code: 4002, words: "no such sensor")),
      ])
    #expect(phone.pongs == ["are you there"] && phone.targets == ["/sensor/connect?type=x"])
  }

  @Test("reports a connection that ends without a close frame, and frames that violate the protocol")
  func violations() async throws {
    let cut = try await WebSocketPhone([.text("one"), .ping("ready"), .cut])
    let last = await events(of: cut.authority)
    #expect(last == [text("one"), .ended(.closed(code: nil, words: ""))])
    // A reserved opcode, and a frame of 2^40 bytes.
    let opcode = try await WebSocketPhone([.raw([0x83, 0x01, 0x00])])
    let found = await events(of: opcode.authority)
    #expect(found == [.ended(.violation("frames that violate the protocol"))])
    let size = try await WebSocketPhone([.raw([0x82, 0x7F, 0, 0, 1, 0, 0, 0, 0, 0])])
    let tooLarge = await events(of: size.authority)
    #expect(tooLarge == [.ended(.violation("a message of more than 1048576 bytes"))])
    #expect(await size.closing() == 1009)
  }

  @Test("reports a server of HTTP by its status, and a port without a server")
  func noWebSocket() async throws {
    let server = try TestSupport.FakeService { _ in TransportResponse(status: 404) }
    let authority = String(server.url.dropFirst("http://".count))
    #expect(await events(of: authority) == [.ended(.refused(status: 404))])
    let away = try UnheardPort()
    let unreachable = await events(of: away.authority)
    #expect(unreachable == [.ended(.unreachable("Connection refused"))])
  }

  @Test(
    "over TLS accepts the server's certificate in a file, and no other",
    .enabled(if: SelfSignedCertificateTests.hasOpenSSL))
  func encrypted() async throws {
    let folder = try TemporaryDirectory()
    let certificate = try SelfSignedCertificate(in: folder.path, names: OwnNames(hosts: [], addresses: ["127.0.0.1"]))
    let script = [WebSocketPhone.Part.text("one"), .close(1000, "done")]
    let phone = try await WebSocketPhone(script, certificate: (certificate.chain, certificate.key))
    let ownFile = MessageServer.Trust.file(certificate.chain)
    let expected = [text("one"), .ended(.closed(code: 1000, words: "done"))]
    #expect(await events(of: phone.authority, trust: ownFile) == expected)
    let named = await events(of: phone.authority, host: "localhost", trust: ownFile)
    // The machine may lack the name.
    let isKnown = (try? SocketAddress.makeAddressResolvingHost("localhost", port: 1)) != nil
    #expect(isKnown ? named == expected : named.count == 1 && named != expected)
    #expect(await events(of: phone.authority, trust: .system) == [.ended(.untrusted("its certificate is not trusted"))])
    #expect(phone.targets.count == (isKnown ? 2 : 1))
    let plain = try await WebSocketPhone(script)
    #expect(
      await events(of: plain.authority, trust: ownFile) == [
        .ended(.untrusted("the port has no TLS; write ws:// for a server without"))
      ])
    let stranger = try folder.write(Array("no certificate".utf8), to: "other.pem")
    #expect(
      await events(of: phone.authority, trust: .file(stranger)) == [
        .ended(.untrusted("the file contains no usable certificates"))
      ])
    // Another server with a certificate for the same address.
    let other = try TemporaryDirectory()
    let foreign = try SelfSignedCertificate(in: other.path, names: OwnNames(hosts: [], addresses: ["127.0.0.1"]))
    let impostor = try await WebSocketPhone(script, certificate: (foreign.chain, foreign.key))
    #expect(
      await events(of: impostor.authority, trust: ownFile) == [.ended(.untrusted("its certificate is not trusted"))])
    #expect(impostor.targets.isEmpty)
  }

  @Test("takes leave with a close frame")
  func leaves() async throws {
    let phone = try await WebSocketPhone([.text("one")])
    #expect(await events(of: phone.authority, until: { $0 == .message(Array("one".utf8)) }) == [text("one")])
    #expect(await phone.closing() == 1000)
  }
}
