import History

/// How a program names the columns of its lists, and what their lines are.
struct ListFormat {
  /// The columns of a list, from 0.
  struct Columns {
    var format: ListFormat
    var day: Int?
    var begin: Int?
    var end: Int?
    var count: Int
    var device: Int?
    /// The day of all lines, if only the file's name has it.
    var date: String?

    var times: [Int] { [day, begin, end].compactMap(\.self) }

    /// Whether the lines are minutes, however few; without devices, they may be days.
    var areMinutes: Bool { format.seconds != nil && device != nil }

    /// The device of a line, or what stands for all of them.
    func source(_ row: ListTable.Row, or fallback: HistorySource) -> HistorySource {
      guard let program = format.program else { return fallback }
      let device = device.flatMap { $0 < row.cells.count && !row.cells[$0].isEmpty ? row.cells[$0] : nil }
      return .imported(program, [device], [device ?? "steps"])
    }
  }

  /// The one that wrote the list; `nil` if it may be any.
  var program: (id: String, name: String)?
  var day: [String] = []
  var begin: [String] = []
  var end: [String] = []
  var count: [String]
  var device: String?
  /// Whether there are no other columns.
  var isWhole = false
  /// What the name of the file must have, where those of the columns say little.
  var file = ""
  /// Whether the file's name must have a day. Without columns of days, it is that of the lines.
  var isDated = false
  /// The order of the dates if they leave a doubt.
  var order: ListDates.Order?
  /// The length of the period that begins at each time, in seconds; `nil` if the list itself tells it.
  var seconds: Double?
  /// A column, and its value in lines that have the sum of all devices.
  var sums: (column: String, value: String)?

  private static let days = [
    "date", "day", "timestamp", "datum", "data", "fecha", "日付", "day_time", "datetime", "date/time", "tag", "jour",
    "giorno", "día", "dag",
  ]
  private static let counts = [
    "steps", "step_count", "stepcount", "schritte", "pas", "pasos", "passi", "stappen", "歩数", "totalsteps",
    "total steps", "total_steps", "steptotal", "step_total",
  ]

  /// The first that fits counts.
  private static let all = [
    // Google Takeout's quarters of an hour, `Daily activity metrics/2026-05-06.csv`, and its list of days.
    Self(
      program: ("google-fit-metrics", "Google Fit"), begin: ["start time"], end: ["end time"], count: ["step count"],
      isDated: true),
    Self(day: ["date"], count: ["step count"]),
    // Fitbit's part of Google Takeout: `steps_2026-05-06.csv`, by minute and, for some years, device.
    Self(program: ("fitbit", "Fitbit"), day: ["timestamp"], count: ["steps"], device: "data source", seconds: 60),
    Self(
      program: ("fitbit", "Fitbit"), day: ["timestamp"], count: ["steps"], isWhole: true, file: "steps_",
      isDated: true, seconds: 60),
    Self(
      program: ("samsung-health", "Samsung Health"), day: ["day_time"], count: ["count"], device: "deviceuuid",
      sums: ("source_type", "-2")),
    Self(program: ("garmin-connect", "Garmin Connect"), day: [""], count: ["actual"], file: "steps"),
    // Withings names neither its column nor its file's lines after what they count, but the file.
    Self(day: ["date"], count: ["value"], isWhole: true, file: "steps"),
    // Fitabase writes the month first.
    Self(day: ["activitydate", "activityday", "activityhour", "activityminute"], count: counts, order: .monthFirst),
    Self(
      day: days, begin: ["time", "start", "begin", "from", "start time", "start_time", "starttime"],
      end: ["end", "to", "end time", "end_time", "endtime"], count: counts),
  ]

  /// The columns of a list by their names; `nil` if no format has them.
  static func columns(_ heading: [String], of path: String) -> Columns? {
    let names = heading.map { cell in
      let name = cell.lowercased().trimmingCharacters(in: .whitespaces).trimmingCharacters(in: ["<", ">"])
      return name.hasPrefix("com.samsung.") ? String(name.split(separator: ".").last ?? "") : name
    }
    let file = path.split(separator: "/").last?.lowercased() ?? ""
    return all.lazy.compactMap { $0.columns(names, file) }.first
  }

  private func columns(_ names: [String], _ name: String) -> Columns? {
    func place(_ known: [String]) -> Int? { names.firstIndex(where: known.contains) }
    let date = name.firstMatch(of: /\d{4}-\d\d-\d\d/).map { String($0.0) }
    let deviceColumn = device.flatMap(names.firstIndex)
    guard let count = place(count), file.isEmpty || name.contains(file), !isWhole || names.count == 2,
      !isDated || date != nil, device == nil || deviceColumn != nil
    else { return nil }
    let columns = Columns(
      format: self, day: place(day), begin: place(begin), end: place(end), count: count, device: deviceColumn,
      date: isDated && day.isEmpty ? date : nil)
    return columns.day != nil || columns.begin != nil && columns.end != nil ? columns : nil
  }

  /// The lines that count: of the days that have a sum, only that.
  func rows(_ rows: [ListTable.Row], _ heading: [String], day: Int?) -> [ListTable.Row] {
    guard let sums, let day, let place = heading.firstIndex(where: { $0.hasSuffix(sums.column) }) else { return rows }
    func isSum(_ row: ListTable.Row) -> Bool { max(place, day) < row.cells.count && row.cells[place] == sums.value }
    let summed = Set(rows.filter(isSum).map { $0.cells[day] })
    return rows.filter { isSum($0) || day >= $0.cells.count || !summed.contains($0.cells[day]) }
  }
}
