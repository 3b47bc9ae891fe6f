import Foundation
import History
import LiveSources
import PedometerCommands
import ServiceNetwork
import ServiceTransport

/// Where an import puts its minutes.
enum ImportTarget {
  /// Nowhere: only what would be added is shown.
  case nowhere
  case writer(HistoryWriter)
  case service(ImportService)

  /// Opens the history; if `pedometerd` writes it, minutes go through the service.
  init(_ folder: HistoryFolder) throws {
    do throws(HistoryError) { self = .writer(try HistoryWriter(folder: folder, application: "pedometer import")) } catch
    {
      guard error.code == .held, let service = ImportService(folder, held: error) else { throw error }
      self = .service(service)
    }
  }

  func close() { if case .writer(let writer) = self { writer.close() } }

  var damages: [HistoryDamage] { if case .writer(let writer) = self { writer.damages } else { [] } }

  /// Adds minutes of a source.
  /// - Returns: the number that are new or have more steps.
  func raise(_ minutes: [HistoryMinute]) throws -> Int {
    switch self {
    case .nowhere: return minutes.count
    case .writer(let writer):
      var added = 0
      for start in stride(from: 0, to: minutes.count, by: 10_000) {
        added += try writer.add(Array(minutes[start..<min(start + 10_000, minutes.count)]))
      }
      return added
    case .service(let service): return try service.raise(minutes)
    }
  }
}

/// The service that writes the history.
struct ImportService {
  private let service: ServiceAccess
  private let database: String
  private let held: HistoryError

  /// The longest time for an answer: the service writes parcels of thousands of minutes.
  private static let timeout = Duration.seconds(60)

  /// - Parameter held: the error of writing without it.
  init?(_ folder: HistoryFolder, held: HistoryError, transport: any Transport = NetworkTransport()) {
    guard let address = ServiceAddress.fromEnvironment(), let database = folder.databaseNumber else { return nil }
    service = ServiceAccess(address: address, transport: transport)
    (self.database, self.held) = (database, held)
  }

  func raise(_ minutes: [HistoryMinute]) throws -> Int {
    var added = 0
    for (source, minutes) in Dictionary(grouping: minutes, by: \.source) {
      for start in stride(from: 0, to: minutes.count, by: MinuteParcel.most) {
        let part = minutes[start..<min(start + MinuteParcel.most, minutes.count)]
        added += try send(MinuteParcel(part, of: source, database: database))
      }
    }
    return added
  }

  private func send(_ parcel: MinuteParcel) throws -> Int {
    struct Receipt: Decodable { var minutes: Int }
    let address = service.address
    let request = address.request(
      "/api/import", method: "POST", headers: [.init("Content-Type", "application/json")],
      body: Array(try JSONEncoder().encode(parcel)))
    let answer: TransportResponse
    switch service.answer(to: request, within: Self.timeout) {
    case .success(let response)?: answer = response
    case .failure(let error)?:
      throw failure("\(address.url): \(error); start the service, or set PEDOMETER_SERVICE to its address", .busy)
    case nil:
      throw failure(
        "\(address.url) did not answer in time; import again, which adds nothing that is there already", .busy)
    }
    if answer.isSuccess, let receipt = ServiceJSON.decode(Receipt.self, answer.body) { return receipt.minutes }
    if answer.status == 401 {
      throw failure("the service at \(address.url) needs a token; set PEDOMETER_TOKEN to it", .permission)
    }
    throw failure(service.refusal(answer), .busy)
  }

  /// The history could be written without the service, too, if it did not run.
  private func failure(_ reason: String, _ status: ExitStatus) -> SourceFailure {
    SourceFailure(message: "\(held); or import through it: \(reason)", status: status)
  }
}
