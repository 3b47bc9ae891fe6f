/// How the text of a board arrives, and the advice for it in messages.
enum BoardMedium: Sendable, Hashable {
  /// Over a serial port, at so many bits per second.
  case serial(rate: Int)
  case datagrams(port: UInt16)
  /// In the messages of a WebSocket server.
  case messages
  /// Printed by a program, with this command.
  case program(String)

  /// For a board that has sent nothing yet.
  func silence(of name: String) -> String {
    switch self {
    case .serial(let rate):
      "no data from \(name) at \(rate) bits per second; check the rate (baud=) and the board's program, "
        + "or press its reset button"
    case .datagrams(let port):
      "no data on \(name) yet; let the app send to this computer's address and port \(port), and open the port in the "
        + "firewall"
    case .messages: "no data from \(name) yet; start the sensor in the app, and keep the app in the foreground"
    case .program:
      "no output of \(name) yet; it must print each line at once (python3 -u, or stdbuf -oL before another program)"
    }
  }

  /// For a board that has stopped sending.
  var awakening: String {
    switch self {
    case .serial: "check its program, or press its reset button"
    case .datagrams, .messages: "start the app again, and keep it in the foreground"
    case .program(let command): "run it by itself to see what it prints: \(command)"
    }
  }

  /// The conditions of reception, for the end of a clause.
  var qualification: String {
    switch self {
    case .serial(let rate): ", at \(rate) bits per second"
    case .datagrams, .messages, .program: ""
    }
  }

  var remedyForNoText: String {
    switch self {
    case .serial: "give the rate of the board, as in baud=9600"
    case .datagrams: "let the app send text, such as CSV"
    case .messages: "let the app send text, such as JSON"
    case .program: "let the program print text, such as CSV"
    }
  }

  var remedyForOtherText: String {
    switch self {
    case .serial: "let it print one sample per line, such as millis,x,y,z ('pedometer board' shows a sketch)"
    case .datagrams: "let the app send the accelerometer alone, such as milliseconds,x,y,z in each datagram"
    case .messages: "ask for the accelerometer alone, as in type=android.sensor.accelerometer"
    case .program: "let the program print one sample per line, such as seconds,x,y,z"
    }
  }
}
