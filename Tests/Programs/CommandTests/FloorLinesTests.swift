import Counting
import Pedometry
import Presentation
import Testing

@testable import PedometerCommands

@Suite("Floors in lines", .timeLimit(.minutes(30)))
struct FloorLinesTests {
  @Test("JSON and text contain the floors if they are known, and no key otherwise")
  func lines() {
    var summary = WalkSummary(WalkTotals(steps: 40))
    #expect(!summary.liveLine(.json).contains("floors"))
    (summary.totals.floorsAscended, summary.totals.floorsDescended) = (3, 0)
    #expect(summary.liveLine(.json).contains(#""floorsAscended":3,"floorsDescended":0"#))
    #expect(summary.text(title: "it").contains("  floors    3 up, 0 down\n"))
    var walk = WalkTotals(steps: 40, distanceTravelled: 28)
    #expect(!LiveLine.data(.seconds(1), walk).json.contains("floors"))
    (walk.floorsAscended, walk.floorsDescended) = (0, 2)
    #expect(LiveLine.data(.seconds(1), walk).json.contains(#""floorsAscended":0,"floorsDescended":2"#))
    #expect(LiveLine.data(.seconds(1), walk).members().row(LiveLine.columns) == "data,1,40,28,,,,,,,0,2\n")
    #expect(summary.liveLine(.csv).hasSuffix(",3,0\n"))
  }
}
