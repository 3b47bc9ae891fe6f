/// Finds the samples in a JSON value at any depth.
struct JSONSamples {
  /// A sample as found in the text.
  struct Sample {
    var sensor: String
    var quantity: ColumnName.Quantity
    var time: String?
    var timeName: String
    var axes: [String]
    /// Whether other samples of its message have the same time.
    var isBatch = false
    /// The gravity that belongs to it.
    var isGravity = false
    /// The lowest is preferred: with gravity, then unknown, then without gravity.
    var rank: Int {
      let name = sensor.lowercased()
      return quantity.rawValue * 3 + (name.holds("total") ? 0 : name.holds("uncalibrated") ? 2 : 1)
    }
    var vector: SIMD3<Double>? {
      let numbers = axes.compactMap { Double($0) }
      return numbers.count == 3 ? SIMD3(numbers[0], numbers[1], numbers[2]) : nil
    }
  }

  private typealias Members = [(key: String, value: JSONValue)]
  private typealias Time = (name: String, text: String)

  /// What encloses a value.
  private struct Context {
    var name = ""
    var time: Time?
    var isInArray = false
    var times: (name: String, values: [String])?
  }

  private(set) var found: [Sample] = []
  /// The numbers of values in the columns of a table, if they differ.
  private(set) var uneven: ClosedRange<Int>?

  init(_ value: JSONValue) { walk(value, Context()) }

  static let sensorKeys = ["name", "sensor", "type", "sensorName", "sensor_name"]

  private mutating func walk(_ value: JSONValue, _ context: Context) {
    switch value.withElements {
    case .scalar(let text):
      // A message encoded as a string.
      guard text.first == "{" || text.first == "[" else { return }
      var scanner = JSONScanner()
      let plain = text.utf8.filter { $0 != UInt8(ascii: "\\") }
      scanner.feed((text.first == "[" ? Array("[".utf8) + plain : plain)[...])
      while let inner = scanner.next(isLast: true) { walk(inner, context) }
    case .array(let elements): walk(elements, context)
    case .object(let members): walk(members, context)
    }
  }

  /// The columns of a sensor with its quantity.
  private static func layout(_ names: [String]) -> (layout: ColumnLayout, quantity: ColumnName.Quantity)? {
    guard let layout = ColumnLayout(names: names, isRising: { _ in true }),
      case .axis(_, let quantity, _) = ColumnName(names[layout.x]).role
    else { return nil }
    return (layout, quantity)
  }

  private mutating func walk(_ members: Members, _ outer: Context) {
    var context = outer
    for key in Self.sensorKeys {
      if let text = members.first(where: { $0.key == key })?.value.text, text.utf8.count <= ColumnName.longest,
        Double(text) == nil
      {
        context.name = text
        break
      }
    }
    let name = context.name
    let scalars = members.compactMap { member in member.value.text.map { (name: member.key, text: $0) } }
    let isOwn = { (time: Time) in ColumnName(time.name).role.isTime && time.text != "" && time.text != "null" }
    let own = scalars.first(where: isOwn) ?? Self.recordTime(scalars)
    context.time = own ?? outer.time
    // Gravity as a sensor: its axes are those of no accelerometer.
    let isGravity = Self.isGravity(name)
    let named = Self.layout(scalars.map { name.isEmpty ? $0.name : "\(name) \($0.name)" })
    if let layout = named?.layout
      ?? (isGravity ? ColumnLayout(names: scalars.map(\.name), isRising: { _ in true }) : nil)
    {
      found.append(
        Sample(
          sensor: named == nil ? name : name + scalars[layout.x].name, quantity: named?.quantity ?? .unnamed,
          time: context.time?.text, timeName: context.time?.name ?? "",
          axes: [layout.x, layout.y, layout.z].map { scalars[$0].text },
          isBatch: named != nil && outer.isInArray && own == nil && outer.time != nil, isGravity: named == nil))
      return
    }
    if takeTable(members, name: name) || takeColumns(members, context, start: own) { return }
    if let times = members.first(where: { ColumnName($0.key).role.isTime && $0.value.column?.count ?? 0 > 3 }) {
      context.times = times.value.column.map { (times.key, $0) }
    }
    context.isInArray = outer.isInArray && own == nil
    for member in members {
      let inner = name.isEmpty || member.value.isContainerOfNamed ? member.key : "\(name) \(member.key)"
      context.name = ["values", "payload", "data", "samples"].contains(member.key) ? name : inner
      walk(member.value, context)
    }
  }

  /// The time at which a sample was stored, or its date with a time of day, if it has no other.
  private static func recordTime(_ scalars: [Time]) -> Time? {
    guard ColumnLayout(names: scalars.map(\.name), isRising: { _ in true }) != nil else { return nil }
    return scalars.first { name, value in
      let role = ColumnName(name).role
      guard role == .recordTime || role == .date else { return false }
      let text = Array(value.utf8)
      return DateTimeText.parseDateAndTime(text.span, text.indices) != nil || Double(value) != nil
    }
  }

