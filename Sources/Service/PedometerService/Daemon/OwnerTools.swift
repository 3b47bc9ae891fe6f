import Foundation
import Glibc
import History
import JSONLines
import ServiceCore
import ServiceHTTP
import ServiceSettings
import ServiceWalkers

/// What the commands `pedometerd walkers` and `pedometerd challenges` need: the files of a service, which need not run.
package struct OwnerTools: Sendable {
  package let walkers: WalkerBook
  package let registry: ChallengeRegistry
  private let addresses: [ListenAddress]
  private let hostNames: [String]
  private let isSecure: Bool
  private let hasToken: Bool
  private let isUsualFolder: Bool
  private let push: PushTarget?
  private let history: HistoryFolder
  private let calendar: DayCalendar

  private static let systemFolder = "/var/lib/pedometer"
  private static let systemToken = "/etc/credstore/" + TokenFile.credential

  /// - Parameter given: the settings of the service, as far as they are known.
  /// - Throws: ``ConfigurationError``.
  package init(_ given: GivenSettings, environment: [String: String]) throws {
    // Only what is needed: the owner may not be allowed to read the service's secrets.
    var needed = GivenSettings()
    for key: SettingKey in [.state, .timeZone, .dayStart] { needed[key] = given[key] }
    var readable = environment
    readable["CREDENTIALS_DIRECTORY"] = nil
    let configuration = try ServiceConfiguration(needed, environment: readable)
    let folder = configuration.state ?? Self.usualFolder
    (walkers, isUsualFolder) = (WalkerBook(folder: folder), configuration.state == nil)
    let usual = needed[.dayStart].isEmpty ? nil : configuration.walk
    let own = (try? SettingsFile(folder: folder, usual: usual))?.present ?? configuration.walk
    history = HistoryFolder(path: folder)
    calendar = DayCalendar(timeZone: configuration.timeZone ?? UserTimeZone.present(), dayStart: own.start)
    push = try PushTarget(given, hidesToken: true)
    registry = ChallengeRegistry(folder: folder, calendar: calendar)
    addresses = try given[.listen].map { try ListenAddress($0.text, at: $0.place) }
    hostNames = given[.hostNames].map(\.text)
    hasToken = !given[.tokenFile].isEmpty || folder == Self.systemFolder && SecretFile.exists(Self.systemToken)
    isSecure = !given[.tlsCertificate].isEmpty || given[.tlsSelfSigned].first?.text == "true"
  }

  /// Root manages the system's service, everybody else their own.
  private static var usualFolder: String {
    let isThere = unsafe access(systemFolder, F_OK) == 0
    return isThere && geteuid() == 0 ? systemFolder : HistoryFolder.standard.path
  }

  /// A link to a page of the service.
  /// - Parameter url: the address of the service; `nil`: as its settings say.
  package func link(_ path: String, url: String?) -> String {
    if let url {
      let base = url.hasSuffix("/") ? String(url.dropLast()) : url
      return base + path
    }
    let known = addresses.isEmpty ? [.loopback] : addresses
    return OwnNames.machine.url(path, at: known, hostNames: hostNames, isSecure: isSecure) ?? path
  }

  /// What the owner has to do before others can use a link, as far as the settings say.
  /// - Parameter url: the address that was given for links.
  package func remarks(url: String?) -> String {
    var text = ""
    if isLocal(url: url) {
      text += "By its settings only this computer can open the link; give the service's address with --url.\n"
    }
    if !hasToken {
      text += "No token is known: unless the service runs with --token-file, everyone who reaches it is its owner.\n"
      if isUsualFolder { text += "If the service's folder is not \(walkers.folder), give --state.\n" }
    }
    return text
  }

  /// What the service would send to the target of `push` now, without the token.
  /// - Throws: ``ConfigurationError`` without a target.
  package func pushes() throws -> [(json: String, text: String)] {
    guard let push else {
      throw ConfigurationError("the configuration has no 'push'; add push: with url: https://HOST")
    }
    let days = try PushedDay.days(
      push.days, of: HistoryReader(folder: history), WalkAnswers(folder: history.path), calendar, now: Date())
    return try PushLedger(folder: history.path).due(days, for: push.name).map { day in
      let request = push.request(day)
      let lines = ["\(request.method) \(request.url)"] + request.headers.map { "\($0.name): \($0.value)" }
      let (head, body) = (lines.joined(separator: "\n"), String(decoding: request.body, as: UTF8.self))
      let line = JSONLine(["request": head, "body": body])
      return (line.object, "\(head)\n\n\(body)\n")
    }
  }

  /// Whether only this computer can open links, as far as the settings say.
  package func isLocal(url: String?) -> Bool { url == nil && addresses.allSatisfy(\.isLoopback) && hostNames.isEmpty }

  /// A link as a QR code for a terminal.
  package static func code(_ link: String) -> String {
    isatty(STDOUT_FILENO) == 1 ? QRCode(Array(link.utf8))?.terminalText ?? "" : ""
  }

  package static func isAddress(_ url: String) -> Bool {
    guard let address = URL(string: url), let host = address.host(), !host.isEmpty else { return false }
    return ["http", "https"].contains(address.scheme) && address.fragment == nil && address.query == nil
  }

  package func remove(_ name: String, keepingHistory: Bool) throws -> Walker {
    // The access first, and the name last, so that a removal that failed can be repeated.
    let walker = try walkers.remove(name, keepingHistory: true)
    try registry.challenges.forget(walker.id, results: !keepingHistory)
    return keepingHistory ? walker : try walkers.remove(name, keepingHistory: false)
  }

  package func removeChallenge(_ text: String) throws -> Challenge {
    let challenge = try registry.challenges.challenge(called: text)
    try registry.challenges.remove(challenge.id)
    return challenge
  }

  /// Adds and removes participants of a challenge, and returns its board.
  /// - Parameter renewing: whether the invite link is replaced, as it is by a removal.
  package func change(_ text: String, adding: [String], removing: [String], renewing: Bool) throws -> ChallengeBoard {
    let challenge = try registry.challenges.challenge(called: text)
    return try registry.board(
      try registry.change(challenge.id, adding: adding, removing: removing, renewing: renewing).id, for: Walker.ownerID)
  }

  package func board(_ text: String) throws -> ChallengeBoard {
    try registry.board(try registry.challenges.challenge(called: text).id, for: Walker.ownerID)
  }

  package func challenges() throws -> [Challenge] { try registry.challenges.all() }

  /// A walker with a new token or link, as one line of JSON.
  package static func json(_ walker: Walker, token: String?, link: String) -> String {
    var line = walker.json
    if let token { line.add("token", token) }
    line.add("link", link)
    return line.object
  }
}
