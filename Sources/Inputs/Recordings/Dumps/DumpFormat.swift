/// The binary formats that are recognised by their first bytes.
enum DumpFormat {
  private enum Match { case no, yes, needsMore }

  /// The format of these first bytes, and its decoder; `needsMore` if more bytes are needed.
  /// - Parameter isAll: whether there are no more bytes.
  static func recognise(
    _ head: [UInt8], isAll: Bool, path: String
  ) -> (dump: (format: RecordingFormat, decoder: any DumpDecoder)?, needsMore: Bool) {
    // A format before the others is preferred, even if it is recognised later.
    let formats: [(RecordingFormat, match: () -> Match, decoder: () -> any DumpDecoder)] = [
      (.cwa, { matchCWA(head.span, isAll) }, { CWADecoder() }),
      (.geneactiv, { match(GENEActivDecoder.magic, head.span, isAll) }, { GENEActivDecoder(path: path) }),
      (.matrix, { matchMatrix(head.span, isAll) }, { MatrixDecoder(path: path) }),
    ]
    for (format, match, decoder) in formats {
      switch match() {
      case .yes: return ((format, decoder()), false)
      case .needsMore: return (nil, true)
      case .no: break
      }
    }
    return (nil, false)
  }

  private static func match(_ magic: [UInt8], _ head: Span<UInt8>, _ isAll: Bool) -> Match {
    for i in 0..<min(magic.count, head.count) where head[i] != magic[i] { return .no }
    return head.count >= magic.count ? .yes : isAll ? .no : .needsMore
  }

  /// A header, or a block at the position of the first or, after a damaged header, the second or third.
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
    if MatrixDecoder.header(in: nearby) != nil || nearby.firstPlace(of: "MDTCPACK") != nil {
      return .yes
    }
    // Remarks may be lines of text, but then 512 bytes arrive at once.
    let lineEnd = head.firstPlace(of: 0x0A, from: 0, to: 512)
    let isText = !isBinary(head) && lineEnd < head.firstPlace(of: 0, from: 0, to: 512)
    let least = TextFormatSearch.leastHead
    let length = isText && head.firstPlace(of: 0, from: 0, to: least) == least ? least : 2048
    return head.count < length && !isAll ? .needsMore : .no
  }

  /// Whether the first byte cannot be text.
  private static func isBinary(_ head: Span<UInt8>) -> Bool {
    guard let first = head.count > 0 ? head[0] : nil else { return false }
    return first < 9 || (14..<27).contains(first)
  }
}