  /// Whether a sensor is the gravity that a phone has taken from the acceleration.
  private static func isGravity(_ name: String) -> Bool {
    let name = name.lowercased()
    return name == "gravity" || name.hasSuffix(".gravity") || name.hasSuffix(" gravity")
  }

  private mutating func walk(_ elements: [JSONValue], _ context: Context) {
    let (name, time) = (context.name, context.time)
    let numbers = elements.compactMap(\.text)
    if numbers.count == elements.count {
      // Three numbers are a sample; four are a time and a sample.
      guard numbers.count == 3 || numbers.count == 4, numbers.allSatisfy({ Double($0) != nil }),
        case .axis(_, let quantity, _) = ColumnName(name.isEmpty ? "x" : name + " x").role
      else { return }
      let own: Time? = numbers.count == 4 ? ("t", numbers[0]) : time
      found.append(
        Sample(
          sensor: name, quantity: quantity, time: own?.text, timeName: own?.name ?? "", axes: Array(numbers.suffix(3))))
      return
    }
    let elements = Self.rows(elements) ?? elements
    let start = found.count
    var inner = Context(name: name, time: time)
    inner.isInArray = true
    for element in elements { walk(element, inner) }
    // Rows without a time get the message's time.
    guard let time, elements.count > 1 else { return }
    for index in start..<found.count where found[index].time == time.text { found[index].isBatch = true }
  }

  /// The rows of three arrays of numbers, one for each axis, or four with the times in front.
  private static func rows(_ elements: [JSONValue]) -> [JSONValue]? {
    guard elements.count == 3 || elements.count == 4 else { return nil }
    let columns = elements.compactMap(\.column)
    guard columns.count == elements.count, let count = columns.first?.count, count > 4,
      columns.allSatisfy({ $0.count == count })
    else { return nil }
    return (0..<count).map { row in .array(columns.map { .scalar($0[row]) }) }
  }

  /// Takes an object with the names of columns and the rows of a table, as data bases answer and pandas writes it:
  /// `{"columns":["time","ax","ay","az"],"values":[[0,0.1,0.2,0.9],…]}`. Its tags are part of the sensor's name.
  private mutating func takeTable(_ members: Members, name: String) -> Bool {
    guard let names = members.lazy.compactMap({ $0.value.namesOfColumns }).first,
      let (layout, quantity) = Self.layout(names),
      let rows = members.lazy.compactMap({ $0.value.rows(names.count) }).first
    else { return false }
    var tags: [String] = []
    if case .object(let values)? = members.first(where: { $0.key == "tags" })?.value {
      tags = values.compactMap(\.value.text)
    }
    let sensor = (tags + [name.isEmpty ? names[layout.x] : name]).joined(separator: " ")
    found += rows.map { row in
      Sample(
        sensor: sensor, quantity: quantity, time: layout.time.map { row[$0] },
        timeName: layout.time.map { names[$0] } ?? "", axes: [layout.x, layout.y, layout.z].map { row[$0] })
    }
    return true
  }

  /// Takes an object whose members are arrays: a table stored by columns, which end with the first that ends.
  /// - Parameter start: the only time, if the samples have none of their own.
  private mutating func takeColumns(_ members: Members, _ context: Context, start: Time?) -> Bool {
    let columns = members.compactMap { member -> (name: String, values: [String])? in
      guard let values = member.value.withElements.column, values.count > 3 else { return nil }
      return (member.key, values)
    }
    // The name of the sensor may stand above its columns: those of a gyroscope are no acceleration.
    let isGravity = Self.isGravity(context.name)
    let named = columns.map { column in
      let isWhole = context.name.isEmpty || isGravity || ColumnName(column.name).role.isTime
      return isWhole ? column.name : "\(context.name) \(column.name)"
    }
    let isOther = named.contains { ColumnName($0).role == .foreign }
    guard let (layout, quantity) = Self.layout(named) ?? (isOther ? nil : Self.layout(columns.map(\.name))) else {
      return false
    }
    let axes = [layout.x, layout.y, layout.z].map { columns[$0].values }
    let times = layout.time.map { columns[$0] } ?? context.times
    let counts = (axes + (times.map { [$0.values] } ?? [])).map(\.count)
    let count = counts.min() ?? 0
    if let most = counts.max(), most > count, !isGravity { uneven = count...most }
    let sensor = context.name + columns[layout.x].name
    found += (0..<count).map { row in
      Sample(
        sensor: sensor, quantity: quantity, time: times.map { $0.values[row] } ?? start?.text,
        timeName: times?.name ?? start?.name ?? "", axes: axes.map { $0[row] }, isBatch: times == nil && start != nil,
        isGravity: isGravity)
    }
    return true
  }
}
