/// How the text of a board arrives: the advice for it in messages.
struct BoardMedium: Sendable {
  /// What a source lacks that has sent nothing yet, in front of its name, and what to do about it.
  private let lack: String
  private let advice: String
  /// For a board that has stopped sending.
  let awakening: String
  /// The conditions of reception, for the end of a clause.
  var qualification = ""
  let remedyForNoText: String
  let remedyForOtherText: String

  /// For a board that has sent nothing yet.
  func silence(of name: String) -> String { lack + name + advice }

  /// Over a serial port, at so many bits per second.
  static func serial(rate: Int) -> Self {
    Self(
      lack: "no data from ",
      advice: " at \(rate) bits per second; check the rate (baud=) and the board's program, or press its reset button",
      awakening: "check its program, or press its reset button", qualification: ", at \(rate) bits per second",
      remedyForNoText: "give the rate of the board, as in baud=9600",
      remedyForOtherText: "let it print one sample per line, such as millis,x,y,z ('pedometer board' shows a sketch)")
  }

  static func datagrams(port: UInt16) -> Self {
    Self(
      lack: "no data on ",
      advice: " yet; let the app send to this computer's address and port \(port), and open the port in the firewall",
      awakening: awakeningOfApp, remedyForNoText: "let the app send text, such as CSV",
      remedyForOtherText: "let the app send the accelerometer alone, such as milliseconds,x,y,z in each datagram")
  }

  /// In the messages of a WebSocket server.
  static let messages = Self(
    lack: "no data from ", advice: " yet; start the sensor in the app, and keep the app in the foreground",
    awakening: awakeningOfApp, remedyForNoText: "let the app send text, such as JSON",
    remedyForOtherText: "ask for the accelerometer alone, as in type=android.sensor.accelerometer")

  /// Printed by a program, with this command.
  static func program(_ command: String) -> Self {
    Self(
      lack: "no output of ",
      advice: " yet; it must print each line at once (python3 -u, or stdbuf -oL before another program)",
      awakening: "run it by itself to see what it prints: \(command)",
      remedyForNoText: "let the program print text, such as CSV",
      remedyForOtherText: "let the program print one sample per line, such as seconds,x,y,z")
  }

  private static let awakeningOfApp = "start the app again, and keep it in the foreground"
}
