/// Converts text in another format to lines of CSV, incrementally.
protocol TextAdapter: AnyObject {
  /// Takes more text and appends the converted text; with `isLast`, nothing follows.
  func adapt(_ input: ArraySlice<UInt8>, isLast: Bool, into output: inout [UInt8])
  /// Whether only numbers are written differently, so that columns keep their places and names.
  var keepsColumns: Bool { get }
  /// The part of it that keeps the columns, for columns that the user names; `nil` if none does.
  var keepingColumns: (any TextAdapter)? { get }
  /// Whether another adapter may be needed for what it writes.
  var mayBeFollowed: Bool { get }
  /// What the user should know about the conversion, in sentences.
  var remarks: [String] { get }
  /// Why the text, which has ended, contains nothing.
  func failure(path: String) -> RecordingError?
}

extension TextAdapter {
  var keepsColumns: Bool { false }
  var keepingColumns: (any TextAdapter)? { keepsColumns ? self : nil }
  var mayBeFollowed: Bool { keepsColumns }
  var remarks: [String] { [] }
  func failure(path: String) -> RecordingError? { nil }
}

/// An adapter that converts each line by itself.
protocol LineAdapter: TextAdapter {
  var lines: TextLines { get set }
  /// Appends what a complete line becomes.
  func convert(_ line: [UInt8], into output: inout [UInt8])
}

extension LineAdapter {
  func adapt(_ input: ArraySlice<UInt8>, isLast: Bool, into output: inout [UInt8]) {
    lines.add(input, isLast: isLast, into: &output) { convert(Array($0), into: &$1) }
  }
}

/// The adapters, in the order in which they are tried. A new text format is one type and one entry here.
enum TextAdapters {
  private typealias Choice = @Sendable (TextHead) -> (any TextAdapter)?

  private static let text: [Choice] = [
    { CarriageReturnAdapter($0.bytes) }, { NotationAdapter.checked($0) }, { NotationAdapter.printed($0) },
    { NotationAdapter.hexadecimal($0) }, { InputEventAdapter($0.bytes) }, { LogPrefixAdapter($0.bytes) },
    { NotationAdapter.quoted($0) }, { NotationAdapter.spaced($0) }, { NotationAdapter.halvedByCommas($0) },
    { NotationAdapter.united($0) }, { NotationAdapter.grouped($0) }, { NotationAdapter.unpadded($0) },
    { TaggedRowsAdapter($0) }, { SplitTimeAdapter($0) }, { AxisLinesAdapter($0) }, { LabelAdapter($0.bytes) },
  ]

  /// The adapter for a text with this beginning; `nil` if its lines can be parsed directly.
  static func choose(_ head: [UInt8]) -> (any TextAdapter)? {
    if let adapter: any TextAdapter = UTF16Adapter(head) ?? InputStreamAdapter(head) ?? JSONAdapter(head) {
      return adapter
    }
    if FileStart.dump(head) != nil { return nil }
    return choose(PlainText.plain(beginning: head), text[...])
  }

  /// The adapter for a plain text. Behind one that only writes numbers differently, a later one may find a format in what it writes.
  private static func choose(_ text: [UInt8], _ choices: ArraySlice<Choice>) -> (any TextAdapter)? {
    let head = TextHead(text)
    for (place, choice) in zip(choices.indices, choices) {
      guard let chosen = choice(head) else { continue }
      guard chosen.mayBeFollowed, let trial = choice(head) else { return chosen }
      var written: [UInt8] = []
      trial.adapt(text[...], isLast: false, into: &written)
      return choose(written, choices[(place + 1)...]).map { ChainedAdapter(chosen, $0) } ?? chosen
    }
    return nil
  }

  /// The maximum number of bytes that are examined.
  static let headLength = 1 << 16
  /// The number of lines that show most formats.
  static let linesOfHead = 24
}

/// Finds the format of a text by the fewest of its first lines that show it, so that it does not depend on how many have arrived.
struct TextFormatSearch {
  /// A text whose lines can be parsed directly, or one that needs an adapter.
  enum Format {
    case lines
    case adapted(any TextAdapter)
  }

  /// The end of the lines that were examined, and their number.
  private var place = 0
  private var lines = 0
  /// Those that may be rows of a table.
  private var rows = 0
  private var isText = false
  private var json = JSONStart()
  /// Whether its lines are no samples.
  private var isJSONDocument = false
  /// A table without an adapter after so many lines is plain: 0 if the first rows leave no doubt; `nil` if there are too few yet.
  private var doubtfulLines: Int?
  /// Whether only a number with a mark in front of its thousands would be another format.
  private var awaitsThousands = false

  /// An adapter is sought in so many lines. Messages may have dozens of lines, and so may headers.
  private static let stages = [TextAdapters.linesOfHead, 48, 100, 200, 400]

  /// The first bytes of events contain a NUL, as no text does.
  static let leastHead = 24

