import ArgumentParser
import PedometerService
import ServiceWalkers
import Terminals

struct ChallengesCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "challenges", abstract: "Let walkers compare their days and weeks",
    discussion: """
      A challenge ranks walkers, and teams, by the steps in their histories. Only those who take part see it. Steps that \
      arrive late count on their own day until 24 hours after the end of a period.
      """,
    subcommands: [Add.self, List.self, Show.self, Participants.self, Remove.self])

  struct Add: OwnerCommand {
    static let configuration = CommandConfiguration(
      abstract: "Add a challenge, and print its invite link",
      usage: "pedometerd challenges add NAME [OPTIONS]",
      discussion: """
        Walkers join by the invite link, on which they see what the challenge shows of them, or are added by --walker. \
        They still need a token of their own: see 'pedometerd walkers'.

        EXAMPLES
          pedometerd challenges add "To the sea" --from 2026-12-01 --to 2026-12-24
          pedometerd challenges add "Every week" --every week --teams --goal 50000
          pedometerd challenges add Weekend --days 2 --show days --walker Ann
        """)

    @Argument(help: "The name of the challenge.") var name: String
    @Option(help: "The first day, such as 2026-12-01. (default: today)") var from: String?
    @Option(help: "The last day.") var to: String?
    @Option(parsing: .unconditional, help: "The number of days, instead of a last day.") var days: Int?
    @Option(help: "day or week: each one begins anew, weeks on the weekday of the first day.") var every: String?
    @Flag(help: "Rank the teams as well, by the average of their members.") var teams = false
    @Option(parsing: .unconditional, help: "Steps of a walker in a period.") var goal: Int?
    @Option(help: "totals, or days: others also see the steps of each day. (default: totals)") var show: String?
    @Option(help: "A walker who takes part without an invitation; may be repeated.") var walker: [String] = []
    @Flag(help: "The owner does not take part.") var withoutOwner = false
    @OptionGroup var link: LinkOptions
    @OptionGroup var owner: OwnerOptions

    func work(_ tools: OwnerTools) throws -> OwnerOptions.Output {
      var plan = ChallengePlan(name: name)
      (plan.from, plan.to, plan.days, plan.every) = (from, to, days, every)
      (plan.teams, plan.goal, plan.show, plan.walkers, plan.owner) = (teams, goal, show, walker, !withoutOwner)
      let challenge = try tools.registry.add(plan)
      let place = tools.link(challenge.invitation, url: link.url)
      let text = """
        Added \(challenge.name): \(challenge.times).
        Identifier: \(challenge.id)
        Invite link: \(place)
        \(tools.remarks(url: link.url))
        """
      return ([challenge.json(for: Walker.ownerID)], text, tools.isLocal(url: link.url) ? nil : place)
    }
  }

  struct List: OwnerCommand {
    static let configuration = CommandConfiguration(
      abstract: "List the challenges",
      usage: "pedometerd challenges list [OPTIONS]")

    @OptionGroup var owner: OwnerOptions

    func work(_ tools: OwnerTools) throws -> OwnerOptions.Output {
      let all = try tools.challenges()
      let rows = table([["IDENTIFIER", "NAME", "TIME"]] + all.map { [$0.id, $0.name, $0.times] })
      let none = "There are no challenges; 'pedometerd challenges add' makes one.\n"
      return (all.map { $0.json(for: Walker.ownerID) }, all.isEmpty ? none : rows, nil)
    }
  }

  struct Show: OwnerCommand {
    static let configuration = CommandConfiguration(
      abstract: "Show the leader board of a challenge",
      usage: "pedometerd challenges show CHALLENGE [OPTIONS]")

    @Argument(help: "The identifier or the name.") var challenge: String
    @OptionGroup var link: LinkOptions
    @OptionGroup var owner: OwnerOptions

    func work(_ tools: OwnerTools) throws -> OwnerOptions.Output {
      let board = try tools.board(challenge)
      let place = tools.link(board.invitation, url: link.url)
      return ([board.json], board.text + "Invite link: \(place)\n" + tools.remarks(url: link.url), nil)
    }
  }

  struct Participants: OwnerCommand {
    static let configuration = CommandConfiguration(
      abstract: "Add participants to a challenge, or remove them, at any time",
      usage: "pedometerd challenges participants CHALLENGE [OPTIONS]",
      discussion: """
        Their steps of the current day, week or period count from its start. Results of past ones stay. \
        Walkers can also join by the invite link, and leave on the page. A removal replaces the link, since who is removed \
        knows it.

        EXAMPLE
          pedometerd challenges participants "Every week" --add Ann --remove Ben
        """)

    @Argument(help: "The identifier or the name.") var challenge: String
    @Option(help: "A walker who takes part from now on; may be repeated.") var add: [String] = []
    @Option(help: "A walker who no longer takes part; may be repeated.") var remove: [String] = []
    @Flag(help: "Replace the invite link; the old one no longer works.") var newLink = false
    @OptionGroup var link: LinkOptions
    @OptionGroup var owner: OwnerOptions

    func validate() throws {
      if add.isEmpty && remove.isEmpty && !newLink {
        throw ValidationError("Name a walker with --add or --remove, or replace the link with --new-link.")
      }
    }

    func work(_ tools: OwnerTools) throws -> OwnerOptions.Output {
      let board = try tools.change(challenge, adding: add, removing: remove, renewing: newLink)
      guard newLink || !remove.isEmpty else { return ([board.json], board.text, nil) }
      let place = tools.link(board.invitation, url: link.url)
      return ([board.json], board.text + "New invite link: \(place)\n" + tools.remarks(url: link.url), nil)
    }
  }

  struct Remove: OwnerCommand {
    static let configuration = CommandConfiguration(
      abstract: "Remove a challenge and its results; histories stay as they are",
      usage: "pedometerd challenges remove CHALLENGE [OPTIONS]")

    @Argument(help: "The identifier or the name.") var challenge: String
    @OptionGroup var owner: OwnerOptions

    func work(_ tools: OwnerTools) throws -> OwnerOptions.Output {
      let removed = try tools.removeChallenge(challenge)
      return ([removed.json(for: Walker.ownerID)], "Removed \(removed.name).\n", nil)
    }
  }
}
