import GRDB

/// Checksums of rows, computed by SQLite and by this program alike.
///
/// The product of two linear functions of the columns modulo a prime: a changed bit changes it, and so do values that
/// swap places. It guards against defects of disks and memory, not against forgery. A digest of several rows is the
/// sum of their checksums, so writing a row costs the same however many rows there are.
enum RowDigest {
  private static let prime: Int64 = 2_147_483_647
  private static let left: [Int64] = [
    9_368_131, 12_648_869, 15_485_863, 11_229_331, 14_155_051, 10_570_841, 13_466_917, 16_127_639,
  ]
  private static let right: [Int64] = [
    13_756_787, 10_006_721, 8_960_453, 15_299_519, 9_737_333, 16_411_679, 11_600_471, 12_190_769,
  ]
  private static let offset: Int64 = 1_236_547

  /// An expression of SQL that computes the checksum.
  /// - Parameter columns: at most eight; not NULL, and small enough that their products with 2²⁴ are.
  static func sql(_ columns: [String]) -> String {
    let sum = { (factors: [Int64]) in
      zip(columns, factors).map { "(\($0)) * \($1)" }.joined(separator: " + ")
    }
    return "((\(sum(left))) % \(prime)) * ((\(sum(right)) + \(offset)) % \(prime)) % \(prime)"
  }

  /// The same of numbers of any size: NULL counts as -1.
  static func value(_ columns: [Int64?]) -> Int64 {
    var (a, b): (Int64, Int64) = (0, offset)
    for (column, factors) in zip(columns, zip(left, right)) {
      let column = column.map { $0 % prime } ?? -1
      a += column * factors.0
      b += column * factors.1
    }
    return (a % prime) * (b % prime) % prime
  }

  private static func limited(_ column: String) -> String { "\(column) % \(prime)" }

  static let minute = sql([
    "minute", "source", "steps", "distance", "active", "coalesce(ascended, -1)", "coalesce(descended, -1)",
  ])
  static let quarter = sql([
    "quarter", "steps", "distance", "active", "coalesce(ascended, -1)", "coalesce(descended, -1)", "minutes",
    limited("digest"),
  ])
  static let bout = sql([
    limited("start"), "source", limited("finish"), "steps", limited("distance"), limited("active"),
  ])
  static let day = sql(["day", "minutes", limited("digest"), limited("bouts")])
  static let whole = sql(["generation", "minutes", limited("digest"), limited("bouts"), limited("checked")])
  static let source = sql([
    "id", "coalesce(\(limited("newest")), -1)", "minuteSteps", "coalesce(\(limited("boutStart")), -1)", "repeated",
    "impossible", "text_digest(identity, name)",
  ])

  static let counter = sql([
    "source", "coalesce(\(limited("since")), -1)", limited("time"), limited("steps"),
    "coalesce(\(limited("doubtTime")), -1)", "coalesce(\(limited("doubtSteps")), -1)", "text_digest(origin, '')",
  ])

  /// A checksum of two texts, FNV-1a in 31 bits.
  static func text(_ first: String, _ second: String) -> Int64 {
    var hash: UInt32 = 2_166_136_261
    for byte in Array(first.utf8) + [0xFF] + Array(second.utf8) { hash = (hash ^ UInt32(byte)) &* 16_777_619 }
    return Int64(hash >> 1)
  }

  static func addFunction(to db: Database) {
    db.add(
      function: DatabaseFunction("text_digest", argumentCount: 2, pure: true) { values in
        text(String.fromDatabaseValue(values[0]) ?? "", String.fromDatabaseValue(values[1]) ?? "")
      })
  }
}