  /// The format of bytes that are enough to show it.
  static func whole(_ bytes: [UInt8]) -> Format? {
    var search = TextFormatSearch()
    return search.format(of: bytes, isAll: false) ?? search.format(of: bytes, isAll: true)
  }

  /// Examines the bytes that have arrived.
  /// - Parameter isAll: whether no more follow.
  /// - Returns: `nil` if more are needed.
  mutating func format(of bytes: [UInt8], isAll: Bool) -> Format? {
    let isWhole = isAll || bytes.count >= TextAdapters.headLength
    if !isText {
      guard isWhole || bytes.count >= Self.leastHead else { return nil }
      if let adapter = UTF16Adapter(bytes) { return .adapted(adapter) }
      if bytes.prefix(Self.leastHead).contains(0) {
        if let adapter = InputStreamAdapter(bytes) { return .adapted(adapter) }
        guard isWhole || bytes.count >= InputStreamAdapter.longestHead else { return nil }
      }
      isText = true
    }
    while let end = bytes[place...].prefix(TextAdapters.headLength - place).firstIndex(of: 0x0A) {
      let line = bytes[place..<end].last == 0x0D ? bytes[place..<end - 1] : bytes[place..<end]
      place = end + 1
      lines += 1
      if let format = format(ofLines: bytes, last: line) { return format }
    }
    guard isWhole else { return nil }
    return TextAdapters.choose(Array(bytes.prefix(TextAdapters.headLength))).map { .adapted($0) } ?? .lines
  }

  /// Examines all lines up to ``place``.
  private mutating func format(ofLines bytes: [UInt8], last line: ArraySlice<UInt8>) -> Format? {
    let row = PlainText.plain(beginning: Array(line))
    if LabelAdapter.isRow(row[...]) { rows += 1 }
    json.take(line)
    if json.mayBegin { return formatOfJSON(bytes, last: line) }
    // Most texts are tables. Those whose rows may be of several sensors need more rows.
    if rows == TaggedTable.fewestRows, doubtfulLines == nil {
      let mayHaveTags = TaggedTable(TextHead(PlainText.plain(beginning: Array(bytes[..<place]))))?.mayHaveTags ?? false
      if mayHaveTags || NotationAdapter.mayBeQuoted(row) {
        doubtfulLines = Self.stages.last
      } else {
        let lines = GroupedThousands.linesThatTell(row)
        doubtfulLines = max(lines, NotationAdapter.mayBeUnpadded(row) ? TextAdapters.linesOfHead : 0)
        awaitsThousands = lines > 0
      }
    } else if awaitsThousands, GroupedThousands.linesThatTell(row) == 0 {
      // A number above a thousand without one.
      doubtfulLines = min(doubtfulLines ?? 0, lines)
    }
    let isTable = doubtfulLines.map { lines >= $0 } ?? false
    let isStage = Self.stages.contains(lines)
    guard isTable || isStage else { return nil }
    let head = Array(bytes[..<place])
    if let adapter = TextAdapters.choose(head) { return .adapted(adapter) }
    return isTable || lines == Self.stages.last ? .lines : nil
  }

  /// Examines the lines of a text that may be JSON. Each line is read a few times at most, although a document may have
  /// thousands.
  private mutating func formatOfJSON(_ bytes: [UInt8], last line: ArraySlice<UInt8>) -> Format? {
    if !isJSONDocument {
      guard line.contains(where: { $0 > 0x20 }),
        let isLine = JSONAdapter.isLineOfSample(Array(bytes[..<place]), isAll: false)
      else { return nil }
      if isLine {
        let mayHaveTags = doubtfulLines.map { $0 > 0 } ?? TaggedTable.holdsText(Array(line))
        doubtfulLines = mayHaveTags ? TextHead.most : 0
        guard mayHaveTags, lines < TextHead.most else {
          let adapter = mayHaveTags ? TaggedRowsAdapter(TextHead(Array(bytes[..<place]))) : nil
          return adapter.map { .adapted($0) } ?? .lines
        }
        return nil
      }
      isJSONDocument = true
    }
    // A large object may be read otherwise.
    return json.holdsValue ? TextAdapters.choose(Array(bytes[..<place])).map { .adapted($0) } : nil
  }
}

/// An adapter that writes numbers differently, and one for the format of what it writes.
final class ChainedAdapter: TextAdapter {
  private let first: any TextAdapter
  private let second: any TextAdapter

  init(_ first: any TextAdapter, _ second: any TextAdapter) { (self.first, self.second) = (first, second) }

  var keepsColumns: Bool { first.keepsColumns && second.keepsColumns }
  var keepingColumns: (any TextAdapter)? {
    first.keepingColumns.map { first in second.keepingColumns.map { ChainedAdapter(first, $0) } ?? first }
  }
  var remarks: [String] { first.remarks + second.remarks }

  func failure(path: String) -> RecordingError? { first.failure(path: path) ?? second.failure(path: path) }

