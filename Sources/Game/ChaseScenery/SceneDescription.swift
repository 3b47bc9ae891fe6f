import JSONLines
import Platform

/// The sprites and colours of the chase as JSON, for pages: the game in a browser looks as in a terminal.
package enum SceneDescription {
  /// An object with `colours`, by material; `letters`, the material of each letter of a picture; and `sprites`, rows of letters.
  package static var json: String {
    var (colours, letters, sprites) = (JSONLine(), JSONLine(), JSONLine())
    for material in Material.allCases {
      colours.add("\(material)", "#" + material.colour.rgb.padded(6, radix: 16))
    }
    for (letter, material) in Sprite.materials.sorted(by: { $0.key < $1.key }) {
      letters.add(String(letter), "\(material)")
    }
    for (name, sprite) in pictures { sprites.add(name, sprite.rows) }
    return JSONLine(["colours": colours, "letters": letters, "sprites": sprites]).line
  }

  private static var pictures: [(String, Sprite)] {
    Sprite.walking.enumerated().map { ("walking\($0.offset)", $0.element) } + [
      ("standing", .standing), ("cheering", .cheering), ("head", .head), ("fedHead", .fedHead),
      ("sleepingHead", .sleepingHead), ("castle", .castle), ("finish", .finish), ("milestone", .milestone),
    ]
  }
}
