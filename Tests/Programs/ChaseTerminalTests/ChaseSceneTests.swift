import ChaseEngine
import ChaseScenery
import Glibc
import Pedometry
import TestSupport
import Testing

@testable import ChaseTerminal
@testable import Terminals

/// The landscape and who moves in it.
@Suite("ChaseScene", .timeLimit(.minutes(30)))
struct ChaseSceneTests {
  private static let sizes = [(30, 4), (80, 16), (100, 22), (160, 38), (250, 58)]

  private func picture(_ scene: ChaseScene, _ width: Int, _ rows: Int, depth: ColourDepth = .direct) -> CellGrid {
    var grid = CellGrid(width: width, height: rows)
    scene.draw(on: &grid, rows: 0..<rows, style: .init(isUnicode: true, depth: depth))
    return grid
  }

  /// The columns with a material, by its colour.
  private func columns(_ material: Material, of grid: CellGrid) -> [Int] {
    let colour = Material.colours[Int(material.rawValue)]
    return (0..<grid.width).filter { column in
      (0..<grid.height).contains { grid[column, $0].style.ink == colour || grid[column, $0].style.paper == colour }
    }
  }

  private func chase(gap: Double) -> ChaseScene {
    var scene = ChaseScene()
    (scene.state, scene.gap, scene.stride) = (.inProgress, gap, 0)
    return scene
  }

  @Test("Nessie is behind the walker by the gap, and nearer with a smaller one", arguments: sizes)
  func gap(_ width: Int, _ rows: Int) throws {
    let noses = try [12.0, 6, 1].map { gap in
      let grid = picture(chase(gap: gap), width, rows)
      let nose = try #require(columns(.nessie, of: grid).max())
      let walker = try #require(columns(.shirt, of: grid).max())
      #expect(nose < walker)
      return nose
    }
    #expect(noses == noses.sorted() && Set(noses).count == 3)
  }

  @Test("at any distance Nessie's head and humps are in sight, further left the further she is", arguments: sizes)
  func farAway(_ width: Int, _ rows: Int) throws {
    let noses = try [3.0, 10, 20, 60, 300].map { gap in
      let columns = columns(.nessie, of: picture(chase(gap: gap), width, rows))
      let nose = try #require(columns.max())
      // Head and two humps, at least.
      #expect(columns.count >= (width < 50 ? 6 : 20))
      return nose
    }
    #expect(noses == noses.sorted().reversed() && Set(noses.prefix(3)).count == 3)
    let text = picture(chase(gap: 300), width, rows).lines.joined(separator: "\n")
    #expect(text.contains("300 m"))
    #expect(!picture(chase(gap: 1), width, rows).lines.joined().contains("1 m"))
  }

  @Test("the quarters of the way have flags with their share, the goal has none")
  func milestones() {
    var scene = chase(gap: 10)
    scene.marks = [-9, 4, 200, 300]
    let grid = picture(scene, 160, 38)
    let text = grid.lines.joined(separator: "\n")
    #expect(text.contains("25 %") && text.contains("50 %") && !text.contains("75 %") && !text.contains("100 %"))
    #expect(columns(.shirt2, of: grid).count > 8)
  }

