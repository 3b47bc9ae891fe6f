/// Converts text in another format to lines of CSV, incrementally.
protocol TextAdapter: AnyObject {
  /// Takes more text and appends the converted text; with `isLast`, nothing follows.
  func adapt(_ input: ArraySlice<UInt8>, isLast: Bool, into output: inout [UInt8])
}

/// The adapters, in the order in which they are tried. A new text format is one type and one line here.
enum TextAdapters {
  /// The adapter for a text with this beginning; `nil` if its lines can be parsed directly.
  static func choose(_ head: [UInt8]) -> (any TextAdapter)? {
    UTF16Adapter(head) ?? InputStreamAdapter(head) ?? JSONAdapter(head) ?? InputEventAdapter(head)
      ?? SensorShellAdapter(head) ?? SensorColumnAdapter(head) ?? FieldAdapter(head) ?? LabelAdapter(head)
  }

  /// The maximum number of bytes that are examined.
  static let headLength = 1 << 16
  /// The number of lines that show the format.
  static let linesOfHead = 24

  /// Whether more bytes are needed: a text that does not begin with a table needs more than one line.
  static func needsMore(_ head: [UInt8]) -> Bool {
    guard head.count < headLength else { return false }
    if head.first == 0xFF || head.first == 0xFE { return head.count < 4 }
    if head.contains(0) {
      return head.count < InputStreamAdapter.longestHead
        && (head.count < InputStreamAdapter.shortestHead || InputStreamAdapter.size(of: head) == nil)
    }
    if JSONAdapter.mayBegin(head) { return !JSONAdapter.isLineOfSample(head) }
    return (!LabelAdapter.beginsAsTable(head, isAll: false) || SensorColumnAdapter.mayBegin(head))
      && head.count { $0 == 0x0A } < linesOfHead
  }
}

/// The converted bytes of a source.
final class AdaptedText {
  private let source: ByteSource
  private let adapter: any TextAdapter
  private var output: [UInt8] = []
  private var taken = 0
  private var hasEnded = false
  private var buffer = [UInt8](repeating: 0, count: 1 << 16)

  init(_ source: ByteSource, _ adapter: any TextAdapter) {
    self.source = source
    self.adapter = adapter
  }

  /// Damage of compressed data or of the enclosing archive.
  var damage: [String] { (source.damage.map { [$0.sentence] } ?? []) + source.archiveDamage }

  /// See ``ByteSource/fractionRead``.
  var fractionRead: Double? { source.fractionRead }

  /// Fills the beginning of `target`.
  func read(into target: UnsafeMutableRawBufferPointer) throws(RecordingError) -> Int {
    while taken == output.count, !hasEnded {
      output.removeAll(keepingCapacity: true)
      taken = 0
      var failure: RecordingError?
      let count = unsafe buffer.withUnsafeMutableBytes { all -> Int in
        do throws(RecordingError) { return try unsafe source.read(into: all) } catch {
          failure = error
          return 0
        }
      }
      if let failure { throw failure }
      hasEnded = count == 0
      adapter.adapt(buffer[..<count], isLast: hasEnded, into: &output)
    }
    let count = min(target.count, output.count - taken)
    unsafe output.withUnsafeBytes { all in
      unsafe target.copyMemory(from: UnsafeRawBufferPointer(rebasing: all[taken..<taken + count]))
    }
    taken += count
    return count
  }
}

/// UTF-16 with a byte order mark, as spreadsheets export it.
final class UTF16Adapter: TextAdapter {
  private let isBigEndian: Bool
  private var isFirst = true
  private var odd: UInt8?
  private var high: UInt16?

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
