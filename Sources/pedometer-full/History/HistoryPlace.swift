import ArgumentParser
import Foundation
import Glibc
import History
import LiveSources
import PedometerCommands

/// Where a history lies, and whose days it is told in.
struct HistoryPlace: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The folder of the history. (default: $XDG_STATE_HOME/pedometer, else ~/.local/state/pedometer)",
      valueName: "folder"))
  var state: String?
  @Option(
    name: .customLong("time-zone"),
    help: ArgumentHelp("As Europe/Berlin. (default: this computer's)", valueName: "name"))
  var timeZone: String?
  @Option(
    name: .customLong("day-start"),
    help: ArgumentHelp("When a day begins: 04:00 for those who dance until four. (default: 00:00)", valueName: "HH:MM"))
  var dayStart: String?

  func validate() throws {
    guard let state else { return }
    var information = stat()
    if state.isEmpty || (unsafe stat(state, &information) == 0 && information.st_mode & S_IFMT != S_IFDIR) {
      throw ValidationError("'\(state)' is no folder; name the one that holds history.sqlite")
    }
  }

  var folder: HistoryFolder { state.map { HistoryFolder(path: $0) } ?? .standard }

  func calendar() throws -> DayCalendar {
    var zone = TimeZone.current
    if let timeZone {
      guard let named = TimeZone(identifier: timeZone) else {
        throw ValidationError("'\(timeZone)' is no time zone; write a name as Europe/Berlin")
      }
      zone = named
    }
    guard let dayStart else { return DayCalendar(timeZone: zone) }
    let parts = dayStart.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 2, parts.allSatisfy({ $0.count == 2 }), let hour = UInt(parts[0]), hour < 24,
      let minute = UInt(parts[1]), minute < 60
    else { throw ValidationError("'\(dayStart)' is no time of day; write it as 04:00") }
    return DayCalendar(timeZone: zone, dayStart: .seconds((hour * 60 + minute) * 60))
  }

  /// The period that two options name.
  /// - Parameters:
  ///   - otherwise: the moments that stand for options that are not given.
  func period(from: String?, to: String?, _ calendar: DayCalendar, otherwise: (Date, Date)) throws -> DateInterval {
    func reading(_ text: String) throws -> DateInterval {
      if let interval = calendar.reading(text) { return interval }
      throw ValidationError("'\(text)' is no time; write 2026-05-06, 2026-05-06T10:00 or 2026-05-06T10:00:00+02:00")
    }
    let start = try from.map { try reading($0).start } ?? otherwise.0
    let end = try to.map { try reading($0).end } ?? otherwise.1
    if to == nil, start > end { throw ValidationError("--from lies in the future; name a time that has been") }
    guard start <= end else {
      throw ValidationError("the period ends before it begins; exchange --from and --to")
    }
    return DateInterval(start: start, end: end)
  }

  /// Where else a history usually is.
  private static func hint(_ error: HistoryError) -> String {
    if case .nothingYet = error { ": --state /var/lib/pedometer is that of the system's service" } else { "" }
  }

  /// Runs a command's work, and says on standard error what goes wrong.
  static func reporting(_ work: () throws -> Void) throws {
    StandardOutput.ignoreBrokenPipes()
    do { try work() } catch is StandardOutput.Closed { return } catch let error as StandardOutput.Failed {
      StandardOutput.complain("pedometer: \(error)")
      throw ExitStatus.io.exitCode
    } catch let failure as SourceFailure {
      StandardOutput.complain("pedometer: \(failure.message)")
      throw failure.status.exitCode
    } catch let error as HistoryError {
      StandardOutput.complain("pedometer: \(error)\(hint(error))")
      throw error.exitStatus.exitCode
    }
  }
}

extension HistoryError {
  /// The exit code for this kind of trouble.
  var exitStatus: ExitStatus {
    switch self {
    case .nothingYet: .noInput
    case .held, .busy: .busy
    case .notPermitted: .permission
    case .cannotCreate: .cannotCreate
    case .full, .failed: .io
    case .newer, .older, .damaged: .badData
    case .badPeriod, .tooManyBuckets: .usage
    }
  }
}
