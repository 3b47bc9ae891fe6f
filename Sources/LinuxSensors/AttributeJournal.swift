/// Remembers what attributes said before they were written, and puts it back in the reverse order.
///
/// A sensor belongs to the whole machine, so it is restored for the next program.
struct AttributeJournal {
  private var undoings: [() -> Void] = []

  /// How much there is to put back.
  var count: Int { undoings.count }

  /// Writes an attribute unless it says so already. Nothing is remembered where the write fails.
  mutating func set(_ name: String, of folder: SysfsDirectory, to text: String) throws(SensorError) {
    let former = try folder.text(name)
    if former == text { return }
    try folder.write(text, to: name)
    undoings.append { try? folder.write(former, to: name) }
  }

  /// Writes an attribute that is a wish only; whether it says now what it should.
  @discardableResult
  mutating func trySet(_ name: String, of folder: SysfsDirectory, to text: String) -> Bool {
    do {
      try set(name, of: folder, to: text)
      return true
    } catch {
      return false
    }
  }

  /// Has something else undone at its place in the order.
  mutating func onRestore(_ undo: @escaping () -> Void) { undoings.append(undo) }

  /// Puts back what was done last until only `mark` entries are left. What cannot be put back (the sensor is gone) is
  /// left as it is; a second call does nothing.
  mutating func restore(downTo mark: Int = 0) {
    while undoings.count > mark { undoings.removeLast()() }
  }
}
