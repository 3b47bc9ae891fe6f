import Foundation
import JSONLines
import Testing

@testable import ChaseScenery

/// What a page draws the chase with.
@Suite("the scene as JSON", .timeLimit(.minutes(30)))
struct SceneDescriptionTests {
  private struct Scene: Decodable {
    var colours: [String: String]
    var letters: [String: String]
    var sprites: [String: [String]]
  }

  private let scene = try! JSONDecoder().decode(Scene.self, from: Data(SceneDescription.json.utf8))

  @Test("every letter of a picture stands for a material, and every material has a colour")
  func letters() {
    let used = Set(scene.sprites.values.joined().joined()).subtracting(["."])
    #expect(used.count > 10 && used.allSatisfy { scene.letters[String($0)] != nil })
    #expect(scene.letters.values.allSatisfy { scene.colours[$0] != nil })
    #expect(scene.colours.count == Material.allCases.count)
    #expect(
      scene.colours.values.allSatisfy { $0.wholeMatch(of: /#[0-9a-f]{6}/) != nil } && scene.colours["sky0"] == "#1b2a4a"
    )
  }

  @Test("the pictures are those of the terminal: four of a walk, Nessie awake, asleep and fed, rows of one length")
  func sprites() throws {
    #expect(scene.sprites.count == 12 && scene.sprites.values.allSatisfy { Set($0.map(\.count)).count == 1 })
    #expect(try #require(scene.sprites["walking1"]).count == Sprite.walking[1].height)
    #expect(scene.sprites["sleepingHead"] == ["..gggg...", ".gggkkgg.", "gggggggll"])
    #expect(try #require(scene.sprites["fedHead"]).joined().contains("r"))
  }
}
