import Recordings
import Testing

@testable import Studies

@Suite("Rules of other programs", .timeLimit(.minutes(30)))
struct PublishedRulesTests {
  // Expected values are the results of the programs' own functions for the same input: `_detect_bouts` of stepcount
  // 3.20.0 and `AccelThresholdWearDetection._modify_wear_times` of scikit-digital-health 0.17.18 without the rules for
  // set-up and shipping.

  @Test(
    "bouts are those that stepcount finds in the same windows",
    arguments: [
      (
        "110101101111101100010101111010010111011011001000010110111000",
        [
          [0, 2], [3, 1], [5, 2], [8, 8], [19, 1], [21, 1], [23, 6], [31, 1], [33, 3], [37, 2], [40, 2], [44, 1],
          [49, 1], [51, 2], [54, 3],
        ]
      ),
      (
        "011111001110100111111110111011100011100111111111110111110000",
        [[1, 5], [8, 3], [12, 1], [15, 16], [34, 3], [39, 17]]
      ),
      (
        "111111111111111011111110111111111011111001111111111001111111",
        [[0, 60]]
      ),
      (
        "111101000111111111111111111111011011111111011111011011111111",
        [[0, 6], [9, 51]]
      ),
    ] as [(String, [[Int]])])
  func bouts(windows: String, expected: [[Int]]) {
    let steps = windows.map { $0 == "1" ? BoutFinder.leastSteps : BoutFinder.leastSteps - 1 }
    #expect(BoutFinder.bouts(steps).map { [$0.lowerBound, $0.count] } == expected)
  }

  // The number of epochs in bouts is that of `get_activity_bouts` of scikit-digital-health 0.17.18 with GGIR's windows
  // (bout metric 4, epochs of 5 s, 80 %); the bouts follow from GGIR's definition. The arguments are lengths of runs of
  // epochs, alternately without and with walking.
  @Test(
    "bouts of at least one, five and ten minutes are those of GGIR's windows",
    arguments: [
      (1, [15, 16, 2, 24, 2, 39, 13, 38, 12, 54, 15], 175, [15..<98, 111..<149, 161..<215]),
      (
        1, [15, 11, 2, 13, 11, 18, 6, 24, 4, 46, 1, 45, 3, 16, 15], 174,
        [17..<41, 52..<70, 76..<100, 104..<196, 199..<215]
      ),
      (5, [15, 23, 14, 16, 11, 46, 13, 48, 2, 27, 15], 150, [52..<125, 138..<215]),
      (10, [15, 47, 6, 55, 11, 58, 14, 9, 13, 57, 4, 49, 1, 6, 15], 177, [15..<192]),
    ] as [(Int, [Int], Int, [Range<Int>])])
  func boutsOfGGIR(minutes: Int, runs: [Int], covered: Int, expected: [Range<Int>]) {
    let bouts = BoutFinder.boutsOfGGIR(Self.epochs(runs), minutes: minutes)
    #expect(bouts == expected)
    #expect(bouts.reduce(0) { $0 + $1.count } == covered)
  }

  // "The fraction of time that meets the threshold should be equal or greater" (GGIR, bout metric 5 and later).
  @Test("GGIR's rule accepts exactly 80 % and pauses of one minute, but no longer ones")
  func limitsOfGGIR() {
    // 48 of 60 epochs; a pause of 12.
    #expect(BoutFinder.boutsOfGGIR(Self.epochs([0, 24, 12, 24]), minutes: 5) == [0..<60])
    #expect(BoutFinder.boutsOfGGIR(Self.epochs([0, 24, 13, 24]), minutes: 5).isEmpty)
    #expect(BoutFinder.boutsOfGGIR(Self.epochs([0, 50, 12, 58]), minutes: 10) == [0..<120])
    #expect(BoutFinder.boutsOfGGIR(Self.epochs([0, 50, 13, 57]), minutes: 10).isEmpty)
    #expect(BoutFinder.boutsOfGGIR(Self.epochs([0, 11]), minutes: 1).isEmpty)
  }

  private static func epochs(_ runs: [Int]) -> [Int] {
    runs.enumerated().flatMap { index, count in
      [Int](repeating: index % 2 == 0 ? BoutFinder.leastStepsOfEpoch - 1 : BoutFinder.leastStepsOfEpoch, count: count)
    }
  }

  @Test(
    "short wear between long non-wear becomes non-wear as in scikit-digital-health",
    arguments: [
      (
        "111111111111111111111111110000000000000000000000000000000000000000000000000000000000001111111111111111111111111111111111",
        "111111111111111111111111110000000000000000000000000000000000000000000000000000000000001111111111111111111111111111111111"
      ),
      (
        "000000000000000000000000000000000000000000000000000000000000000001111111111111111000111111110000000000000000000000000000",
        "000000000000000000000000000000000000000000000000000000000000000001111111111111111111111111110000000000000000000000000000"
      ),
      (
        "000000000000000000000000000000000000000000000000000000000000000000000000001111111111111111111111111111000000000000000000",
        "000000000000000000000000000000000000000000000000000000000000000000000000001111111111111111111111111111000000000000000000"
      ),
      (
        "111111111111110000000000000000000000001111000000000011111111111111111111111111111111111111111111111111111111111111111111",
        "111111111111111111111111111111111111111111111111111111111111111111111111111111111111111111111111111111111111111111111111"
      ),
      (
        "000000000000000000000000001111111111011111111111111111111111111111111111111111111111111111110011111111001111111111111111",
        "000000000000000000000000001111111111111111111111111111111111111111111111111111111111111111111111111111111111111111111111"
      ),
    ])
  func nonWear(found: String, expected: String) {
    let regrouped = NonWear.regrouped(found.map { $0 == "1" })
    #expect(regrouped.map { $0 ? "1" : "0" }.joined() == expected)
  }
}
