import Foundation

/// The lanes for the service's blocking work. Each kind of work has a lane, so that kinds do not delay each other.
package struct WorkLanes: Sendable {
  /// Writing steps to the history, and nothing else.
  package let steps = WorkLane("steps")
  /// Other writes: reports, the day's goal.
  package let keeping = WorkLane("keeping", longestQueue: 1024)
  /// Short reads: the day's figures.
  package let figures = WorkLane("figures", longestQueue: 1024)
  /// The first pages of answers from the history, and lists of reports.
  package let answers = WorkLane("answers", longestQueue: 1024)
  /// Their further pages. Half of the processors, so that long answers leave room for other work. No limit here:
  /// ``AnswerSlots`` limits the number of answers.
  package let pages = WorkLane("pages", width: max(1, ProcessInfo.processInfo.activeProcessorCount / 2))
  /// Traversing sysfs, and checking the sensors.
  package let machine = WorkLane("machine", longestQueue: 64)

  package init() {}
}
