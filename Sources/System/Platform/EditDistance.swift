/// The number of characters to insert, remove, replace or swap with a neighbour (optimal string alignment distance).
///
/// For names that may be misspelled: of a longer text, the number of its characters.
package func editDistance(_ first: String, _ second: String) -> Int {
  let (a, b) = (Array(first), Array(second))
  guard !a.isEmpty, !b.isEmpty else { return max(a.count, b.count) }
  guard a.count <= 64 else { return a.count }
  var table = (0...a.count).map { row in (0...b.count).map { row == 0 ? $0 : $0 == 0 ? row : 0 } }
  for i in 1...a.count {
    for j in 1...b.count {
      let same = a[i - 1] == b[j - 1] ? 0 : 1
      table[i][j] = min(table[i - 1][j] + 1, table[i][j - 1] + 1, table[i - 1][j - 1] + same)
      if i > 1, j > 1, a[i - 1] == b[j - 2], a[i - 2] == b[j - 1] {
        table[i][j] = min(table[i][j], table[i - 2][j - 2] + 1)
      }
    }
  }
  return table[a.count][b.count]
}
