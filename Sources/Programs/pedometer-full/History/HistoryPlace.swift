import ArgumentParser
import Foundation
import Glibc
import History
import LiveSources
import PedometerCommands
import ServiceCore
import Terminals

struct HistoryPlace: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Folder of the history. (default: $XDG_STATE_HOME/pedometer or ~/.local/state/pedometer)", valueName: "folder"),
    completion: .directory)
  var state: String?
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Time zone, such as Europe/Berlin or +02:00. (default: this computer's)", valueName: "name"))
  var timeZone: String?
  @Option(help: ArgumentHelp("Start of the day. (default: the service's, or 00:00)", valueName: "HH:MM"))
  var dayStart: String?

  func validate() throws {
    guard let state else { return }
    var information = stat()
    if state.isEmpty || (unsafe stat(state, &information) == 0 && information.st_mode & S_IFMT != S_IFDIR) {
      throw ValidationError("'\(state)' is not a folder; give the one that contains history.sqlite")
    }
  }

  var folder: HistoryFolder { state.map { HistoryFolder(path: $0) } ?? .standard }

  /// The service's goals: those that were set, or that of its options and configuration file. It keeps them beside the history.
  var goals: GoalFile? { try? GoalFile(reading: folder.path) }

  func calendar() throws -> DayCalendar {
    let zone = try timeZone.map { try Self.zone($0) } ?? Self.machineZone
    guard let dayStart else {
      do throws(StateFileError) {
        return DayCalendar(timeZone: zone, dayStart: try SettingsFile(folder: folder.path).present.start)
      } catch  where error.errno == EACCES {
        return DayCalendar(timeZone: zone)  // Nor can the history of this folder be read.
      } catch { throw ValidationError("\(error), or give --day-start") }
    }
    guard let start = DayCalendar.dayStart(dayStart) else {
      throw ValidationError("'\(dayStart)' is not a time of day; write HH:MM, such as 04:00")
    }
    return DayCalendar(timeZone: zone, dayStart: start)
  }

  static func zone(_ text: String) throws -> TimeZone {
    guard let zone = TimeZone(named: text) else {
      throw ValidationError("'\(text)' is not a time zone; write one such as Europe/Berlin or +02:00")
    }
    return zone
  }

  /// The machine's zone, after what is doubtful about it was said once.
  static var machineZone: TimeZone {
    _ = doubtOfMachine
    return UserTimeZone.present()
  }

  private static let doubtOfMachine: String? = {
    let doubt = UserTimeZone.doubt
    if let doubt { complain("\(doubt)") }
    return doubt
  }()

  /// The period of two options.
  /// - Parameter otherwise: the default moments of the options.
  func period(from: String?, to: String?, _ calendar: DayCalendar, otherwise: (Date, Date)) throws -> DateInterval {
    func reading(_ text: String) throws -> DateInterval {
      if let interval = calendar.reading(text) { return interval }
      throw ValidationError("'\(text)' is not a time; write 2026-05-06, 2026-05-06T10:00 or 2026-05-06T10:00:00+02:00")
    }
    let start = try from.map { try reading($0).start } ?? otherwise.0
    let end = try to.map { try reading($0).end } ?? otherwise.1
    if to == nil, start > end { throw ValidationError("--from is in the future; give a past time") }
    guard start < end else {
      throw ValidationError("the period does not end after it starts; swap --from and --to, or give a later --to")
    }
    return DateInterval(start: start, end: end)
  }

  /// Names the periods whose data were lost.
  /// - Parameter always: whether earlier losses are an error, too, not only damage of the present file.
  /// - Throws: exit code 65.
  func reportLosses(of history: ReadableHistory, always: Bool) throws {
    if let damage = history.damage { complain("\(damage)") }
    if !history.losses.isEmpty {
      complain("lost by damage: \(history.losses.summary); 'pedometer history restore' lists the backups")
    }
    if history.damage != nil || (always && !history.losses.isEmpty) { throw ExitStatus.badData.exitCode }
  }

  /// Runs a command's work, and reports errors on standard error.
  static func reporting(_ work: () throws -> Void) throws {
    try Commands.reporting {
      do { try work() } catch let error as HistoryError {
        let hint = error.code == .nothingYet ? ", such as --state /var/lib/pedometer of the system service" : ""
        throw SourceFailure(message: "\(error)\(hint)", status: error.exitStatus)
      }
    }
  }
}

extension HistoryError {
  var exitStatus: ExitStatus {
    switch code {
    case .nothingYet: .noInput
    case .held, .busy: .busy
    case .notPermitted: .permission
    case .cannotCreate: .cannotCreate
    case .newer, .older, .damaged, .foreign: .badData
    case .badPeriod, .tooManyBuckets: .usage
    default: .io
    }
  }
}
