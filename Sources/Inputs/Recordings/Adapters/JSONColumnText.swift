/// Converts one large JSON object of columns, such as `{"t":[…],"x":[…],"y":[…],"z":[…]}`, to rows without holding it
/// in memory.
///
/// The columns follow each other, so the first pass notes where each array begins; the second reads the relevant arrays
/// in parallel, each through a small window. This needs a file; the bytes of a pipe are first copied to one.
final class JSONColumnText {
  /// An array of numbers.
  private struct Column {
    /// The keys that enclose it.
    var group: String
    var name: String
    /// The offset of the first byte after its bracket.
    var start: Int
    var count: Int

    var isTime: Bool { ColumnName(name).role.isTime }
  }

  private let source: ByteSource
  private let isCutOff: Bool
  private var cursors: [JSONCursor]
  private var pending: [UInt8]
  private var taken = 0

  /// Finds the columns in a file.
  /// - Parameter head: the beginning of the file.
  /// - Returns: `nil` if no three columns are the axes of an accelerometer.
  init?(_ file: ByteSource, head: [UInt8]) throws(RecordingError) {
    source = file
    var outline = JSONOutline()
    try outline.read(file)
    isCutOff = outline.isCutOff
    var best: (columns: [Column], quantity: ColumnName.Quantity)?
    let columns = outline.arrays.map { Column(group: $0.group, name: $0.name, start: $0.start, count: $0.count) }
    var groups: [String] = []
    for column in columns where !groups.contains(column.group) { groups.append(column.group) }
    for group in groups {
      let members = columns.filter { $0.group == group }
      let names = members.map(\.name)
      guard let layout = ColumnLayout(names: names, isRising: { _ in true }),
        case .axis(_, let quantity, _) = ColumnName(names[layout.x]).role,
        best == nil || quantity < best?.quantity ?? quantity
      else { continue }
      let time = layout.time.map { members[$0] } ?? columns.first { $0.isTime && $0.count >= members[layout.x].count }
      best = ((time.map { [$0] } ?? []) + [members[layout.x], members[layout.y], members[layout.z]], quantity)
    }
    guard let best else { return nil }
    let kind = best.quantity == .linear ? "linear acceleration " : "acceleration "
    let time = best.columns.count == 4 ? best.columns[0].name.filter { $0 != "," && $0 != "\"" } + "," : ""
    pending = time.isEmpty ? JSONSamplingRate.line(in: head) : []
    pending += Array((time + ["x", "y", "z"].map { kind + $0 }.joined(separator: ",") + "\n").utf8)
    cursors = best.columns.map { JSONCursor(file, from: $0.start) }
  }

  /// See ``ByteSource/fractionRead``.
  var fractionRead: Double? { cursors.last?.fraction }

  /// See ``ByteSource/containerDamage``.
  var containerDamage: String? { source.containerDamage }

  /// Damage of compressed data or of the enclosing archive.
  var damage: [String] {
    (isCutOff ? ["the JSON document is truncated; everything before the end was read"] : [])
      + (source.damage.map { [$0.sentence] } ?? []) + source.archiveDamage
  }

  /// Fills the beginning of `target`.
  func read(into target: UnsafeMutableRawBufferPointer) throws(RecordingError) -> Int {
    if taken == pending.count {
      pending.removeAll(keepingCapacity: true)
      taken = 0
      // All columns end with the first that ends.
      var isWhole = true
      while isWhole, pending.count < 1 << 16 {
        let start = pending.count
        for index in cursors.indices where isWhole {
          isWhole = try cursors[index].next(into: &pending)
          pending.append(index == cursors.count - 1 ? 0x0A : UInt8(ascii: ","))
        }
        if !isWhole { pending.removeLast(pending.count - start) }
      }
    }
    let count = min(target.count, pending.count - taken)
    unsafe pending.withUnsafeBytes { all in
      unsafe target.copyMemory(from: UnsafeRawBufferPointer(rebasing: all[taken..<taken + count]))
    }
    taken += count
    return count
  }
}

/// Iterates over the elements of one array.
private struct JSONCursor {
  private let source: ByteSource
  private let size: Int
  private var window = [UInt8](repeating: 0, count: 1 << 15)
  private var place = 0
  private var end = 0
  private var consumed: Int
  private var isOver = false

  init(_ file: ByteSource, from start: Int) {
    size = file.sizeIfRegular ?? 0
    source = file.excerpt(from: start, count: size - start)
    consumed = start
  }