  func adapt(_ input: ArraySlice<UInt8>, isLast: Bool, into output: inout [UInt8]) {
    var written: [UInt8] = []
    first.adapt(input, isLast: isLast, into: &written)
    second.adapt(written[...], isLast: isLast, into: &output)
  }
}

final class AdaptedText {
  private let source: ByteSource
  private let adapter: any TextAdapter
  /// The first bytes, by which the adapter was chosen; `nil` if they do not show it.
  private let head: [UInt8]?
  private var output: [UInt8] = []
  private var taken = 0
  private var hasEnded = false
  private var buffer = [UInt8](repeating: 0, count: 1 << 16)

  init(_ source: ByteSource, _ adapter: any TextAdapter, head: [UInt8]? = nil) {
    (self.source, self.adapter, self.head) = (source, adapter, head)
  }

  /// The size of the file behind it, if the text can be converted a second time.
  var sizeIfRegular: Int? { head == nil ? nil : source.sizeIfRegular }

  func again() -> AdaptedText? {
    guard let size = sizeIfRegular, let head, case .adapted(let whole)? = TextFormatSearch.whole(head),
      let adapter = keepsColumns ? whole.keepingColumns : whole
    else { return nil }
    return AdaptedText(source.excerpt(from: 0, count: size), adapter)
  }

  /// Damage of compressed data or of the enclosing archive.
  var damage: [String] { (source.damage.map { [$0.sentence] } ?? []) + source.archiveDamage + adapter.remarks }

  /// See ``ByteSource/containerDamage``.
  var containerDamage: String? { source.containerDamage }

  /// See ``TextAdapter/keepsColumns``.
  var keepsColumns: Bool { adapter.keepsColumns }

  /// See ``ByteSource/fractionRead``.
  var fractionRead: Double? { source.fractionRead }

  func read(into target: UnsafeMutableRawBufferPointer) throws(RecordingError) -> Int {
    while taken == output.count, !hasEnded {
      output.removeAll(keepingCapacity: true)
      taken = 0
      let count = try source.read(into: &buffer)
      hasEnded = count == 0
      adapter.adapt(buffer[..<count], isLast: hasEnded, into: &output)
      if hasEnded, let failure = adapter.failure(path: source.name) { throw failure }
    }
    let count = min(target.count, output.count - taken)
    unsafe target.copyBytes(from: output[taken..<taken + count])
    taken += count
    return count
  }
}

/// Lines that end with a carriage return, as on old Macs. The rows of a table have them converted by ``LineBuffer``; those of
/// another format would be one line.
final class CarriageReturnAdapter: TextAdapter {
  let keepsColumns = true

  init?(_ head: [UInt8]) {
    guard !head.contains(0x0A), head.count(where: { $0 == 0x0D }) >= TaggedTable.fewestRows else { return nil }
  }

  func adapt(_ input: ArraySlice<UInt8>, isLast: Bool, into output: inout [UInt8]) {
    output += input.lazy.map { $0 == 0x0D ? 0x0A : $0 }
  }
}

/// UTF-16 with a byte order mark, as spreadsheets export it. Two bytes of numbers as one unit are UTF-8 that another program has
/// appended.
final class UTF16Adapter: TextAdapter {
  private static let bytesOfNumbers = Set("0123456789,;.+-:\t\r\n ".utf8)
  private let isBigEndian: Bool
  private var isFirst = true
  private var odd: UInt8?
  private var high: UInt16?
  private(set) var remarks: [String] = []

  init?(_ head: [UInt8]) {
    guard head.starts(with: [0xFF, 0xFE]) || head.starts(with: [0xFE, 0xFF]), !head.starts(with: [0xFF, 0xFE, 0, 0])
    else { return nil }
    isBigEndian = head[0] == 0xFE
  }

  func adapt(_ input: ArraySlice<UInt8>, isLast: Bool, into output: inout [UInt8]) {
    for byte in input {
      guard let first = odd else {
        odd = byte
        continue
      }
      odd = nil
      if Self.bytesOfNumbers.contains(first), Self.bytesOfNumbers.contains(byte) {
        output += [first, byte]
        remarks = ["a part of the text is UTF-8 instead of UTF-16, as where two programs wrote it; both were read"]
        continue
      }
      let unit = isBigEndian ? UInt16(first) << 8 | UInt16(byte) : UInt16(byte) << 8 | UInt16(first)
      if isFirst {
        isFirst = false
        if unit == 0xFEFF { continue }
      }
      append(unit, to: &output)
    }
  }

  private func append(_ unit: UInt16, to output: inout [UInt8]) {
    if unit & 0xFC00 == 0xD800 {
      high = unit
      return
    }
    var scalar = UInt32(unit)
    if unit & 0xFC00 == 0xDC00, let high { scalar = 0x10000 + (UInt32(high & 0x3FF) << 10 | UInt32(unit & 0x3FF)) }
    high = nil
    output.append(contentsOf: String(Unicode.Scalar(scalar) ?? "\u{FFFD}").utf8)
  }
}
