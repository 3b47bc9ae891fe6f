/// One channel of a buffer: a triple of `scan_elements/*_{en,index,type}` files.
public struct ScanElement: Sendable, Hashable {
  /// The channel's name, as `in_accel_x` or `in_timestamp`.
  public var name: String
  /// Its place in the order of the scan.
  public var index: Int
  /// How it is stored.
  public var format: ScanElementFormat
  /// Whether it is part of the scan.
  public var isEnabled: Bool

  /// Makes an element.
  public init(name: String, index: Int, format: ScanElementFormat, isEnabled: Bool) {
    self.name = name
    self.index = index
    self.format = format
    self.isEnabled = isEnabled
  }
}

/// Where each enabled channel lies in a scan.
///
/// The kernel orders channels by index, aligns each to its own size, and the whole to its largest element
/// (`iio_compute_scan_bytes` in drivers/iio/industrialio-buffer.c).
public struct ScanLayout: Sendable, Hashable {
  /// A channel and its first byte's place.
  public struct Field: Sendable, Hashable {
    public var name: String
    public var offset: Int
    public var format: ScanElementFormat
  }

  /// The enabled channels in the order of the scan.
  public let fields: [Field]
  /// The bytes of one scan; 0 where nothing is enabled.
  public let size: Int

  /// Lays out the enabled ones among some elements.
  public init(_ elements: [ScanElement]) {
    var fields: [Field] = []
    var end = 0
    var largest = 1
    for element in elements.filter(\.isEnabled).sorted(by: { $0.index < $1.index }) {
      let bytes = element.format.storageBytes
      end = Self.align(end, to: bytes)
      fields.append(Field(name: element.name, offset: end, format: element.format))
      end += bytes
      largest = max(largest, bytes)
    }
    self.fields = fields
    size = Self.align(end, to: largest)
  }

  /// The kernel's ALIGN(), which takes the alignment for a power of two without looking.
  private static func align(_ value: Int, to alignment: Int) -> Int { (value + alignment - 1) & ~(alignment - 1) }

  /// A channel's place.
  public subscript(name: String) -> Field? { fields.first { $0.name == name } }
}

extension ScanElement {
  /// Reads all elements of a buffer's folder, by index.
  /// - Throws: `.nonsense` for a type or an index out of the ABI, or two channels at the same place.
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
