/// Records the values of attributes before they are written, and restores them in reverse order.
///
/// A sensor belongs to the whole machine, so it is restored for the next program.
struct AttributeJournal {
  private var undoings: [() -> Void] = []

  var count: Int { undoings.count }

  /// Writes an attribute unless it has the value already. A failed write is not recorded.
  mutating func set(_ name: String, of folder: SysfsDirectory, to text: String) throws(SensorError) {
    let former = try folder.text(name)
    if former == text { return }
    try folder.write(text, to: name)
    undoings.append { try? folder.write(former, to: name) }
  }

  /// Writes an optional attribute; returns whether it has the value now.
  @discardableResult
  mutating func trySet(_ name: String, of folder: SysfsDirectory, to text: String) -> Bool {
    do {
      try set(name, of: folder, to: text)
      return true
    } catch {
      return false
    }
  }

  mutating func onRestore(_ undo: @escaping () -> Void) { undoings.append(undo) }

  /// Restores the latest entries until only `mark` are left. Entries that cannot be restored because the sensor was
  /// removed are skipped; a second call has no effect.
  mutating func restore(downTo mark: Int = 0) {
    while undoings.count > mark { undoings.removeLast()() }
  }
}
