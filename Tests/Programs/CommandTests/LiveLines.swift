import Foundation
import TestSupport

/// The JSON Lines of a live command.
struct LiveLines {
  /// One object.
  struct Line: Decodable {
    var type: String
    var t: Double
    var steps: Int?
    var confirmed: Bool?
    var retracted: Bool?
    var announced: Double?
    var event: String?
    var message: String?
    var samples: Int?
    var cadence: Double?
    var source: String?
  }

  let all: [Line]

  init(_ transcript: Transcript) throws {
    all = try transcript.outputLines.map { try JSONDecoder().decode(Line.self, from: Data($0.utf8)) }
  }

  var events: [String] { all.compactMap(\.event) }
  var total: Line? { all.last.flatMap { $0.type == "total" ? $0 : nil } }
  var confirmed: [Line] { all.filter { $0.type == "step" && $0.confirmed == true } }
  var provisional: [Line] { all.filter { $0.type == "step" && $0.confirmed == false } }
  var data: [Line] { all.filter { $0.type == "data" } }
}
