import ArgumentParser
import PedometerService
import ServiceWalkers
import Terminals

struct WalkersCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "walkers", abstract: "Let other people walk with this service",
    discussion: """
      A walker has a token, which sends steps to a history of their own. It reads that history and the challenges in \
      which the walker takes part, and nothing else. A running service notices changes at once.
      """,
    subcommands: [Add.self, Invite.self, List.self, Remove.self, Token.self, Team.self, Owner.self])

  struct Add: OwnerCommand {
    static let configuration = CommandConfiguration(
      abstract: "Add a walker, and print the token and the invite link",
      usage: "pedometerd walkers add NAME [--team TEAM] [--url URL] [OPTIONS]",
      discussion: """
        The link lets one phone in, within ten minutes; 'walkers invite' makes another. Its code stands after the #, which \
        browsers do not send, so it is in no log. The token is for programs. It is printed once; the service stores only its \
        SHA-256.

        EXAMPLES
          pedometerd walkers add Ann
          pedometerd walkers add Ben --team Red --url https://steps.example.org
        """)

    @Argument(help: "The walker's name, which others see in challenges.") var name: String
    @Option(help: "The team in challenges with teams.") var team: String?
    @OptionGroup var link: LinkOptions
    @OptionGroup var owner: OwnerOptions

    func work(_ tools: OwnerTools) throws -> OwnerOptions.Output {
      let (walker, token) = try tools.walkers.add(name, team: team)
      return try output(walker, token, "\(walker.name) can walk with this service.", tools, link)
    }
  }

  struct Token: OwnerCommand {
    static let configuration = CommandConfiguration(
      abstract: "Make a new token for a walker; the old one no longer works",
      usage: "pedometerd walkers token NAME [--url URL] [OPTIONS]",
      discussion: "This also restores the access of a walker who was removed with --keep-history.")

    @Argument(help: "The walker's name.") var name: String
    @OptionGroup var link: LinkOptions
    @OptionGroup var owner: OwnerOptions

    func work(_ tools: OwnerTools) throws -> OwnerOptions.Output {
      let (walker, token) = try tools.walkers.renewToken(of: name)
      return try output(walker, token, "\(walker.name) has a new token.", tools, link)
    }
  }

  struct Invite: OwnerCommand {
    static let configuration = CommandConfiguration(
      abstract: "Print an invite link for a walker's phone, which works once within ten minutes",
      usage: "pedometerd walkers invite NAME [--url URL] [OPTIONS]")

    @Argument(help: "The walker's name.") var name: String
    @OptionGroup var link: LinkOptions
    @OptionGroup var owner: OwnerOptions

    func work(_ tools: OwnerTools) throws -> OwnerOptions.Output {
      let (walker, code) = try tools.walkers.invite(name)
      let place = tools.link("/challenge#code=\(code)", url: link.url)
      return (
        [OwnerTools.json(walker, token: nil, link: place)],
        "Invite link: \(place)\n\(once(walker))\(tools.remarks(url: link.url))",
        tools.isLocal(url: link.url) ? nil : place
      )
    }
  }

  struct List: OwnerCommand {
    static let configuration = CommandConfiguration(
      abstract: "List the owner and the walkers",
      usage: "pedometerd walkers list [OPTIONS]")

    @OptionGroup var owner: OwnerOptions

    func work(_ tools: OwnerTools) throws -> OwnerOptions.Output {
      let all = try tools.walkers.list().everybody
      let rows = all.map { walker in
        let access = walker.isOwner ? "owner" : walker.isRemoved ? "removed, history kept" : "token"
        return [walker.name, walker.team ?? "-", access]
      }
      return (all.map(\.json.object), table([["NAME", "TEAM", "ACCESS"]] + rows), nil)
    }
  }

  struct Remove: OwnerCommand {
    static let configuration = CommandConfiguration(
      abstract: "Remove a walker's token, and keep or delete the history",
      usage: "pedometerd walkers remove NAME --keep-history | --delete-history",
      discussion: """
        The walker leaves all challenges. With --delete-history, results of past periods no longer contain the walker \
        either; with --keep-history, they do.
        """)

    @Argument(help: "The walker's name.") var name: String
    @Flag(name: .customLong("keep-history"), help: "Keep the history; 'walkers token' restores the access.")
    var keepsHistory = false
    @Flag(name: .customLong("delete-history"), help: "Delete the history for good.") var deletesHistory = false
    @OptionGroup var owner: OwnerOptions

    func validate() throws {
      if keepsHistory == deletesHistory {
        throw ValidationError("say what becomes of the history: either --keep-history or --delete-history")
      }
    }

    func work(_ tools: OwnerTools) throws -> OwnerOptions.Output {
      let walker = try tools.remove(name, keepingHistory: keepsHistory)
      let what = keepsHistory ? "kept" : "deleted"
      return ([walker.json.object], "Removed \(walker.name); the history is \(what).\n", nil)
    }
  }

  struct Team: OwnerCommand {
    static let configuration = CommandConfiguration(
      abstract: "Set the team of a walker",
      usage: "pedometerd walkers team NAME TEAM [OPTIONS]",
      discussion: "Results of closed periods keep the earlier team.")

    @Argument(help: "The walker's name.") var name: String
    @Argument(help: "The team; an empty one removes it.") var team: String
    @OptionGroup var owner: OwnerOptions

    func work(_ tools: OwnerTools) throws -> OwnerOptions.Output {
      let walker = try tools.walkers.setTeam(of: name, team)
      return ([walker.json.object], "\(walker.name) is in \(walker.team.map { "team \($0)" } ?? "no team").\n", nil)
    }
  }

  struct Owner: OwnerCommand {
    static let configuration = CommandConfiguration(
      abstract: "Set the name and the team of the owner, for whom the service's own sensors count",
      usage: "pedometerd walkers owner [--name NAME] [--team TEAM] [OPTIONS]")

    @Option(help: "The name that others see in challenges.") var name: String?
    @Option(help: "The team in challenges with teams; an empty one removes it.") var team: String?
    @OptionGroup var owner: OwnerOptions

    func validate() throws { if name == nil, team == nil { throw ValidationError("give --name, --team or both") } }

    func work(_ tools: OwnerTools) throws -> OwnerOptions.Output {
      try tools.walkers.setOwner(name: name, team: team)
      let walker = try tools.walkers.list().owner
      return ([walker.json.object], "The owner is \(walker.name)\(walker.team.map { ", team \($0)" } ?? "").\n", nil)
    }
  }
}

/// What is printed of a walker's new token, which is not stored.
private func output(
  _ walker: Walker, _ token: String, _ sentence: String, _ tools: OwnerTools, _ options: LinkOptions
) throws -> OwnerOptions.Output {
  let link = tools.link("/challenge#code=\(try tools.walkers.invite(walker.name).code)", url: options.url)
  let text = """
    \(sentence)
    Token: \(token)
    Invite link: \(link)
    \(once(walker))The token is for programs, and shown only now.
    \(tools.remarks(url: options.url))
    """
  return ([OwnerTools.json(walker, token: token, link: link)], text, tools.isLocal(url: options.url) ? nil : link)
}

/// How long a link works.
private func once(_ walker: Walker) -> String {
  "The link lets one phone in, within ten minutes. For another one: pedometerd walkers invite \(walker.name)\n"
}
