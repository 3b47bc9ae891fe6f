/// One channel of a buffer: a triple of `scan_elements/*_{en,index,type}` files.
package struct ScanElement: Sendable, Hashable {
  /// The channel's name, such as `in_accel_x` or `in_timestamp`.
  package var name: String
  /// Its position in the order of the scan.
  package var index: Int
  /// Its storage format.
  package var format: ScanElementFormat
  /// Whether it is part of the scan.
  package var isEnabled: Bool

  package init(name: String, index: Int, format: ScanElementFormat, isEnabled: Bool) {
    (self.name, self.index, self.format, self.isEnabled) = (name, index, format, isEnabled)
  }
}

/// The position of each enabled channel in a scan.
///
/// The kernel orders channels by index, aligns each to its own size, and the whole to its largest element
/// (`iio_compute_scan_bytes` in drivers/iio/industrialio-buffer.c).
package struct ScanLayout: Sendable, Hashable {
  /// A channel and the offset of its first byte.
  package struct Field: Sendable, Hashable {
    package var name: String
    package var offset: Int
    package var format: ScanElementFormat
  }

  /// The enabled channels in the order of the scan.
  package let fields: [Field]
  /// The bytes of a scan; 0 if no channel is enabled.
  package let size: Int

  /// Computes the layout of the enabled channels.
  /// - Parameter isPacked: whether they follow each other without padding, as `iio_readdev` writes them if another
  ///   program has enabled more channels (`print_sample` in libiio's `iio_readdev.c`).
  package init(_ elements: [ScanElement], isPacked: Bool = false) {
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

  /// The kernel's ALIGN(), which assumes that the alignment is a power of two.
  private static func align(_ value: Int, to alignment: Int) -> Int { (value + alignment - 1) & ~(alignment - 1) }

  /// The field of a channel.
  package subscript(name: String) -> Field? { fields.first { $0.name == name } }
}
