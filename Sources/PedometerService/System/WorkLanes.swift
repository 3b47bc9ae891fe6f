import Foundation

/// Where the service does what blocks. Each kind of work has a lane, so that none waits for another kind.
struct WorkLanes: Sendable {
  /// Steps on their way into the history, and nothing else.
  let steps = WorkLane("steps")
  /// Other writes: reports, the day's goal.
  let keeping = WorkLane("keeping", longestQueue: 1024)
  /// Short reads: the day's figures.
  let figures = WorkLane("figures", longestQueue: 1024)
  /// The first pages of answers out of the history, and lists of reports.
  let answers = WorkLane("answers", longestQueue: 1024)
  /// Their further pages. Half of the processors, so that long answers leave room for all the rest. No bound here:
  /// ``AnswerSeats`` bounds how many answers go on.
  let pages = WorkLane("pages", width: max(1, ProcessInfo.processInfo.activeProcessorCount / 2))
  /// Walks through sysfs, and what tries the sensors.
  let machine = WorkLane("machine", longestQueue: 64)
}
