/// The kinds of dumps that are read, by what stands in their first bytes.
///
/// A new format is a ``DumpDecoder`` in a file of its own and a line in ``all``.
struct DumpFormat: Sendable {
  /// What first bytes say about a format.
  enum Match { case no, yes, needsMore }

  let format: RecordingFormat
  /// Looks at the first bytes; `isAll` says that there are no more.
  let match: @Sendable (_ head: Span<UInt8>, _ isAll: Bool) -> Match
  let decoder: @Sendable (_ path: String) -> any DumpDecoder

  /// All of them.
  static let all: [DumpFormat] = [
    DumpFormat(format: .cwa, match: matchCWA, decoder: { _ in CWADecoder() }),
    DumpFormat(format: .geneactiv, match: matchGENEActiv, decoder: { GENEActivDecoder(path: $0) }),
    DumpFormat(format: .matrix, match: matchMatrix, decoder: { MatrixDecoder(path: $0) }),
  ]

  /// The format of these first bytes; `needsMore` when a few more decide.
  static func recognise(_ head: [UInt8], isAll: Bool) -> (format: DumpFormat?, needsMore: Bool) {
    var needsMore = false
    for format in all {
      switch format.match(head.span, isAll) {
      case .yes: return (format, false)
      case .needsMore: needsMore = true
      case .no: break
      }
    }
    return (nil, needsMore && !isAll)
  }

  private static func match(_ magic: [UInt8], _ head: Span<UInt8>, _ isAll: Bool) -> Match {
    for i in 0..<min(magic.count, head.count) where head[i] != magic[i] { return .no }
    return head.count >= magic.count ? .yes : isAll ? .no : .needsMore
  }

  private static func matchGENEActiv(_ head: Span<UInt8>, _ isAll: Bool) -> Match {
    match(GENEActivDecoder.magic, head, isAll)
  }

  /// A header, or a block where the first or, behind a damaged header, the second or third lies.
  private static func matchCWA(_ head: Span<UInt8>, _ isAll: Bool) -> Match {
    let header = match(CWADecoder.headerMagic, head, isAll)
    if header != .no { return header }
    let block = match(CWADecoder.blockMagic, head, isAll)
    if block != .no { return block }
    guard isBinary(head) else { return .no }
    if head.holds(CWADecoder.blockMagic, at: CWADecoder.headerSize) { return .yes }
    return head.count < CWADecoder.headerSize + 4 && !isAll ? .needsMore : .no
  }

  private static func matchMatrix(_ head: Span<UInt8>, _ isAll: Bool) -> Match {
    let nearby = head.extracting(..<min(head.count, 2048))
    if MatrixDecoder.header(in: nearby) != nil || nearby.firstPlace(of: Array("MDTCPACK".utf8), from: 0) != nil {
      return .yes
    }
    // Remarks may be text, but then 512 bytes arrive at once.
    return isBinary(head) && head.count < 2048 && !isAll ? .needsMore : .no
  }

  /// Whether the first byte is in no text.
  private static func isBinary(_ head: Span<UInt8>) -> Bool {
    guard let first = head.count > 0 ? head[0] : nil else { return false }
    return first < 9 || (14..<27).contains(first)
  }
}
