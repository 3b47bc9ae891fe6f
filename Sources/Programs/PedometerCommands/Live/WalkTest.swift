import Accelerometry
import Counting
import JSONLines
import Pedometry
import Presentation
import StepDetection

/// A six-minute walk: someone walks as far as possible in six minutes, with rests as needed.
///
/// The time begins with the first step and does not stop during rests (American Thoracic Society 2002, American Journal of
/// Respiratory and Critical Care Medicine 166, 111–117). The last steps are confirmed some seconds later, and count by their own time.
///
/// It has no clock: times are those of steps and samples.
struct WalkTest: Sendable {
  static let length = Duration.seconds(360)
  /// A longer time without a step is a rest.
  private static let rest = WalkTracker.boutGap
  /// What is said when so much time is left.
  private static let calls: [(left: Duration, words: String)] =
    (1...5).reversed().map { (.seconds(60 * $0), "\($0) minute\($0 == 1 ? "" : "s") to go") }
    + [(.seconds(15), "15 seconds to go"), (.zero, "stop: the six minutes are over; the last steps are being counted")]

  /// Why the count ends.
  static let reason = "the six minutes are over"
  static let invitation = "walk when you are ready: the six minutes begin with your first step"

  /// A measured step length, in metres.
  let stepLength: Double?
  private var steps: [Duration] = []
  private var now = Duration.zero
  private var said = 0
  private var interruptions = 0
  private var isInterrupted = false
  private var gait = GaitRecorder()

  init(stepLength: Double?) { self.stepLength = stepLength }

  private var begin: Duration? { steps.first }

  /// The time since the first step; `nil` before it.
  private var elapsed: Duration? { begin.map { now - $0 } }

  struct Standing: Sendable, Hashable {
    var steps = 0
    /// In metres; `nil` without a measured step length.
    var distance: Double?
    /// `nil` before the first step.
    var left: Duration?

    /// The part of the time that is over.
    var share: Double { left.map { 1 - $0 / WalkTest.length } ?? 0 }

    /// Whole seconds that are left, rounded up.
    var seconds: Duration { .seconds(((left ?? WalkTest.length) / .seconds(1)).rounded(.up)) }

    var words: String {
      left == nil ? "walk when ready" : left == .zero ? "stop" : Decimals.duration(seconds) + " to go"
    }
  }

  var standing: Standing {
    Standing(
      steps: steps.count, distance: stepLength.map { $0 * Double(steps.count) },
      left: elapsed.map { max(.zero, Self.length - $0) })
  }

  /// Whether no step of the six minutes can still be confirmed.
  var isOver: Bool { elapsed.map { $0 > Self.length + StepDetector.longestDelay } ?? false }

  /// Takes samples, before the steps in them.
  mutating func take(_ samples: [AccelerationSample]) { _ = gait.add(samples.span, []) }

  /// Takes steps and the time.
  /// - Returns: what to call out.
  mutating func take(_ progress: WalkProgress) -> [String] {
    isInterrupted = false
    now = max(now, progress.now)
    let hadBegun = begin != nil
    let end = (begin ?? progress.steps.first?.timestamp ?? now) + Self.length
    let taken = progress.steps.prefix { $0.timestamp < end }
    steps += taken.map(\.timestamp)
    let none: [AccelerationSample] = []
    _ = gait.add(none.span, Array(taken))
    guard let elapsed else { return [] }
    let due = Self.calls[said...].prefix { elapsed >= Self.length - $0.left }
    said += due.count
    // After a loss of samples only the latest is true.
    return (hadBegun ? [] : ["go: the six minutes have begun"]) + due.suffix(1).map(\.words)
  }

  /// Notes that samples were lost.
  ///
  /// A source that is lost and comes back has a gap as well: nothing was counted between the two.
  mutating func interrupt() {
    guard let left = standing.left, left > .zero, !isInterrupted else { return }
    (interruptions, isInterrupted) = (interruptions + 1, true)
  }