  @Test("what is written on the scene has a contrast of 4.5 or more, whatever sky is behind it", arguments: sizes)
  func contrast(_ width: Int, _ rows: Int) {
    func luminance(_ colour: Colour) -> Double {
      func linear(_ value: Int) -> Double {
        let share = Double(value) / 255
        return share <= 0.04045 ? share / 12.92 : pow((share + 0.055) / 1.055, 2.4)
      }
      let (red, green, blue) = colour.components
      return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)
    }
    for state in [AppState.notStarted, .inProgress, .paused] {
      for gap in [15.0, 19, 60, 300] {
        var scene = chase(gap: gap)
        (scene.state, scene.marks) = (state, [-9, 4, 12, 30])
        scene.companions = [
          .init(name: "Zoë", ahead: 6, state: .inProgress), .init(name: "Bob", ahead: 200, state: .inProgress),
        ]
        let written = picture(scene, width, rows).cells.filter { $0.glyph.properties.isAlphabetic || $0.glyph == "%" }
        #expect(!written.isEmpty)
        for cell in written {
          let (light, dark) = (luminance(cell.style.ink), luminance(cell.style.paper))
          #expect((max(light, dark) + 0.05) / (min(light, dark) + 0.05) >= 4.5, "\(cell)")
        }
      }
    }
  }

  @Test("what is near passes faster: shore, hills, mountains")
  func parallax() {
    var moved = chase(gap: 10)
    let before = picture(moved, 160, 38)
    moved.walked = 3
    let after = picture(moved, 160, 38)
    func changes(_ material: Material) -> Int {
      let colour = Material.colours[Int(material.rawValue)]
      return zip(before.cells, after.cells).count {
        ($0.style.ink == colour || $0.style.paper == colour) != ($1.style.ink == colour || $1.style.paper == colour)
      }
    }
    #expect(changes(.pebble) > 20)
    #expect(changes(.mountain) < changes(.hill) + changes(.pebble))
    #expect(changes(.sky0) == 0)
  }

  @Test("a caught walker is in Nessie's mouth; one at the goal cheers and she dives")
  func ends() {
    var scene = chase(gap: 0)
    scene.state = .caught
    let caught = picture(scene, 80, 16)
    // Held up whole: the hair of his head, and both arms beside it.
    let (hair, arms) = (columns(.hair, of: caught), columns(.shirt, of: caught))
    #expect(hair.count == 3 && arms.count == 7)
    #expect(arms.first.map { hair.first ?? 0 > $0 } == true && arms.last.map { hair.last ?? 80 < $0 } == true)
    scene.state = .completed
    scene.gap = 8
    let won = picture(scene, 80, 16)
    #expect(columns(.shirt, of: won).count >= 5)
    #expect(columns(.nessie, of: won).count < columns(.nessie, of: picture(chase(gap: 8), 80, 16)).count)
  }

  @Test("the others of the room walk on the same shore with their names; those outside of it are at the edges")
  func companions() throws {
    var scene = chase(gap: 10)
    scene.companions = [
      .init(name: "Zoë", ahead: 6, state: .inProgress), .init(name: "Bob", ahead: 200, state: .inProgress),
      .init(name: "Cy", ahead: -90, state: .paused), .init(name: "Di", ahead: 0, state: .caught),
    ]
    for (width, rows) in Self.sizes.dropFirst() {
      let grid = picture(scene, width, rows)
      let text = grid.lines.joined(separator: "\n")
      #expect(text.contains("Zoë") && text.contains("Bob 200 m >") && text.contains("< Cy 90 m"))
      #expect(text.contains("< Di caught"))
      let zoe = try #require(columns(.shirt4, of: grid).min())
      #expect(zoe > (try #require(columns(.shirt, of: grid).max())))
    }
  }

  @Test("walkers at the same place, as before the start, have names above each other, and the own one is \"you\"")
  func sameStart() {
    var scene = chase(gap: 20)
    scene.state = .notStarted
    scene.companions = ["Zoë", "Bob", "Cy", "Dieter"].map { .init(name: $0, ahead: 0, state: .notStarted) }
    for (width, rows) in Self.sizes.dropFirst() {
      let lines = picture(scene, width, rows).lines
      for name in ["Zoë", "Bob", "Cy", "Dieter", "you"] {
        #expect(lines.count { $0.contains(name) } == 1, "\(name) at \(width)×\(rows)")
      }
    }
    scene.companions = []
    #expect(!picture(scene, 80, 16).lines.contains { $0.contains("you") })
  }

  @Test("a walker who overtakes another keeps shirt and lane, and names cover the signs of the way")
  func overtaking() throws {
    var scene = chase(gap: 10)
    let (ann, bob) = (ChaseScene.Companion(name: "Ann", ahead: 5, state: .inProgress), "Bob")
    var rows: [Int] = []
    for ahead in [1.0, 9] {
      let other = ChaseScene.Companion(name: bob, ahead: ahead, state: .inProgress)
      scene.companions = ahead > ann.ahead ? [other, ann] : [ann, other]
      scene.marks = []
      let grid = picture(scene, 160, 32)
      #expect(columns(.shirt1, of: grid).min().map { $0 > 112 } == true)
      let (first, second) = try (
        #require(columns(.shirt1, of: grid).min()), #require(columns(.shirt2, of: grid).min())
      )
      #expect((first < second) == (ann.ahead < ahead))
      rows.append(try #require(grid.lines.firstIndex { $0.contains("Ann") }))
      for place in stride(from: 3.0, through: 6, by: 0.25) {
        scene.marks = [place, 60]
        #expect(picture(scene, 160, 32).lines.contains { $0.contains("Ann") }, "a sign at \(place) m")
      }
    }
    #expect(rows[0] == rows[1])
  }

  @Test("without colours the shapes are there, also in ASCII")
  func withoutColours() {
    let unicode = picture(chase(gap: 8), 80, 16, depth: .none).lines.joined()
    #expect(unicode.contains("█") && unicode.contains("▀") && unicode.contains("░"))
    var grid = CellGrid(width: 80, height: 16)
    chase(gap: 8).draw(on: &grid, rows: 0..<16, style: .init(isUnicode: false, depth: .none))
    #expect(grid.lines.joined().contains("##") && grid.cells.allSatisfy { $0.glyph.isASCII })
  }

  @Test("figures that are no numbers and pictures of any size do not crash")
  func extremes() {
    for gap in [Double.nan, .infinity, -.infinity, -5, 1e300] {
      var scene = chase(gap: gap)
      scene.marks = [gap, 3]
      scene.companions = [.init(name: "", ahead: gap, state: .inProgress)]
      for width in [1, 2, 5, 29, 80] {
        for rows in [1, 2, 3, 9, 30] { _ = picture(scene, width, rows) }
      }
    }
  }
}

