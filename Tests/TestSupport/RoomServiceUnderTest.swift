import RaceRoom
import ServiceTransport

/// A service with rooms, inside the test or over the network.
///
/// The bodies of ``RoomContract`` run with either.
public protocol RoomServiceUnderTest: Sendable {
  /// Its address.
  var url: String { get }
  /// The transport of requests.
  var transport: any Transport { get }
}

extension RoomServiceUnderTest {
  /// A client in a new room.
  public func client(_ name: String, room: String) throws -> RoomClient {
    try RoomClient(
      url: url, username: name, room: room, transport: transport, timeout: Hang.limit, silence: Hang.limit)
  }
}

/// A service inside the test, with the same requests and lines as one on the network.
public struct RoomServiceInside: RoomServiceUnderTest, Transport {
  public let url = "http://room.test"
  /// The service.
  public let service: RoomService
  /// Splits the data of a stream: converts a line to the chunks in which it arrives; `nil` breaks the stream.
  public var cut: @Sendable ([UInt8]) -> [[UInt8]]? = { [$0] }

  /// The number of opened streams.
  public let streams = Observed(0)

  public init(rules: RoomRules = RoomRules(), clock: RoomClock = .wall, seed: UInt64 = 1) {
    service = RoomService(rules: rules, clock: clock, seed: seed)
  }

  public var transport: any Transport { self }

  public func send(_ request: TransportRequest, timeout: Duration) async throws -> TransportResponse {
    let answer = await answer(request)
    switch answer.body {
    case .json(let bytes): return TransportResponse(status: answer.status, body: bytes)
    case .lines: return TransportResponse(status: answer.status)
    }
  }

  public func open(_ request: TransportRequest, silence: Duration) async throws -> TransportStream {
    let answer = await answer(request)
    switch answer.body {
    case .json(let bytes):
      let (chunks, continuation) = AsyncThrowingStream.makeStream(of: [UInt8].self)
      continuation.yield(bytes)
      continuation.finish()
      return TransportStream(status: answer.status, chunks: chunks)
    case .lines(let lines):
      streams.update { $0 += 1 }
      let pieces = Pieces(lines, url: url, cut: cut)
      return TransportStream(status: answer.status, chunks: AsyncThrowingStream { try await pieces.next() })
    }
  }

  private func answer(_ request: TransportRequest) async -> RoomAnswer {
    let target = String(request.url.dropFirst(url.count))
    return await service.answer(RoomRequest(method: request.method, target: target, body: request.body))
  }

  private actor Pieces {
    private var lines: RoomLines.Iterator?
    private var waiting: [[UInt8]] = []
    private let url: String
    private let cut: @Sendable ([UInt8]) -> [[UInt8]]?

    init(_ lines: RoomLines, url: String, cut: @escaping @Sendable ([UInt8]) -> [[UInt8]]?) {
      self.lines = lines.makeAsyncIterator()
      self.url = url
      self.cut = cut
    }

    func next() async throws -> [UInt8]? {
      while waiting.isEmpty {
        guard var reading = lines, let line = await reading.next(isolation: self) else { return nil }
        lines = reading
        guard let pieces = cut(line) else {
          lines = nil
          throw TransportError.interrupted(address: url, reason: "cut by the test")
        }
        waiting = pieces
      }
      return waiting.removeFirst()
    }
  }
}

extension RoomClock {
  /// A manual clock.
  public static func manual(_ clock: ManualClock) -> RoomClock {
    RoomClock(
      now: { .seconds(800_000_000) + clock.now.offset },
      sleep: { try await clock.sleep(until: clock.now.advanced(by: $0)) })
  }
}
