/// What determines the weights of blocks in a fit: for each, its stratum and class, and its importance.
struct BlockStrata {
  enum Part: Hashable {
    case walking, other, universal
  }

  /// Numbers of the strata, from 0.
  private(set) var numbers: [Int] = []
  private(set) var parts: [Part] = []
  private(set) var importance: [Double] = []
  /// The number of strata.
  private(set) var count = 0

  init(_ blocks: [LabelledBlock]) {
    var known: [String: Int] = [:]
    for block in blocks {
      let name = "\(block.stratum)|\(block.isWalking)"
      let number = known[name] ?? known.count
      known[name] = number
      numbers.append(number)
      parts.append(block.isWalking ? .walking : block.provenance == .universal ? .universal : .other)
      importance.append(block.importance)
    }
    count = known.count
  }
}