@Suite("ChaseMotion", .timeLimit(.minutes(30)))
struct ChaseMotionTests {
  private func frame(_ seconds: Double, walked: Double, swum: Double, cadence: Double = 2) -> ChaseFrame {
    ChaseFrame(
      time: .seconds(seconds), state: .inProgress, steps: Int(walked / 0.7), goal: 1000, distance: walked,
      nessieDistance: swum, gap: 20 + walked - swum, runner: 0, nessie: 0, cadence: cadence, velocity: 1.4,
      nessieVelocity: 1.25)
  }

  @Test("strokes once a second and bursts of steps become a steady motion that keeps up and never goes back")
  func steady() {
    var motion = ChaseMotion(isCalm: false)
    var (places, gaps): ([Double], [Double]) = ([], [])
    for tick in 0..<600 {
      let time = Double(tick) / 12
      // Steps are reported every two seconds, strokes every one.
      let walked = 1.4 * 2 * (time / 2).rounded(.down)
      motion.advance(
        to: frame(time, walked: walked, swum: 1.25 * time.rounded(.down)), by: .seconds(1.0 / 12))
      places.append(motion.scene().walked)
      gaps.append(motion.scene().gap)
    }
    let moves = zip(places.dropFirst(), places).dropFirst(60).map { $0 - $1 }
    #expect(moves.allSatisfy { $0 >= 0 && $0 < 3 * 1.4 / 12 })
    #expect(moves.count { $0 > 0 } > moves.count * 9 / 10)
    #expect(abs((places.last ?? 0) - 1.4 * 50) < 4)
    #expect(zip(gaps.dropFirst(), gaps).allSatisfy { abs($0 - $1) < 0.3 })
  }

