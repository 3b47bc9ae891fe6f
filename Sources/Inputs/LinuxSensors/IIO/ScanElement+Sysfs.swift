import IIOScans

extension ScanElement {
  /// Reads all elements of a buffer's folder, sorted by index.
  /// - Throws: `.nonsense` for a type or an index that violates the ABI, or two channels with the same index.
  static func all(in folder: SysfsDirectory) throws(SensorError) -> [ScanElement] {
    var elements: [ScanElement] = []
    for file in folder.names where file.hasSuffix("_type") {
      let name = String(file.dropLast("_type".count))
      guard folder.has(name + "_en"), folder.has(name + "_index") else { continue }
      let type = try folder.text(file)
      guard let format = ScanElementFormat(parsing: type) else {
        throw .nonsense(path: folder.path(of: file), text: type, expected: "a type as 'le:s12/16>>4'")
      }
      let indexText = try folder.text(name + "_index")
      guard let index = Int(indexText), (0..<4096).contains(index) else {
        throw .nonsense(path: folder.path(of: name + "_index"), text: indexText, expected: "a channel's index")
      }
      if let other = elements.first(where: { $0.index == index }) {
        throw .nonsense(
          path: folder.path(of: name + "_index"), text: indexText, expected: "an index other than that of \(other.name)"
        )
      }
      let enabled = try folder.text(name + "_en") == "1"
      elements.append(ScanElement(name: name, index: index, format: format, isEnabled: enabled))
    }
    return elements.sorted { $0.index < $1.index }
  }
}
