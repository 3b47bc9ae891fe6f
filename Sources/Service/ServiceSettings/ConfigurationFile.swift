import Foundation
import Yams

/// Reads a configuration file: YAML, one mapping, no unknown keys.
package enum ConfigurationFile {
  /// The default paths: the file of a user takes the place of that of the machine.
  package static func usualPaths(_ environment: [String: String]) -> [String] {
    let own = [environment["XDG_CONFIG_HOME"], environment["HOME"].map { $0 + "/.config" }]
    return (own.compactMap(\.self).filter { $0.hasPrefix("/") }.prefix(1) + ["/etc"]).map {
      $0 + "/pedometer/pedometerd.yaml"
    }
  }

  package static func read(_ path: String) throws(ConfigurationError) -> GivenSettings {
    // By convention: no configuration, also none in the default place.
    if path == "/dev/null" { return GivenSettings() }
    // Not a string of the file's contents: that refuses pipes, as of a shell's <(…).
    guard let file = FileHandle(forReadingAtPath: path), let data = try? file.readToEnd() ?? Data(),
      let text = String(data: data, encoding: .utf8)
    else {
      throw ConfigurationError(
        "cannot be read; give a text file that this user may read, or leave out --config", at: path)
    }
    return try parse(text, path: path)
  }

  package static func parse(_ text: String, path: String) throws(ConfigurationError) -> GivenSettings {
    guard let node = try compose(text, path) else { return GivenSettings() }
    if case .scalar(let scalar) = node, scalar.string.isEmpty { return GivenSettings() }
    guard case .mapping(let mapping) = node else {
      throw ConfigurationError("expected lines of 'key: value', such as 'goal: 8000'", at: place(path, node))
    }
    var given = GivenSettings()
    try read(mapping, of: nil, path, into: &given)
    return given
  }

  /// Reads a mapping: the whole file, or one below a key.
  private static func read(
    _ mapping: Node.Mapping, of group: String?, _ path: String, into given: inout GivenSettings
  ) throws(ConfigurationError) {
    for (keyNode, value) in mapping {
      let place = place(path, keyNode)
      let name = keyNode.scalar?.string ?? "this"
      if group == nil, SettingKey.groups.contains(name) {
        guard case .mapping(let inner) = value else {
          throw ConfigurationError(
            "'\(name)' takes lines of 'key: value', such as 'url: \(name == "mqtt" ? "mqtts" : "https")://HOST'",
            at: place)
        }
        try read(inner, of: name, path, into: &given)
        continue
      }
      guard let key = SettingKey(name, in: group) else { throw ConfigurationError(unknown(name, group), at: place) }
      guard given[key].isEmpty else {
        throw ConfigurationError("'\(key.rawValue)' is given twice; keep one", at: place)
      }
      given[key] = try texts(of: value, key, path)
    }
  }

  private static func unknown(_ name: String, _ group: String?) -> String {
    if group == nil, let remedy = SettingKey.remedy(forFormer: name) { return "'\(name)': \(remedy)" }
    let full = (group.map { $0 + "." } ?? "") + name
    if let near = SettingKey.nearest(to: name, in: group) { return "unknown key '\(full)'; did you mean '\(near)'?" }
    return "unknown key '\(full)'; the keys are " + SettingKey.names(in: group).joined(separator: ", ")
  }

  private static func texts(
    of node: Node, _ key: SettingKey, _ path: String
  ) throws(ConfigurationError) -> [GivenText] {
    switch node {
    case .scalar(let scalar): return [GivenText(scalar.string, at: place(path, node))]
    case .sequence(let items) where key.isList:
      var given: [GivenText] = []
      for item in items {
        guard let text = item.scalar?.string else {
          throw ConfigurationError("'\(key.rawValue)' takes a list of words", at: place(path, item))
        }
        given.append(GivenText(text, at: place(path, item)))
      }
      return given
    default:
      throw ConfigurationError("'\(key.rawValue)' takes one value, such as '\(key.rawValue): …'", at: place(path, node))
    }
  }

  private static func compose(_ text: String, _ path: String) throws(ConfigurationError) -> Node? {
    do {
      return try Yams.compose(yaml: text)
    } catch let error as YamlError {
      throw explained(error, path)
    } catch { throw ConfigurationError("\(error)", at: path) }
  }

  private static func explained(_ error: YamlError, _ path: String) -> ConfigurationError {
    switch error {
    case .scanner(_, let problem, let mark, _), .parser(_, let problem, let mark, _),
      .composer(_, let problem, let mark, _):
      ConfigurationError("not valid YAML: \(problem)", at: "\(path):\(mark.line)")
    case .duplicatedKeysInMapping(let duplicates, let context):
      ConfigurationError(
        "'\(duplicates.sorted().joined(separator: "', '"))' is given twice; keep one",
        at: "\(path):\(context.mark.line)")
    case .reader(let problem, _, _, _): ConfigurationError("not a text file: \(problem)", at: path)
    default: ConfigurationError("\(error)", at: path)
    }
  }

  private static func place(_ path: String, _ node: Node) -> String { node.mark.map { "\(path):\($0.line)" } ?? path }
}