  /// The result, of a test that has ended early as well.
  func result() -> WalkTestResult {
    var gait = gait
    _ = gait.finish([])
    let duration = min(elapsed ?? .zero, Self.length)
    var result = WalkTestResult(
      steps: steps.count, duration: duration, isComplete: duration == Self.length, stepLength: stepLength,
      interruptions: interruptions)
    result.gait = gait.total.strideTime.count > 0 ? gait.total : nil
    guard let begin else { return result }
    result.minutes = [Int](repeating: 0, count: max(1, Int((duration / .seconds(60)).rounded(.up))))
    for step in steps { result.minutes[min(Int((step - begin) / .seconds(60)), result.minutes.count - 1)] += 1 }
    let ends: [Duration] = steps.dropFirst() + [begin + duration]
    for (step, next) in zip(steps, ends) where next - step > Self.rest {
      result.rests += 1
      result.restTime += next - step
    }
    return result
  }
}

struct WalkTestResult: Sendable {
  var steps: Int
  /// From the first step; six minutes unless it ended early.
  var duration: Duration
  var isComplete: Bool
  /// A measured step length, in metres.
  var stepLength: Double?
  /// How often the sensor was lost or samples were missing.
  var interruptions: Int
  /// The steps of each minute.
  var minutes: [Int] = []
  /// Times without a step of more than two seconds.
  var rests = 0
  var restTime = Duration.zero
  var gait: GaitMeasures?

  /// In metres; `nil` without a measured step length.
  private var distance: Double? { stepLength.map { $0 * Double(steps) } }
  private var walking: Duration { duration - restTime }

  /// Steps a second while walking.
  private var cadence: Double? {
    let seconds: Double = walking / .seconds(1)
    return seconds > 0 && steps > 1 ? Double(steps) / seconds : nil
  }

  private var warnings: [String] {
    var warnings: [String] = []
    if !isComplete {
      warnings.append(
        duration > .zero
          ? "the test ended after \(Decimals.duration(duration))"
          : "the test did not begin: there was no step")
    }
    if interruptions > 0 {
      warnings.append(
        "samples were lost \(interruptions == 1 ? "once" : "\(interruptions) times") during the test, and steps with them"
      )
    }
    return warnings
  }

  /// For programs. A table has its duration in the column of times.
  func line(_ format: OutputFormat) -> String {
    var line = JSONLine([
      "type": "walkTest", "steps": steps, "duration": duration, "isComplete": isComplete,
      "distanceTravelled": distance.decimals(2), "cadence": cadence.decimals(3), "minutes": minutes, "rests": rests,
      "restTime": restTime,
    ])
    if format == .csv {
      line.add("t", duration)
      return line.row(LiveLine.columns)
    }
    if let gait { line.add("gait", JSONLine(gait, stepLength: stepLength)) }
    line.add("warnings", warnings)
    return line.line
  }

  /// A page for people.
  /// - Parameters:
  ///   - source: the sensor.
  ///   - frequency: its samples per second, if they are known.
  func page(source: String, frequency: Double?) -> String {
    let rate = frequency.flatMap { Decimals.text($0, 0) }.map { ", \($0) Hz" } ?? ""
    func row(_ name: String, _ words: String) -> String {
      "  \(name)\(String(repeating: " ", count: 12 - name.count))\(words)"
    }
    var lines = ["Six-minute walk", "", row("sensor", source + rate), row("steps", "\(steps)")]
    if let distance, let stepLength {
      let length = Decimals.text(stepLength, 3) ?? ""
      lines.append(row("distance", "\(Decimals.text(distance, 0) ?? "") m, at \(length) m a step"))
    } else {
      lines.append(row("distance", "unknown: measure your step with 'pedometer calibrate walk.csv"))
      lines.append(row("", "--distance METRES', and give it as --step-length METRES"))
    }
    if let cadence { lines.append(row("cadence", "\(Decimals.text(cadence * 60, 0) ?? "") steps/min while walking")) }
    lines.append(row("walking", "\(Decimals.duration(walking)) of \(Decimals.duration(duration))"))
    let total = rests > 0 ? ", \(Decimals.duration(restTime)) in all" : ""
    lines.append(row("rests", "\(rests)\(total)"))
    if !minutes.isEmpty {
      lines += ["", row("minute", minutes.indices.map { "\($0 + 1)".padded(to: -5) }.joined())]
      lines.append(row("steps", minutes.map { "\($0)".padded(to: -5) }.joined()))
    }
    if let gait {
      lines.append("")
      for (index, phrase) in gait.phrases(stepLength: stepLength).dropFirst().enumerated() {
        lines.append(row(index == 0 ? "gait" : "", phrase))
      }
    }
    if !warnings.isEmpty { lines.append("") }
    lines += warnings.map { row("note", $0) }
    return lines.joined(separator: "\n") + "\n"
  }
}
