import ChaseEngine
import Foundation
import StepDetection
import TestSupport
import Testing

@testable import PedometerService
@testable import ServiceHTTP

@Suite("The texts of the pages", .timeLimit(.minutes(30)), .ownThreads)
struct PageTextsTests {
  private static let folder = Repository.path("Sources/Service/ServiceHTTP/Public")

  /// The names of the files with an ending, and what they contain.
  private static func files(_ ending: String) throws -> [(name: String, text: String)] {
    try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasSuffix(ending) }.sorted().map {
      ($0, try String(contentsOfFile: "\(folder)/\($0)", encoding: .utf8))
    }
  }

  /// Scripts without comments, but for the one that has the catalogue.
  private static func scripts() throws -> [(name: String, text: String)] {
    try files(".js").filter { $0.name != "texts.js" }.map { name, text in
      (name, text.replacing(/(?m)^ *(\/\/|\/\*|\*).*$/, with: ""))
    }
  }

  /// What each language has a file of.
  private static func languages() throws -> [(name: String, text: String, catalogue: [String: Any])] {
    try files(".json").filter { $0.name.hasPrefix("texts-") }.map { name, text in
      let catalogue = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
      return (String(name.dropFirst(6).dropLast(5)), text, try #require(catalogue))
    }
  }

  /// What the page for devices translates of checks and sources, each part between semicolons by itself, and where it is said.
  private static let told = [
    "Service/Presentation/Health/MachineChecks": [
      "IIO subsystem", "the kernel module industrialio is not loaded, so sensor chips have no driver",
      "plug in the sensor or load its driver, such as hid-sensor-accel-3d; cloud kernels have none",
      "udevd is not running, so no rule gives access to sensors", "run on the host, not in a container", "udev rule",
      "72-pedometer.rules is not installed", "root does not need it",
      "copy udev-rules/72-pedometer.rules to /etc/udev/rules.d ('make install' does it), run 'udevadm control --reload', "
        + "and plug the sensor in again",
      "group pedometer", "the group does not exist",
    ],
    "Service/Presentation/Health/HealthCheck": [
      "sensors", "no motion sensor found",
      "plug in an accelerometer, a game pad with motion sensors or a board, or load its driver; a phone or a Bluetooth sensor "
        + "is named ('pedometer live --help' lists how)",
    ],
    "Service/ServiceCore/Clients/ClientSources": ["sends finished steps", "sends the readings of a counter"],
  ]

  @Test("what the page translates of checks and sources is what the service says")
  func toldByService() throws {
    for (file, sentences) in Self.told {
      let source = try String(contentsOfFile: Repository.path("Sources/\(file).swift"), encoding: .utf8)
        .replacing(/"\s*\+\s*"/, with: "").replacing(#"\(Self.ruleName)"#, with: "72-pedometer.rules")
      for sentence in sentences {
        #expect(source.contains("\(sentence)\""), "\(file): also in the catalogues")
      }
    }
  }

  /// All texts that need a translation: those of the scripts and of the markup, and the sentences of the service that pages translate.
  private static func keys() throws -> Set<String> {
    var keys = Set(Alert.catalogue.map(\.text) + Objection.allCases.map(\.message))
    for sentence in told.values.joined() { keys.formUnion(sentence.components(separatedBy: "; ")) }
    for (_, text) in try scripts() {
      keys.formUnion(text.matches(of: /\b(t|parts)\(\s*"([^"]*)"/).map { String($0.2) })
    }
    for (_, text) in try files(".html") { keys.formUnion(try Markup(text).texts) }
    return keys
  }

  @Test("each text is translated into each language, and no translation is left over")
  func complete() throws {
    let keys = try Self.keys()
    #expect(keys.isSuperset(of: ["Copy", "{n} step|{n} steps", "Walk in teams", "Nessie is right behind you."]))
    let languages = try Self.languages()
    #expect(languages.map(\.name).contains("de") && languages.map(\.name).contains("fr"))
    for (name, text, catalogue) in languages {
      #expect(keys.subtracting(catalogue.keys).sorted() == [], "not translated into \(name)")
      #expect(Set(catalogue.keys).subtracting(keys).sorted() == [], "left over in \(name)")
      #expect(
        text.matches(of: /(?m)^ +"[^"]+": ["{]/).count == catalogue.count, "twice, or not a line each, in \(name)")
    }
  }

  @Test("a translation has the fields of its text, a form for each kind of number, and no sign that may begin a line")
  func forms() throws {
    for (name, _, catalogue) in try Self.languages() {
      var kinds = Set<Set<String>>()
      for (key, value) in catalogue {
        let forms = value as? [String: String]
        #expect((forms != nil) == key.contains("|"), "\(name): \(key)")
        if let forms { kinds.insert(Set(forms.keys)) }
        let plain = value as? String
        for form in forms.map({ Array($0.values) }) ?? [plain ?? ""] {
          let fields = { (text: String) in Set(text.matches(of: /\{\w+\}/).map { String($0.0) }) }
          #expect(fields(form) == fields(key), "\(name): \(form)")
          #expect(!form.isEmpty && form.trimmingCharacters(in: .whitespacesAndNewlines) == form, "\(name): \(key)")
          #expect(!form.contains(/[ ][%:;!?»…]|«[ ]/), "\(name): a space that does not break, in \(form)")
        }
      }
      let all: Set = ["zero", "one", "two", "few", "many", "other"]
      #expect(
        kinds.count == 1 && kinds.allSatisfy { $0.contains("other") && $0.isSubset(of: all) }, "\(name): \(kinds)")
    }
  }

  @Test("no script shows a text that is not in the catalogue")
  func marked() throws {
    // Names of keys, headers, elements and programs, and what the service or a room gets.
    let others: Set = [
      "Content-Type", "Enter", "Escape", "Go!", "Notification", "Owner", "Pedometer", "Pedometer ${version}",
      "came back",
      "Android", "Chrome", "Edge", "Firefox", "Linux", "Mac", "Safari", "Samsung Internet", "Windows",
      "footer p", "light dark", "not a walk", "not all", "row edit", "something else", "went away",
    ]
    for (name, text) in try Self.scripts() {
      let rest = text.replacing(/\b(t|parts)\(\s*"[^"]*"/, with: "")
      for call in rest.matches(of: /\b(t|parts)\([^)]*\)/) {
        #expect(
          ["t(line.text)", "t(walk.message)", "t(part)"].contains(String(call.0)),
          "\(name): the service's own sentences only")
      }
      for literal in rest.matches(of: /["`](✓[^"`]*|[A-Z][a-z][^"`]*|[a-z]+,?( [a-z]+)+[.:?]?)["`]/) {
        #expect(others.contains(String(literal.1)), "\(name)")
      }
    }
  }

  @Test("each language is served, can be chosen, and is kept for when there is no network")
  func served() async throws {
    let service = try FakeService()
    let worker = try await service.ask(.get, "/phone-worker.js").text
    let list = try await service.ask(.get, "/texts.js").text
    for (name, text, _) in try Self.languages() {
      let answer = try await service.ask(.get, "/texts-\(name).json")
      #expect(answer.status == .ok && answer.text == text, "add /texts-\(name).json to PageRoutes.swift")
      #expect(worker.contains("\"/texts-\(name).json\""), "add /texts-\(name).json to phone-worker.js")
      #expect(list.contains(" \(name): \""), "add \(name) to the languages of texts.js")
    }
  }

  @Test("a script travels without its comments, and is the same otherwise")
  func comments() async throws {
    let service = try FakeService()
    for (name, text) in try Self.files(".js") {
      let sent = try await service.ask(.get, "/\(name)").text
      #expect(sent.count < text.count && !sent.contains(/(?m)^ *(\/\/|\/\*|\*)/), "\(name)")
      #expect(
        sent.filter { !$0.isWhitespace }
          == text.replacing(/(?m)^ *(\/\/|\/\*|\*).*$/, with: "").filter { !$0.isWhitespace }, "\(name)")
    }
  }
}