  var fraction: Double? { size > 0 ? min(1, Double(consumed) / Double(size)) : nil }

  /// Appends the next element without its quotes. Returns `false` at the end of the array.
  mutating func next(into output: inout [UInt8]) throws(RecordingError) -> Bool {
    var isEmpty = true
    while !isOver, let byte = try peek() {
      place += 1
      consumed += 1
      switch byte {
      case UInt8(ascii: "]"):
        isOver = true
        return !isEmpty
      case UInt8(ascii: ","): return true
      case 0...0x20, UInt8(ascii: "\""): break
      default:
        isEmpty = false
        output.append(byte)
      }
    }
    return false
  }

  private mutating func peek() throws(RecordingError) -> UInt8? {
    if place == end {
      let count = try source.read(into: &window)
      (place, end) = (0, count)
      if count == 0 { return nil }
    }
    return window[place]
  }
}

/// The positions of the arrays in a JSON document.
struct JSONOutline {
  /// An array of scalars, or the longest array of objects.
  struct Found: Equatable {
    /// The keys that enclose it.
    var group: String
    var name: String
    /// The offset of the first byte after its bracket.
    var start: Int
    /// The number of elements.
    var count: Int
  }

  private struct Frame {
    var isArray: Bool
    var key: String
    var start: Int
    var count = 0
    var isPlain = true
  }

  /// The arrays of more than three scalars.
  private(set) var arrays: [Found] = []
  /// The array with the most objects or arrays.
  private(set) var rows: Found?
  /// Whether the document ends within a value.
  private(set) var isCutOff = false
  private var frames: [Frame] = []
  private var key = ""
  private var string: [UInt8] = []
  private var marks = JSONMarks()
  private var expectsKey = false
  private var isInScalar = false
  private var offset = 0

  private static let (deepest, mostArrays, longestKey) = (32, 256, 200)

  /// Reads a file to its end; the file's position does not change.
  mutating func read(_ file: ByteSource) throws(RecordingError) {
    let source = file.excerpt(from: 0, count: file.sizeIfRegular ?? 0)
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = try source.read(into: &buffer)
      if count == 0 { break }
      for index in 0..<count { take(buffer[index]) }
    }
    // In a truncated document, some arrays are never closed.
    isCutOff = !frames.isEmpty
    while let frame = frames.popLast() { close(frame) }
  }

  private mutating func take(_ byte: UInt8) {
    offset += 1
    switch marks.take(byte) {
    case .openString:
      string.removeAll(keepingCapacity: true)
      if !expectsKey { beginScalar() }
    case .letter: if string.count < Self.longestKey { string.append(byte) }
    case .closeString:
      if expectsKey { (key, expectsKey) = (String(decoding: string, as: UTF8.self), false) }
    case .openObject: open(isArray: false)
    case .openArray: open(isArray: true)
    case .close:
      isInScalar = false
      if let frame = frames.popLast() { close(frame) }
    case .comma:
      isInScalar = false
      expectsKey = frames.last?.isArray == false
    case .colon: isInScalar = false
    case .blank: break
    case .scalar: beginScalar()
    }
  }

  private mutating func open(isArray: Bool) {
    if let last = frames.indices.last {
      frames[last].isPlain = false
      if frames[last].isArray { frames[last].count += 1 }
    }
    if frames.count < Self.deepest { frames.append(Frame(isArray: isArray, key: key, start: offset)) }
    (key, expectsKey, isInScalar) = ("", !isArray, false)
  }

  private mutating func beginScalar() {
    guard !isInScalar, let last = frames.indices.last else { return }
    isInScalar = true
    if frames[last].isArray { frames[last].count += 1 }
  }

  private mutating func close(_ frame: Frame) {
    guard frame.isArray, frame.count > 3 else { return }
    // phyphox: {"accX":{"buffer":[…]}}
    let isInner = ["buffer", "values", "data"].contains(frame.key) && frames.last?.isArray == false
    let name = isInner && !(frames.last?.key.isEmpty ?? true) ? frames.last?.key ?? "" : frame.key
    let above = name == frame.key ? frames[...] : frames.dropLast()
    let found = Found(
      group: above.map(\.key).joined(separator: "."), name: name, start: frame.start, count: frame.count)
    if frame.isPlain {
      if arrays.count < Self.mostArrays { arrays.append(found) }
    } else if frame.count > rows?.count ?? 0 {
      rows = found
    }
  }
}
