import NIOCore
import Testing

@testable import PedometerService
@testable import ServiceHTTP

@Suite("the ring buffer of lines", .timeLimit(.minutes(30)))
struct EventRingTests {
  private static func ring(_ count: Int, capacity: Int = 4, first: UInt64 = 1) -> EventRing {
    var ring = EventRing(capacity: capacity, first: first)
    for line in 0..<count { ring.append(EventRing.data("\(line)")) }
    return ring
  }

  @Test(
    "a line is framed for event streams, with all line breaks",
    arguments: [
      ("{}", "data: {}\n\n"), ("{}\n", "data: {}\n\n"), ("{}\r\n\n", "data: {}\n\n"), ("", "data: \n\n"),
      ("a\nb", "data: a\ndata: b\n\n"), ("a\r\nid: 7", "data: a\ndata: \ndata: id: 7\n\n"), ("ü", "data: ü\n\n"),
    ])
  func framing(_ line: String, _ frame: String) { #expect(String(buffer: EventRing.data(line)) == frame) }

  @Test("the latest lines are kept, however many there were")
  func keeping() {
    for (count, oldest, next) in [(0, 1, 1), (3, 1, 4), (4, 1, 5), (5, 2, 6), (1001, 998, 1002)]
      as [(Int, UInt64, UInt64)]
    {
      let ring = Self.ring(count)
      #expect(ring.oldest == oldest && ring.next == next)
      #expect(ring.lines(from: oldest, atMost: .max).count == min(count, 4))
    }
  }

  @Test("each position gives the number of lost lines and never a line twice")
  func positions() {
    let ring = Self.ring(10, first: 100)
    #expect(ring.oldest == 106 && ring.next == 110)
    #expect(ring.missed(at: 106) == nil && ring.missed(at: 105) == 1 && ring.missed(at: 1) == 105)
    #expect(ring.position(after: 107) == 108 && ring.position(after: 109) == 110 && ring.position(after: nil) == 110)
    #expect(ring.position(after: 110) == 110 && ring.position(after: .max) == 110)
    #expect(String(buffer: ring.lines(from: 109, atMost: 0)[0]) == "id: 109\ndata: 9\n\n")
    #expect(ring.lines(from: 110, atMost: .max).isEmpty)
  }
}
