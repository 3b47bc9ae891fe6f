import Foundation
import Glibc
import History
import Platform

/// Recognises a file by its first bytes.
package enum ImportFile {
  /// Reads files that belong together: the totals of a watch go on from one of its files to the next.
  /// - Parameter calendar: of dates and times without an offset.
  /// - Throws: ``ImportFailure``.
  package static func read(_ paths: [String], now: Date, calendar: DayCalendar) throws -> [ImportedFile] {
    var watches: [(index: Int, path: String, bytes: [UInt8])] = []
    var files: [ImportedFile] = []
    for (index, path) in paths.enumerated() {
      switch try content(path, now: now, calendar) {
      case .file(let file): files.append(file)
      case .watch(let bytes):
        watches.append((index, path, bytes))
        files.append(ImportedFile())
      }
    }
    let read = try GarminMonitoring.read(watches.map { ($0.path, $0.bytes) }, now: now)
    for (watch, file) in zip(watches, read) { files[watch.index] = file }
    return files
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

  enum Content {
    case file(ImportedFile)
    /// The bytes of a FIT file.
    case watch([UInt8])
  }

  /// - Parameter unpacks: whether archives are unpacked; not those within archives.
  private static func content(
    _ path: String, now: Date, _ calendar: DayCalendar, unpacks: Bool = true
  ) throws -> Content {
    guard let handle = FileHandle(forReadingAtPath: path) else {
      let isMissing = unsafe access(path, F_OK) != 0
      throw isMissing
        ? ImportFailure(.missing, "\(path) does not exist; check the name")
        : ImportFailure(.unreadable, "\(path) cannot be read; ask its owner for read permission")
    }
    var status = stat()
    guard unsafe fstat(handle.fileDescriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      let isFolder = status.st_mode & S_IFMT == S_IFDIR
      throw ImportFailure(isFolder ? .missing : .damaged, "\(path) is not a file; give the files in it")
    }
    let head = handle.readData(ofLength: ListTable.longestHead)
    if head.starts(with: Array("SQLite format 3\0".utf8)) { return .file(try StepDatabase.read(path, now: now)) }
    if archives.contains(where: { head.starts(with: $0) }) || head.dropFirst(257).starts(with: Array("ustar".utf8)) {
      guard unpacks else { throw ImportFailure(.damaged, "\(path) is an archive in an archive; unpack it first") }
      return .file(try ImportArchive.read(path, { try content($0, now: now, calendar, unpacks: false) }, now: now))
    }
    let text = String(decoding: head.starts(with: [0xEF, 0xBB, 0xBF]) ? head.dropFirst(3) : head, as: UTF8.self)
    let start = text.drop { $0.isWhitespace }
    if OwnExport.isOwn(start) {
      let rest = handle.readDataToEndOfFile()
      return .file(try OwnExport.read(path, String(decoding: head + rest, as: UTF8.self), now: now))
    }
    if GarminMonitoring.isFIT(head) {
      return .watch(Array(head + handle.readDataToEndOfFile()))
    }
    if ListTable.isList(head, of: path) {
      let text = ListTable.text(head + handle.readDataToEndOfFile())
      return .file(try DailySteps.read(path, text, calendar, now: now))
    }
    if start.hasPrefix("<") { return .file(try AppleHealth.read(path, now: now)) }
    if start.hasPrefix("{") { return .file(try GoogleFit.read(path, head + handle.readDataToEndOfFile(), now: now)) }
    if start.hasPrefix("["), start.contains("\"dateTime\"") {
      throw ImportFailure(
        .damaged,
        "\(path) is of Fitbit's archive, whose minutes may be in UTC or local time; give the dashboard's export, or a list of days (date,steps)"
      )
    }
    throw ImportFailure(
      .damaged,
      "\(path) is not a file that can be imported\(ListTable.found(head)); give one of 'pedometer export', Apple Health, "
        + "Gadgetbridge, Google Takeout, Health Connect, a Garmin watch or SecUSo's Pedometer, or a list of days (date,steps)"
    )
  }
}
