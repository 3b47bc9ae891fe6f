import FoundationEssentials

/// The bodies of requests. Unknown keys are ignored.
enum RoomBodies {
  /// Of `POST /chat/say`: a message; the room sets its date, and an identifier if it has none.
  struct Say: Decodable {
    static let example = #"{"user":"Ann","message":"hello"}"#
    var id: UUID?
    var user: String?
    var message: String
  }

  /// Of `POST /race/countdown`.
  struct CountdownStart: Codable {
    static let example = #"{"text":"Go","from":3}"#
    var text: String
    var from: Int?
    var user: String?
  }

  /// Of `DELETE /race/countdown`.
  struct CountdownEnd: Codable {
    static let example = #"{"user":"Ann"}"#
    var user: String?
  }

  /// Of `POST /race/location`.
  struct Place: Codable {
    static let example = #"{"user":"Ann","latitude":57.3,"longitude":-4.4}"#
    var user: String
    var latitude: Double
    var longitude: Double
    var label: String?
  }

  /// A line that shows both sides that the connection is alive.
  struct Heartbeat: Codable {
    var heartbeat: Double
  }

  static let frameExample =
    #"{"user":"Ann","state":"inProgress","steps":1,"goal":9,"distance":1,"nessieDistance":1,"runner":0.1,"nessie":0.1,"seq":1}"#
}
