import ArgumentParser
import Terminals

/// The options for reading recordings, which `pedometer help reading` lists once for all commands that read a live source.
struct ReadingHelp: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "reading",
    abstract: "How recordings and other text with samples are read.",
    usage: "pedometer COMMAND [SOURCE] [OPTIONS]",
    discussion: """
      These options belong to count, live, record, chase, convert, info, calibrate, learn and study. Without them, the \
      columns, the unit and the times are found in the text.
      """)

  /// The word after `pedometer help`.
  static let topic = "reading"
  private static let title = "Reading recordings"

  @OptionGroup(title: Self.title) var reading: ReadingOptions

  static var page: String {
    let text = helpMessage(columns: 80)
    // The parser adds an option for help to each page.
    return text.split(separator: "\n\n", omittingEmptySubsequences: false).filter { !$0.hasPrefix("OPTIONS:") }.joined(
      separator: "\n\n")
  }

  /// The help of a live command, with a reference instead of these options.
  static func referred(_ help: String) -> String {
    help.split(separator: "\n\n", omittingEmptySubsequences: false).map { section in
      section.hasPrefix(title.uppercased() + ":\n")
        ? "\(title.uppercased()):\n  see 'pedometer help \(topic)'" : String(section)
    }.joined(separator: "\n\n")
  }
}
