/// What an input from outside may cost, whatever it says about itself.
///
/// An input is not trusted to be as large as it looks: a kilobyte of XML, SQL or zip can stand for terabytes. Each reader of files,
/// archives and networks takes its limits from here, so a refused input costs at most 300 MB of memory and 20 s.
package enum InputLimits {
  // MARK: Archives

  /// Bytes of everything that an archive, or a compressed file, of some bytes may contain. Recordings are packed to a tenth to a
  /// hundredth, those of a sensor at rest to less, and lists of equal bytes to a thousandth and less.
  package static func unpackedBytes(of packed: Int) -> Int {
    let (scaled, overflows) = packed.multipliedReportingOverflow(by: 200)
    return max(1 << 30, min(overflows ? .max : scaled, 64 << 30))
  }

  /// Bytes of memory by which this process may grow while it unpacks one.
  package static let unpackingMemory = 192 << 20
  /// Files in an archive.
  package static let entries = 20_000

  // MARK: Texts and messages

  /// Bytes of a document that is read as a whole.
  package static let document = 32 << 20
  /// Bytes of one token: a line, a tag, a comment, a value.
  package static let token = 1 << 20
  /// Cells of a table that is read as a whole, and its lines.
  package static let (cells, lines) = (4_000_000, 500_000)
  /// Attributes of an element of XML, and different names in a document. libxml2 limits the depth to 256.
  package static let (attributes, names) = (64, 4096)
  /// Bytes of a name of a device or program.
  package static let name = 256

  // MARK: Imports

  /// Bytes of memory by which the service may grow for an import, of the 1 GB that its unit allows.
  package static let importMemory = 600 << 20
  /// Entries of an import, among them those that are refused.
  package static let rows = 2_000_000
  /// Devices and programs whose steps an import has.
  package static let sources = 256
  /// Minutes that an import may fill: eleven years of whole days.
  package static let minutes = 6_000_000
  /// Bytes of a value or row of a database.
  package static let databaseValue = 1 << 20

  // MARK: Networks

  /// Bytes of a message of a WebSocket server or an MQTT broker; phones send hundreds. And of those that wait to be read.
  package static let (message, waitingMessages) = (1 << 20, 4 << 20)
  /// Messages of a broker that are neither stored nor refused, before no more are read.
  package static let unfinishedMessages = 64

  /// Seconds of processor time for reading a file of some bytes: far more than a small computer takes.
  package static func seconds(for bytes: Int) -> Double { 12 + 1e-6 * Double(bytes) }
}
