import Foundation
import History
import Platform

/// Recognises a file by its first bytes.
package enum ImportFile {
  /// Reads files or folders that belong together: the totals of a watch go on from one of its files to the next, and the nights
  /// of an account tell the zone of its steps.
  /// - Parameters:
  ///   - calendar: of dates and times without an offset.
  ///   - zone: the one of its times if the user states it; they may be in UTC otherwise.
  /// - Throws: ``ImportFailure``, `CancellationError`.
  package static func read(
    _ paths: [String], now: Date, calendar: DayCalendar, zone: TimeZone? = nil, cost: ImportCost = ImportCost()
  ) throws -> [ImportedFile] {
    var files = try paths.map { try read($0, now: now, calendar, cost) }
    GarminMonitoring.resolve(&files, now: now)
    let clock = files.reduce(into: WallClock()) { $0 += $1.clock }
    guard let first = files.firstIndex(where: { !$0.clock.periods.isEmpty }) else { return files }
    guard let reading = clock.reading(stated: zone, machine: calendar.timeZone) else {
      throw ImportFailure(at: paths[first], WallClock.remedy)
    }
    for index in files.indices { files[index].resolve(reading, now: now) }
    return files
  }

  private static func read(
    _ path: String, now: Date, _ calendar: DayCalendar, _ cost: ImportCost
  ) throws -> ImportedFile {
    if Platform.names(inFolder: path) != nil {
      return try ImportArchive.readFolder(path) { try read($0, now: now, calendar, cost) }
    }
    let file = try InputFile(path, cost)
    cost.allow(file.size)
    return try read(file, now: now, calendar)
  }

  /// How zip, gzip, bzip2, xz, zstd and 7z begin.
  private static let archives: [[UInt8]] = [
    [0x50, 0x4B], [0x1F, 0x8B], Array("BZh".utf8), [0xFD, 0x37, 0x7A, 0x58, 0x5A], [0x28, 0xB5, 0x2F, 0xFD],
    [0x37, 0x7A, 0xBC, 0xAF],
  ]

  /// Reads a file.
  /// - Throws: ``ImportFailure``.
  package static func read(_ path: String, now: Date, calendar: DayCalendar = DayCalendar()) throws -> ImportedFile {
    try read([path], now: now, calendar: calendar)[0]
  }

  /// - Parameter unpacks: whether archives are unpacked; not those within archives.
  private static func read(
    _ file: InputFile, now: Date, _ calendar: DayCalendar, unpacks: Bool = true
  ) throws -> ImportedFile {
    let (path, head) = (file.path, Data(file.head))
    if head.starts(with: Array("SQLite format 3\0".utf8)) { return try StepDatabase.read(file, now: now) }
    if archives.contains(where: { head.starts(with: $0) }) || head.dropFirst(257).starts(with: Array("ustar".utf8)) {
      guard unpacks else { throw ImportFailure(.damaged, "\(path) is an archive in an archive; unpack it first") }
      return try ImportArchive.read(path, cost: file.cost) {
        try read(InputFile($0, file.cost), now: now, calendar, unpacks: false)
      }
    }
    let text = String(decoding: head.starts(with: [0xEF, 0xBB, 0xBF]) ? head.dropFirst(3) : head, as: UTF8.self)
    let start = text.drop { $0.isWhitespace }
    if OwnExport.isOwn(start) { return try OwnExport.read(file, now: now) }
    if GarminMonitoring.isFIT(head) { return try GarminMonitoring.read(file) }
    if path.lowercased().hasSuffix("profile.csv"), let zone = WallClock.zone(file) {
      var file = ImportedFile()
      file.clock.zone = zone
      return file
    }
    if ListTable.isList(head, of: path) { return try DailySteps.read(file, calendar, now: now) }
    if start.hasPrefix("<") || head.starts(with: [0xFF, 0xFE]) || head.starts(with: [0xFE, 0xFF]) {
      return try AppleHealth.read(file, now: now)
    }
    if start.hasPrefix("{") || start.hasPrefix("[") { return try StepJSON.read(file, now: now) }
    throw ImportFailure(
      .damaged,
      "\(path) is not a file that can be imported; give one of 'pedometer export', Apple Health, Gadgetbridge, Google "
        + "Takeout, Fitbit, Health Connect, Garmin, Samsung Health or SecUSo's Pedometer, or a list whose columns are named "
        + "date and steps")
  }
}