  @Test("another walker at the same speed stays beside this one, although they are reported once a second")
  func beside() {
    var motion = ChaseMotion(isCalm: false)
    var places: [Double] = []
    for tick in 0..<480 {
      let time = Double(tick) / 12
      motion.advance(
        to: frame(time, walked: 1.4 * time, swum: 0), by: .seconds(1.0 / 12),
        opponents: [("Ann", 3 + 1.4 * time.rounded(.down))])
      places.append(motion.scene(opponents: [("Ann", .inProgress)]).companions.first?.ahead ?? 0)
    }
    // Three metres ahead, and never a whole second of walking behind that.
    #expect(places.dropFirst(120).allSatisfy { abs($0 - 3) < 1.2 })
  }

  @Test("a calm picture has no motion of its own: no waves, no legs, no scrolling")
  func calm() {
    var motion = ChaseMotion(isCalm: true)
    motion.advance(to: frame(0, walked: 0, swum: 0), by: .zero)
    motion.advance(to: frame(5, walked: 7, swum: 6), by: .seconds(5))
    let scene = motion.scene()
    #expect(scene.clock == 0 && scene.walked == 0 && scene.stride == nil)
    #expect(abs(scene.gap - 21) < 1e-9)
  }

  @Test("legs follow the cadence in real time, and stand without steps")
  func legs() {
    var motion = ChaseMotion(isCalm: false)
    motion.advance(to: frame(0, walked: 0, swum: 0), by: .zero)
    // A replay at fifty times the speed.
    motion.advance(to: frame(50, walked: 20, swum: 20), by: .seconds(1))
    #expect(motion.scene().stride == 2)
    motion.advance(to: frame(51, walked: 20, swum: 20, cadence: 0), by: .seconds(1))
    #expect(motion.scene().stride == nil)
  }

  @Test("waves and legs rest while the chase is paused, and move during it")
  func paused() {
    var motion = ChaseMotion(isCalm: false)
    var rest = frame(10, walked: 7, swum: 5)
    rest.state = .paused
    motion.advance(to: rest, by: .zero)
    let (clock, stride) = (motion.scene().clock, motion.scene().stride)
    motion.advance(to: rest, by: .seconds(1))
    #expect(motion.scene().clock == clock && motion.scene().stride == stride)
    motion.advance(to: frame(10, walked: 7, swum: 5), by: .seconds(1))
    #expect(motion.scene().clock == clock + 1)
  }

  @Test("the goal is as many metres away as steps are missing, at the mean step")
  func marks() {
    var motion = ChaseMotion(isCalm: true)
    motion.advance(to: frame(100, walked: 70, swum: 60), by: .zero)
    // 100 of 1000 steps in 70 m
    #expect(motion.scene().marks.map { $0.rounded() } == [105, 280, 455, 630])
  }
}

@Suite("The cadence of a chase", .timeLimit(.minutes(30)))
struct ChaseCadenceTests {
  @Test("the first report, late as it is, shows the true cadence and pace; without steps they become 0")
  func firstSeconds() throws {
    let pedometer = MockPedometer()
    let model = AppModel(pedometer: pedometer)
    try model.dataModel.setGoal(1000)
    try model.start()
    model.advance(to: .seconds(6))
    #expect(ChaseFrame(of: model).cadence == 0)
    // A detector reports the first ten steps at once, six seconds after the start.
    pedometer.sendData(
      WalkTotals(
        steps: 10, distanceTravelled: 7, elapsed: .seconds(6), currentCadence: 115.0 / 60, currentPace: 1 / 1.4))
    for second in 6...8 {
      model.advance(to: .seconds(second))
      #expect(abs(ChaseFrame(of: model).cadence * 60 - 115) < 1e-9 || second == 6)
    }
    #expect(abs(ChaseFrame(of: model).velocity - 1.4) < 1e-9)
    model.advance(to: .seconds(20))
    #expect(ChaseFrame(of: model).cadence == 0 && ChaseFrame(of: model).velocity == 0)
  }
}
