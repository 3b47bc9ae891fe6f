import SourceNames

/// Completion of sources in the scripts of the parser, which offers either files or the words of a command. With the functions
/// in the folder Completion a shell offers both: files, the sensors of this computer, and how other sources begin.
package enum SourceCompletion {
  /// The command for the parser.
  package static let name = "__pedometer_sources"

  /// A script in which sources are completed; any other text stays as it is.
  package static func added(to text: String) -> String {
    let isScript = text.hasPrefix("#") || text.hasPrefix("function")
    guard isScript, let end = text.firstIndex(of: "\n") else { return text }
    let (head, body) = text.hasPrefix("#") ? (text[...end], text[end...]) : ("", text[...])
    let isBash = head.hasPrefix("#!/bin/bash")
    let functions =
      isBash
      ? PackageResources.sources_bash : head.isEmpty ? PackageResources.sources_fish : PackageResources.sources_zsh
    return "\(head)\(String(decoding: functions, as: UTF8.self))\(body)"
      .replacing("@schemes@", with: SourceURI.openable.map { $0 + ":" }.joined(separator: " "))
      .replacing(/__\w+_add_completions -W "\$\(eval '__pedometer_sources'\)"/, with: "__pedometer_add_sources")
      .replacing(
        #"{local -a list;list=(${(f)"$(__pedometer_sources)"});_describe -V "" list}"#, with: "__pedometer_add_sources"
      )
      .replacing(
        #"local -a unparsed_words=("${COMP_WORDS[@]:1:${COMP_CWORD}}")"#,
        with: "local -a unparsed_words=()\n    __pedometer_join_words")
  }
}
