import Glibc
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL
import NIOWebSocket
import Synchronization

/// A phone with an app such as SensorServer: a real WebSocket server on a socket of this computer.
final class WebSocketPhone: Sendable {
  /// What it sends, in order.
  enum Part: Sendable {
    case text(String)
    /// One text in several frames.
    case pieces([String])
    case binary([UInt8])
    /// A ping, after which it waits for the pong.
    case ping(String)
    case close(UInt16, String)
    /// Bytes that are no frame.
    case raw([UInt8])
    /// Ends the connection without a word.
    case cut
  }

  private struct State {
    var targets: [String] = []
    var pongs: [String] = []
    var channels: [any Channel] = []
  }

  private let state = Mutex(State())
  private let server: any Channel
  private let closed = AsyncStream<UInt16>.makeStream()
  /// Its host and port.
  let authority: String

  /// Starts it.
  /// - Parameters:
  ///   - script: what a client receives once it is connected.
  ///   - certificate: PEM files, for TLS.
  init(_ script: [Part] = [], certificate: (chain: String, key: String)? = nil) async throws {
    let holder = Holder()
    let encryption = try certificate.map { files in
      try NIOSSLContext(
        configuration: .makeServerConfiguration(
          certificateChain: NIOSSLCertificate.fromPEMFile(files.chain).map { .certificate($0) },
          privateKey: .privateKey(NIOSSLPrivateKey(file: files.key, format: .pem))))
    }
    server = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .childChannelInitializer { channel in
        if let encryption {
          do {
            try channel.pipeline.syncOperations.addHandler(NIOSSLServerHandler(context: encryption))
          } catch { return channel.eventLoop.makeFailedFuture(error) }
        }
        let upgrader = NIOWebSocketServerUpgrader(
          shouldUpgrade: { channel, _ in channel.eventLoop.makeSucceededFuture([:]) },
          upgradePipelineHandler: { channel, head in
            holder.phone?.state.withLock {
              $0.targets.append(head.uri)
              $0.channels.append(channel)
            }
            return channel.pipeline.addHandler(Conversation(script, holder))
          })
        return channel.pipeline.configureHTTPServerPipeline(
          withServerUpgrade: (upgraders: [upgrader], completionHandler: { _ in }))
      }
      .bind(host: "127.0.0.1", port: 0).get()
    authority = "127.0.0.1:\(server.localAddress?.port ?? 0)"
    holder.phone = self
  }

  deinit {
    server.close(promise: nil)
    for channel in state.withLock({ $0.channels }) { channel.close(promise: nil) }
  }

  /// The targets that clients asked for.
  var targets: [String] { state.withLock { $0.targets } }
  /// The content of pongs.
  var pongs: [String] { state.withLock { $0.pongs } }

  /// The code of the next close frame, once it has arrived.
  func closing() async -> UInt16? { await closed.stream.first { _ in true } }

  /// Sends a text to all clients.
  func send(_ text: String) {
    for channel in state.withLock({ $0.channels }) {
      channel.writeAndFlush(
        WebSocketFrame(fin: true, opcode: .text, data: ByteBuffer(string: text)), promise: nil)
    }
  }

  private final class Holder: Sendable {
    private let held = Mutex<Weak>(Weak())
    private struct Weak: Sendable { weak var phone: WebSocketPhone? }
    var phone: WebSocketPhone? {
      get { held.withLock { $0.phone } }
      set { held.withLock { $0.phone = newValue } }
    }
  }

  /// Plays the script to one client.
  private final class Conversation: ChannelInboundHandler, @unchecked Sendable {
    typealias InboundIn = WebSocketFrame
    typealias OutboundOut = WebSocketFrame
    private var rest: ArraySlice<Part>
    private let holder: Holder

    init(_ script: [Part], _ holder: Holder) { (rest, self.holder) = (script[...], holder) }

    func handlerAdded(context: ChannelHandlerContext) { play(context) }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
      let frame = unwrapInboundIn(data)
      var content = frame.unmaskedData
      switch frame.opcode {
      case .pong:
        holder.phone?.state.withLock { $0.pongs.append(String(buffer: content)) }
        play(context)
      case .connectionClose:
        if let code = content.readInteger(as: UInt16.self) {
          holder.phone?.closed.continuation.yield(code)
        }
        context.close(promise: nil)
      default: break
      }
    }

    private func play(_ context: ChannelHandlerContext) {
      while let part = rest.popFirst() {
        switch part {
        case .text(let text): send(.text, ByteBuffer(string: text), context)
        case .pieces(let pieces):
          for (index, piece) in pieces.enumerated() {
            send(
              index == 0 ? .text : .continuation, ByteBuffer(string: piece), context, isLast: index == pieces.count - 1)
          }
        case .binary(let bytes): send(.binary, ByteBuffer(bytes: bytes), context)
        case .ping(let text):
          send(.ping, ByteBuffer(string: text), context)
          return
        case .close(let code, let words):
          var content = ByteBuffer(integer: code)
          content.writeString(words)
          send(.connectionClose, content, context)
        case .raw(let bytes):
          context.channel.pipeline.context(handlerType: WebSocketFrameEncoder.self).whenSuccess { encoder in
            encoder.writeAndFlush(NIOAny(ByteBuffer(bytes: bytes)), promise: nil)
          }
        case .cut: context.close(promise: nil)
        }
      }
    }

    private func send(
      _ opcode: WebSocketOpcode, _ content: ByteBuffer, _ context: ChannelHandlerContext, isLast: Bool = true
    ) {
      context.writeAndFlush(
        wrapOutboundOut(WebSocketFrame(fin: isLast, opcode: opcode, data: content)), promise: nil)
    }
  }
}

/// A port on which nobody listens, and on which nobody else can while it is held.
final class UnheardPort: Sendable {
  struct Failure: Error {}
  private let socket: Int32
  let authority: String

  init() throws {
    socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let descriptor = socket
    let isBound = unsafe withUnsafeMutablePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
        unsafe bind(descriptor, pointer, length) == 0 && getsockname(descriptor, pointer, &length) == 0
      }
    }
    authority = "127.0.0.1:\(UInt16(bigEndian: address.sin_port))"
    guard isBound else { throw Failure() }
  }

  deinit { close(socket) }
}
