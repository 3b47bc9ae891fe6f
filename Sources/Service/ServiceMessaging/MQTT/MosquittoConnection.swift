import CMosquitto
import Foundation
import Synchronization

/// A connection through libmosquitto. One thread serves it until it ends.
@safe package final class MosquittoConnection: MQTTConnection {
  /// Valid until the thread has ended.
  @safe private struct Client: @unchecked Sendable { let pointer: OpaquePointer }

  private struct Diagnosis {
    var refusal: Int?
    var complaint: String?
    var isClosed = false
  }

  /// `nil` after the end. Held during calls, which therefore must not call back; libmosquitto's log does.
  private let client = Mutex<Client?>(nil)
  private let diagnosis = Mutex(Diagnosis())
  /// The topics of unanswered subscriptions.
  private let subscriptions = Mutex<[Int32: String]>([:])
  fileprivate let handle: @Sendable (MQTTEvent) -> Void

  /// Seconds without a message after which the broker is asked whether it is there.
  static let keepalive: Int32 = 30

  /// Whether libmosquitto is installed.
  package static var isPossible: Bool { mosquitto_client_load() }

  /// Begins to connect.
  init(_ session: MQTTSession, _ handle: @escaping @Sendable (MQTTEvent) -> Void) throws(MQTTFailure) {
    self.handle = handle
    guard Self.isPossible else { throw .noLibrary }
    var error: Int32 = 0
    guard let pointer = unsafe Self.make(session, Unmanaged.passUnretained(self).toOpaque(), &error) else {
      throw .lost(Self.text(error))
    }
    let made = unsafe Client(pointer: pointer)
    client.withLock { $0 = made }
    // The thread keeps this object until the library no longer calls it.
    Thread.detachNewThread { self.serve(made) }
  }

  private static func make(
    _ session: MQTTSession, _ context: UnsafeMutableRawPointer, _ error: inout Int32
  ) -> OpaquePointer? {
    let settings = session.settings
    // The library copies the strings.
    let copies = unsafe [
      session.identity, settings.host, settings.user, settings.password?.text, settings.authorities,
      session.availability, MQTTTopics.offline,
    ].map { text in unsafe text.flatMap { unsafe strdup($0) } }
    defer { for index in unsafe copies.indices { unsafe free(copies[index]) } }
    let handler = unsafe mosquitto_client_handler(
      context: context,
      connected: { unsafe owner($0)?.connected(Int($1)) },
      published: { unsafe owner($0)?.handle(.delivered(Int($1))) },
      subscribed: { unsafe owner($0)?.subscribed($1, isGranted: $2) },
      received: { context, topic, payload, count, isRetained in
        let bytes = unsafe payload.map { unsafe Array(UnsafeBufferPointer(start: $0, count: count)) } ?? []
        unsafe owner(context)?.handle(
          .received(MQTTMessage(topic: String(cString: topic), payload: bytes, isRetained: isRetained)))
      },
      complained: { unsafe owner($0)?.complained(String(cString: $1)) })
    return unsafe mosquitto_client_new(
      mosquitto_client_settings(
        identity: copies[0]!, is_clean: session.isClean ?? settings.subscriptions.isEmpty, host: copies[1]!,
        port: Int32(settings.port),
        keepalive: keepalive, user: copies[2], password: copies[3], is_encrypted: settings.isEncrypted,
        authorities: copies[4], will_topic: copies[5], will: copies[6]!),
      handler, &error)
  }

  private static func text(_ error: Int32) -> String { unsafe String(cString: mosquitto_client_error(error)) }

  private func serve(_ served: Client) {
    let status = unsafe mosquitto_client_run(served.pointer)
    let reason = Self.text(status)
    client.withLock { $0 = nil }
    unsafe mosquitto_client_free(served.pointer)
    handle(.ended(failure(reason)))
  }

  private func failure(_ reason: String) -> MQTTFailure {
    diagnosis.withLock { diagnosis in
      if diagnosis.isClosed { return .closed }
      if let code = diagnosis.refusal { return .refused(code: code) }
      if let complaint = diagnosis.complaint, complaint.contains("certificate") || complaint.contains("host name") {
        return .untrusted(complaint)
      }
      return .lost(diagnosis.complaint.map { "\(reason) (\($0))" } ?? reason)
    }
  }

  fileprivate func connected(_ code: Int) {
    if code == 0 { return handle(.connected) }
    diagnosis.withLock { $0.refusal = code }
  }

  fileprivate func subscribed(_ number: Int32, isGranted: Bool) {
    let topic = subscriptions.withLock { $0.removeValue(forKey: number) }
    if !isGranted, let topic { handle(.refused(topic: topic)) }
  }

  fileprivate func complained(_ text: String) {
    // OpenSSL's lines look like "error:0A000086:SSL routines::certificate verify failed".
    let words = text.split(separator: ":").last.map { $0.trimmingCharacters(in: .whitespaces) } ?? text
    diagnosis.withLock { if $0.complaint == nil || words.contains("certificate") { $0.complaint = words } }
  }

  func publish(_ message: MQTTMessage) throws(MQTTFailure) -> Int {
    var number: Int32 = 0
    let status = client.withLock { client -> Int32? in
      guard let client else { return nil }
      return unsafe message.payload.withUnsafeBytes { bytes in
        let payload = unsafe bytes.baseAddress?.assumingMemoryBound(to: CChar.self)
        guard let payload = unsafe payload else { return unsafe publish(client, message, "", 0, &number) }
        return unsafe publish(client, message, payload, bytes.count, &number)
      }
    }
    try Self.check(status)
    return Int(number)
  }

  private func publish(
    _ client: Client, _ message: MQTTMessage, _ payload: UnsafePointer<CChar>, _ count: Int, _ number: inout Int32
  ) -> Int32 {
    unsafe mosquitto_client_publish(client.pointer, message.topic, payload, count, message.isRetained, &number)
  }

  func subscribe(_ topic: String) throws(MQTTFailure) {
    var number: Int32 = 0
    let status = client.withLock { client -> Int32? in
      guard let client else { return nil }
      // The answer may come before the number is known here.
      return subscriptions.withLock { subscriptions in
        let status = unsafe mosquitto_client_subscribe(client.pointer, topic, &number)
        if status == 0 { subscriptions[number] = topic }
        return status
      }
    }
    try Self.check(status)
  }

  private static func check(_ status: Int32?) throws(MQTTFailure) {
    guard let status else { throw .closed }
    if status != 0 { throw .lost(text(status)) }
  }

  func close() {
    diagnosis.withLock { $0.isClosed = true }
    client.withLock { if let client = $0 { _ = unsafe mosquitto_client_disconnect(client.pointer) } }
  }
}

/// The connection that a callback belongs to.
private func owner(_ context: UnsafeMutableRawPointer?) -> MosquittoConnection? {
  unsafe context.map { unsafe Unmanaged<MosquittoConnection>.fromOpaque($0).takeUnretainedValue() }
}

extension MQTTConnector {
  /// Connections through libmosquitto.
  static var mosquitto: MQTTConnector {
    MQTTConnector { session, handle throws(MQTTFailure) in try MosquittoConnection(session, handle) }
  }
}
