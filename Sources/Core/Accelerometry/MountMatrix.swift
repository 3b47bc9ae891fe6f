/// The orientation of a sensor in its device: the 3×3 matrix that maps the sensor's axes to the device's.
///
/// The kernel states it as nine numbers, rows separated by semicolons: `"0, 1, 0; 1, 0, 0; 0, 0, -1"` (`mount_matrix`,
/// `in_accel_mount_matrix`, and udev's `ACCEL_MOUNT_MATRIX`).
///
///     let matrix = MountMatrix(parsing: "0, 1, 0; 1, 0, 0; 0, 0, -1")
///     matrix?.apply(to: [0, 0, 1])  // (0, 0, -1)
public struct MountMatrix: Sendable, Hashable {
  /// The three rows; each computes one axis of the device from the sensor's three.
  public let x, y, z: SIMD3<Float>

  /// The identity: the sensor's axes are the device's.
  public static let identity = MountMatrix(x: [1, 0, 0], y: [0, 1, 0], z: [0, 0, 1])

  /// Creates a matrix from its rows.
  public init(x: SIMD3<Float>, y: SIMD3<Float>, z: SIMD3<Float>) { (self.x, self.y, self.z) = (x, y, z) }

  /// Parses the kernel's format; `nil` unless it contains nine finite numbers in three rows and the matrix is invertible.
  public init?(parsing text: some StringProtocol) {
    var numbers: [[Float]] = []
    for row in String(text).split(separator: ";", omittingEmptySubsequences: false) {
      let cells = row.split(separator: ",", omittingEmptySubsequences: false).compactMap { Float(Self.trimmed($0)) }
      guard cells.count == 3, cells.allSatisfy({ $0.isFinite }) else { return nil }
      numbers.append(cells)
    }
    guard numbers.count == 3 else { return nil }
    self.init(x: SIMD3(numbers[0]), y: SIMD3(numbers[1]), z: SIMD3(numbers[2]))
    guard abs(determinant) > 1e-3 else { return nil }
  }

  /// Without surrounding blanks, and without the NUL byte that some kernels append to an attribute.
  private static func trimmed(_ cell: Substring) -> Substring {
    let isPadding = { (c: Character) in c.isWhitespace || c == "\0" }
    var rest = cell.drop(while: isPadding)
    while let last = rest.last, isPadding(last) { rest.removeLast() }
    return rest
  }

  /// ±1 for a rotation or a reflection.
  public var determinant: Float {
    x.x * (y.y * z.z - y.z * z.y) - x.y * (y.x * z.z - y.z * z.x) + x.z * (y.x * z.y - y.y * z.x)
  }

  /// The vector in the device's axes.
  @inlinable
  public func apply(to vector: SIMD3<Float>) -> SIMD3<Float> {
    SIMD3((x * vector).sum(), (y * vector).sum(), (z * vector).sum())
  }
}

extension MountMatrix: CustomStringConvertible {
  /// The kernel's format.
  public var description: String {
    [x, y, z].map { "\($0.x), \($0.y), \($0.z)" }.joined(separator: "; ")
  }
}
