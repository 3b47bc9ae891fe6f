import Testing

@testable import LiveSources

/// Steps from the lines of a running service.
@Suite("ServiceTotals", .timeLimit(.minutes(30)))
struct ServiceTotalsTests {
  private func totals(_ lines: [String], source: String? = nil) -> [Int] {
    var totals = ServiceTotals(source: source)
    return lines.compactMap { totals.take($0, at: 0)?.steps }
  }

  @Test("counting begins at zero, whatever the service's total")
  func zero() {
    #expect(
      totals([
        #"{"type":"data","t":1,"steps":5000,"distanceTravelled":3700}"#,
        #"{"type":"step","t":2,"steps":5001,"confirmed":true}"#,
      ]) == [0, 1])
  }

  @Test("a phone's steps are not mixed with those of the service's only sensor, whose lines have no name")
  func phone() {
    let sensor = #"{"type":"data","t":1,"steps":5000}"#
    let phone = { (steps: Int) in "{\"type\":\"data\",\"t\":1,\"steps\":\(steps),\"source\":\"client:ann\"}" }
    #expect(totals([sensor, phone(10), sensor, phone(12)], source: "client:ann") == [0, 2])
    #expect(totals([phone(10), sensor, phone(12), sensor], source: "best sensor") == [0, 0])
  }

  @Test("a step that comes first counts")
  func first() {
    #expect(totals([#"{"type":"step","t":2,"steps":812,"confirmed":true}"#]) == [1])
  }

  @Test("floors begin at zero with the first line that has them, and continue after a restart of the service")
  func floors() {
    var totals = ServiceTotals(source: nil)
    let line = { (steps: Int, floors: String) in "{\"type\":\"data\",\"steps\":\(steps)\(floors)}" }
    let lines = [
      line(10, ""), line(11, #","floorsAscended":5,"floorsDescended":2"#),
      #"{"type":"step","steps":12,"confirmed":true}"#, line(40, #","floorsAscended":7,"floorsDescended":3"#),
      line(2, #","floorsAscended":1,"floorsDescended":0"#),
    ]
    let readings = lines.compactMap { totals.take($0, at: 0) }
    #expect(readings.map(\.floorsAscended) == [nil, 0, 0, 2, 3])
    #expect(readings.map(\.floorsDescended) == [nil, 0, 0, 1, 1])
  }

  @Test("numbers that nobody walks are no totals", arguments: [Int.min, -1, 1_000_000_000_001, .max])
  func outside(_ steps: Int) {
    let line = { (steps: Int) in "{\"type\":\"data\",\"steps\":\(steps)}" }
    #expect(totals([line(10), line(steps), line(12)]) == [0, 2])
  }

  @Test("a total that falls by a few steps was corrected")
  func correction() {
    let line = { (steps: Int) in "{\"type\":\"data\",\"steps\":\(steps)}" }
    #expect(totals([line(900), line(899), line(910)]) == [0, 0, 10])
  }

  @Test("missed lines cost nothing")
  func missed() {
    #expect(totals([#"{"type":"data","steps":10}"#, #"{"type":"data","steps":25}"#]) == [0, 15])
  }

  @Test("the total before the first line is the zero point")
  func standing() {
    var totals = ServiceTotals(source: nil)
    #expect(!totals.hasBegun)
    let first = totals.begin(at: 5000, 7)
    #expect(first.steps == 0 && first.newSteps == 0 && first.register == 5000 && first.nanoseconds == 7)
    #expect(totals.hasBegun)
    #expect(totals.take(#"{"type":"step","t":2,"steps":5003,"confirmed":true}"#, at: 8)?.steps == 3)
  }

  @Test("a restarted service begins at zero, and the walk continues")
  func anew() {
    #expect(
      totals([#"{"type":"data","steps":10}"#, #"{"type":"data","steps":14}"#, #"{"type":"data","steps":3}"#])
        == [0, 4, 7])
  }

  @Test("provisional steps, events and other lines do not count")
  func others() {
    #expect(
      totals([
        #"{"type":"step","steps":4,"confirmed":false}"#, #"{"type":"event","event":"paused"}"#, "nonsense",
        #"{"type":"today","steps":99}"#, #"{"type":"chase","steps":3}"#,
      ]).isEmpty)
  }

  @Test("of several sources one is followed: the named one, or the first to send a line")
  func sources() {
    let lines = [
      #"{"type":"data","steps":1,"source":"iio:device1"}"#, #"{"type":"data","steps":50,"source":"iio:device0"}"#,
      #"{"type":"data","steps":4,"source":"iio:device1"}"#, #"{"type":"data","steps":52,"source":"iio:device0"}"#,
    ]
    #expect(totals(lines, source: "iio:device0") == [0, 2])
    #expect(totals(lines) == [0, 3])
  }
}
