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
  /// - Parameter isPacked: whether they follow each other without padding, as `iio_readdev` writes them where another program
  ///   has further channels switched on (`print_sample` in libiio's `iio_readdev.c`).
  public init(_ elements: [ScanElement], isPacked: Bool = false) {
    var fields: [Field] = []
    var end = 0
    var largest = 1
    for element in elements.filter(\.isEnabled).sorted(by: { $0.index < $1.index }) {
      let bytes = element.format.storageBytes
      end = isPacked ? end : Self.align(end, to: bytes)
      fields.append(Field(name: element.name, offset: end, format: element.format))
      end += bytes
      largest = max(largest, bytes)
    }
    self.fields = fields
    size = isPacked ? end : Self.align(end, to: largest)
  }

  /// The kernel's ALIGN(), which takes the alignment for a power of two without looking.
  private static func align(_ value: Int, to alignment: Int) -> Int { (value + alignment - 1) & ~(alignment - 1) }

  /// A channel's place.
  public subscript(name: String) -> Field? { fields.first { $0.name == name } }
}
