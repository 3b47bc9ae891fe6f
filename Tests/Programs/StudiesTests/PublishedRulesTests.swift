import JSONLines
import Testing

@testable import Recordings
@testable import Studies

@Suite("Rules of other programs", .timeLimit(.minutes(30)))
struct PublishedRulesTests {
  // Expected values are the results of the programs' own functions for the same input, as `AccelThresholdWearDetection._modify_wear_times` of
  // scikit-digital-health 0.17.18 without the rules for set-up and shipping.

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
    let bouts = BoutFinder.bouts(Self.epochs(runs), minutes: minutes)
    #expect(bouts == expected)
    #expect(bouts.reduce(0) { $0 + $1.count } == covered)
  }

  // "The fraction of time that meets the threshold should be equal or greater" (GGIR, bout metric 5 and later).
  @Test("GGIR's rule accepts exactly 80 % and pauses of one minute, but no longer ones")
  func limitsOfGGIR() {
    // 48 of 60 epochs; a pause of 12.
    #expect(BoutFinder.bouts(Self.epochs([0, 24, 12, 24]), minutes: 5) == [0..<60])
    #expect(BoutFinder.bouts(Self.epochs([0, 24, 13, 24]), minutes: 5).isEmpty)
    #expect(BoutFinder.bouts(Self.epochs([0, 50, 12, 58]), minutes: 10) == [0..<120])
    #expect(BoutFinder.bouts(Self.epochs([0, 50, 13, 57]), minutes: 10).isEmpty)
    #expect(BoutFinder.bouts(Self.epochs([0, 11]), minutes: 1).isEmpty)
  }

  // Expected values are those of `summarize_cadence` and `summarize_steps` of stepcount 3.20.0 for the same minutes, with 18
  // steps as its 3 in 10 s. The bouts follow from GGIR's definition: runs of minutes with 60 steps and more.
  @Test("cadences, times of steps and bouts of each day, and of all days, are those of stepcount and GGIR")
  func daysOfPeers() throws {
    // Minutes with this many evenly spaced steps, from 2026-05-06T00:00Z.
    let runs = [
      [(420, 0), (3, 60), (20, 0), (7, 100), (45, 0), (12, 115), (300, 5), (30, 110), (10, 0), (1, 130), (592, 2)],
      [(500, 0), (2, 90), (938, 1)], [(600, 0), (25, 95), (5, 118), (810, 4)],
    ]
    let counts = runs.joined().flatMap { [Int](repeating: $0.1, count: $0.0) }
    let begin: Int64 = 1_778_025_600 / 60
    var summary = RecordingSummary()
    summary.timestampsAreAbsolute = true
    let zone = try #require(ZonePlan("UTC"))
    let clock = try #require(StudyClock(summary, firstTimestamp: 0, zones: zone, recorderZone: nil))
    var result = StudyResult(clock: clock)
    result.minutes = counts.enumerated().map { index, steps in
      StudyMinute(number: begin + Int64(index), steps: steps, isWorn: true, enmo: 20, mad: nil)
    }
    let length: Int64 = 60_000_000_000
    var steps: [Int64] = []
    for minute in result.minutes {
      for step in 0..<Int64(minute.steps) { steps.append(minute.number * length + step * length / Int64(minute.steps)) }
    }
    result.days = DayTable(result.minutes, bouts: [], steps: steps, clock: clock, StudyParameters()).days
    let rows = result.dayRows.map { $0.split(separator: ",20,", maxSplits: 1).last.map { String($0) } }
    #expect(
      rows == [
        "Wednesday,130,112,115,07:25:00,08:25:00,13:30:00,13:49:00,20:30:00,53,5,49,3,42,2\n",
        "Thursday,,,,08:20:00,10:01:00,14:40:00,19:20:00,23:04:00,2,1,0,0,0,0\n",
        "Friday,118,99,118,10:03:00,10:16:00,11:04:00,17:32:00,22:42:00,30,1,30,1,30,1\n",
      ])
    var line = JSONLine()
    result.add(to: &line)
    let figures = """
      "CadencePeak1(steps/min)":124,"CadencePeak30(steps/min)":105,"Cadence95th(steps/min)":116,"Steps5thAt":"08:35:40",\
      "Steps25thAt":"09:34:15","Steps50thAt":"13:05:38","Steps75thAt":"16:57:27","Steps95thAt":"22:06:00"
      """
    #expect(line.object.contains(figures), "\(line.object)")
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
