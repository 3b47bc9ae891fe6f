@testable import Platform
@testable import RaceRoom
@testable import ServiceTransport

/// Answers over HTTP: the same whichever way the bytes arrive, and no longer than they are.
func checkAnswers(_ bytes: [UInt8]) {
  var dice = Dice(bytes)
  let whole = answer([bytes])
  let cut = answer(dice.cut(bytes))
  require(whole.isMalformed == cut.isMalformed && whole.isComplete == cut.isComplete, "depends on the pieces")
  // An error discards the body of its piece only.
  if !whole.isMalformed { require(whole.body == cut.body && whole.head == cut.head, "depends on the pieces") }
  require(whole.body.count <= bytes.count, "a body larger than the answer")
}

private func answer(
  _ pieces: [[UInt8]]
) -> (head: TransportResponse?, body: [UInt8], isComplete: Bool, isMalformed: Bool) {
  var parser = HTTPAnswerParser()
  var body: [UInt8] = []
  for piece in pieces {
    do { body += try parser.take(piece) } catch { return (parser.head, body, parser.isComplete, true) }
  }
  return (parser.head, body, parser.isComplete, false)
}

/// The stream of a room, and requests to it.
func checkRooms(_ bytes: [UInt8]) {
  var dice = Dice(bytes)
  var (whole, cut) = (LineSplitter(), LineSplitter())
  let lines = whole.append(bytes)
  require(dice.cut(bytes).flatMap { cut.append($0) } == lines, "the lines depend on the pieces")
  var chat = ChatReader(user: "Ann", room: nil)
  let race = LiveReader(room: nil)
  var rooms = RaceRooms(seed: 1)
  for (index, line) in lines.prefix(50).enumerated() {
    _ = index == 0 ? try? chat.open(line) : chat.read(line)
    for target in [chat.target, LiveReader(room: String(decoding: line, as: UTF8.self)).target] {
      require(target.utf8.allSatisfy { (0x21..<0x7F).contains($0) }, "a target that is no target")
    }
    _ = index == 0 ? try? race.open(line) : race.read(line)
    checkAgain(Message.self, line)
    checkAgain(ServerStatus.self, line)
    checkAgain(RaceStatus.self, line)
    checkAgain(RunnerFrame.self, line)
    let text = String(decoding: line, as: UTF8.self)
    require(PercentCoding.decode(PercentCoding.encode(text)) == text, "percent-encoding changes a text")
    let shown = Message(message: text).displayText.unicodeScalars
    require(shown.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F }, "a control character remains")
    post(line, to: &rooms, at: .seconds(Double(index)))
  }
}

/// Requests as a service takes them, without its clock and its listeners.
private func post(_ line: [UInt8], to rooms: inout RaceRooms, at time: Duration) {
  let request = RoomRequest(method: "GET", target: "/" + String(decoding: line, as: UTF8.self))
  let name = request.query["room"] ?? "main"
  guard (try? rooms.open(name, at: time)) != nil else { return }
  _ = try? rooms.change(name) { room throws(RoomRefusal) in
    try room.join(request.query["user"] ?? "", since: request.query["since"].flatMap { Int($0) }, session: nil)
  }
  if let say: RoomBodies.Say = RoomJSON.value(from: line) {
    _ = try? rooms.change(name) { room throws(RoomRefusal) in
      try room.say(say.message, by: say.user, id: say.id)
    }
  }
  _ = rooms.advance(name, to: time + .seconds(1))
}

/// What is written is read as it was, unless it cannot be written: a number that is not finite.
private func checkAgain<Value: Codable & Equatable>(_ type: Value.Type, _ line: [UInt8]) {
  guard let value: Value = RoomJSON.value(from: line) else { return }
  let written = RoomJSON.line(value)
  if written == [0x7B, 0x7D, 0x0A] { return }
  let again: Value? = RoomJSON.value(from: written)
  require(again == value, "a line is read differently")
}