/// The texts of a page as `translate` in `texts.js` finds them.
private struct Markup {
  private(set) var texts = Set<String>()

  /// What an element contains; `nil` is an element in it.
  private var open: [(name: String, isSkipped: Bool, parts: [String?])] = [("", false, [])]

  init(_ markup: String) throws {
    for piece in markup.matches(of: /<(\/?)([a-z0-9]+)([^>]*?)(\/?)>|<!doctype html>|([^<]+)/) {
      if let text = piece.5 {
        open[open.count - 1].parts.append(String(text))
      } else if let name = piece.2 {
        if piece.1 == "/" {
          try close(String(name))
        } else {
          begin(String(name), String(piece.3 ?? ""), isEmpty: piece.4 == "/")
        }
      }
    }
    try #require(open.count == 1, "not closed: \(open.map(\.name))")
  }

  private mutating func begin(_ name: String, _ attributes: String, isEmpty: Bool) {
    let isSkipped =
      open[open.count - 1].isSkipped || ["code", "noscript", "script"].contains(name)
      || attributes.contains("translate=\"no\"")
    if !isSkipped {
      texts.formUnion(attributes.matches(of: /\s(aria-label|alt|placeholder)="([^"]+)"/).map { String($0.2) })
    }
    open[open.count - 1].parts.append(nil)
    if !isEmpty, !["img", "input", "link", "meta"].contains(name) { open.append((name, isSkipped, [])) }
  }

  private mutating func close(_ name: String) throws {
    let last = open.popLast()
    let element = try #require(last)
    try #require(element.name == name)
    let isText = { (part: String?) in part?.contains(/\S/) == true }
    guard !element.isSkipped, let begin = element.parts.firstIndex(where: isText),
      let end = element.parts.lastIndex(where: isText)
    else { return }
    var count = 0
    let text = element.parts[begin...end].map { part in
      if part == nil { count += 1 }
      return part ?? "{\(count)}"
    }.joined()
    if text.contains(/[A-Za-z]{2}/) {
      texts.insert(text.replacing(/\s+/, with: " ").trimmingCharacters(in: .whitespaces))
    }
  }
}
