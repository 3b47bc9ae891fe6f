import ChaseEngine
import ChaseScenery
import Platform
import Terminals

/// The picture of a chase: the loch in the evening, Nessie in the water, the walker on the shore.
///
/// The camera follows the walker. What is far away passes more slowly: mountains, hills, water, shore. It is pure: the
/// same scene and size give the same picture.
struct ChaseScene {
  /// Another walker of the room.
  struct Companion: Hashable {
    var name: String
    /// Metres ahead of this walker.
    var ahead: Double
    var state: AppState
  }

  var state = AppState.notStarted
  /// Metres walked.
  var walked = 0.0
  /// Metres from Nessie to the walker.
  var gap = 20.0
  /// The gap as the figures say it, in metres, while the picture lags behind; `nil` for the same.
  var toldGap: Double?
  /// The phase of the walk, in steps; `nil` for a walker who stands.
  var stride: Double?
  /// Seconds for what moves by itself, such as waves; constant in a calm picture.
  var clock = 0.0
  /// Metres to each quarter of the goal, and to the goal itself; negative behind the walker.
  var marks: [Double] = []
  /// The others, the leader first.
  var companions: [Companion] = []

  /// The places of everything in a picture of a size.
  struct Layout {
    let width: Int
    let height: Int
    /// The edge of a sprite's pixel; zero for the small sprites.
    let scale: Int
    /// The first rows of pixels of the loch and of the shore.
    let loch: Int
    let shore: Int
    /// The row of the walker's feet.
    let feet: Int
    /// The column of the walker.
    let walker: Int
    /// Pixels for a metre of the shore.
    let metre: Double

    /// Places everything in so many columns and rows of cells.
    init(width: Int, rows: Int) {
      self.width = width
      height = 2 * rows
      scale = height < 20 || width < 50 ? 0 : min(height < 64 ? 1 : height < 100 ? 2 : 3, max(1, width / 60))
      let shoreHeight = max(2, height * 16 / 100)
      shore = max(1, height - shoreHeight)
      loch = max(1, shore - max(2, height * 30 / 100))
      feet = height - 1 - shoreHeight / 3
      walker = width * 70 / 100
      metre = min(max(Double(width) / 40, 0.8), 5)
    }

    var walkerWidth: Int { scale == 0 ? 3 : 7 * scale }
    var walkerHeight: Int { scale == 0 ? 4 : 11 * scale }
    /// Where Nessie's neck meets the water.
    var waterline: Int { loch + (shore - loch) * 3 / 4 }
    var headWidth: Int { scale == 0 ? 4 : 11 * scale }
    /// Her head and two of her humps, which are always in sight.
    private var bodyWidth: Int { headWidth + (scale == 0 ? 7 : 19 * scale) }
    /// No distance behind the walker is further on the picture.
    private var reach: Double { Double(max(4, walker - bodyWidth)) }

    /// The pixels of a distance behind the walker: near ones have the scale of the shore, further ones are ever more
    /// compressed, so that Nessie is in sight at any distance and still moves.
    func pixels(behind metres: Double) -> Double {
      guard metres.isFinite else { return reach }
      let pixels = min(max(metres, 0), 10_000) * metre
      return pixels * reach / (pixels + reach)
    }

    /// Whether a distance behind the walker is shown at less than half of its scale.
    func isCompressed(_ metres: Double) -> Bool { metres * metre > reach }
  }

  func draw(on grid: inout CellGrid, rows: Range<Int>, style: ScreenStyle) {
    let layout = Layout(width: grid.width, rows: rows.count)
    var canvas = PixelCanvas(width: layout.width, rows: rows.count)
    drawLand(on: &canvas, layout)
    drawLoch(on: &canvas, layout)
    drawNessie(on: &canvas, layout)
    drawShore(on: &canvas, layout)
    for (index, companion) in lanes.reversed() {
      draw(companion, index, on: &canvas, layout)
    }
    if state != .caught { drawWalker(on: &canvas, layout) }
    canvas.show(on: &grid, row: rows.lowerBound, style: style)
    label(on: &grid, rows: rows, layout, style)
  }

  /// More do not fit side by side.
  static let mostCompanions = 4

  /// The leading companions, each in a lane and a shirt that do not change when one overtakes the other.
  var lanes: [(index: Int, companion: Companion)] {
    let sorted = companions.prefix(Self.mostCompanions).sorted { $0.name < $1.name }
    return sorted.enumerated().map { ($0.offset, $0.element) }
  }
}

// MARK: - the landscape

extension ChaseScene {
  private func drawLand(on canvas: inout PixelCanvas, _ layout: Layout) {
    let sky = Material.sky
    let visible = max(1, layout.loch * 3 / 4)
    for y in 0..<layout.loch { canvas.fill(rows: y..<y + 1, sky[min(y * sky.count / visible, sky.count - 1)]) }
    for star in 0..<layout.width / 9 {
      let place = Noise.hash(star &* 7 &+ 3)
      canvas[Int(place % UInt64(layout.width)), Int(place / 977 % UInt64(max(1, layout.loch / 3)))] = .star
    }
    // Distances in pixels: what is ten times as far passes ten times as slowly.
    drawRidge(.mountain, share: 0.55, scroll: 0.06, period: 22, seed: 11, on: &canvas, layout)
    drawCastle(on: &canvas, layout)
    drawRidge(.hill, share: 0.26, scroll: 0.22, period: 14, seed: 5, on: &canvas, layout)
  }

  private func drawRidge(
    _ material: Material, share: Double, scroll: Double, period: Double, seed: Int, on canvas: inout PixelCanvas,
    _ layout: Layout
  ) {
    let tall = Double(layout.loch) * share
    let first = Int((walked * layout.metre * scroll).rounded(.down))
    // On a larger window the ridges are larger, too.
    let period = period * Double(max(1, layout.scale))
    for x in 0..<layout.width {
      let place = Double(first + x) / period
      let height = tall * (0.35 + 0.5 * Noise.smooth(place, seed) + 0.15 * Noise.smooth(place * 3.1, seed + 1))
      canvas.fill(column: x, rows: layout.loch - Int(height.rounded())..<layout.loch, material)
    }
  }

  /// One ruin in some hundred metres, between the mountains and the hills.
  private func drawCastle(on canvas: inout PixelCanvas, _ layout: Layout) {
    guard layout.scale > 0 else { return }
    let every = Double(layout.width) * 2.2
    let left = Double(layout.width) * 0.72 - (walked * layout.metre * 0.22).truncatingRemainder(dividingBy: every)
    for x in [left, left + every] {
      canvas.draw(.castle, x: Int(x), bottom: layout.loch - layout.loch / 9, scale: layout.scale)
    }
  }

  private func drawLoch(on canvas: inout PixelCanvas, _ layout: Layout) {
    let water = Material.water
    let depth = max(1, layout.shore - layout.loch)
    let first = Int((walked * layout.metre * 0.5).rounded(.down))
    for y in layout.loch..<layout.shore {
      canvas.fill(rows: y..<y + 1, water[min((y - layout.loch) * water.count / depth, water.count - 1)])
      // Each wave glints for half of its period, and the periods differ, so that few pixels change at a time.
      for x in 0..<layout.width {
        let place = Noise.hash((first + x) / 3 &* 131 &+ y &* 7919)
        if place % 17 == 0, (Int(clock) + Int(place >> 20 & 7)) & 3 < 2 { canvas[x, y] = .glint }
      }
    }
  }

  private func drawShore(on canvas: inout PixelCanvas, _ layout: Layout) {
    canvas.fill(rows: layout.shore..<layout.height, .sand)
    let first = Int((walked * layout.metre).rounded(.down))
    for x in 0..<layout.width {
      if Noise.hash((first + x) / 2) % 5 < 2 { canvas[x, layout.shore] = .grass }
      for y in layout.shore + 1..<max(layout.shore + 1, layout.height)
      where Noise.hash((first + x) &* 31 &+ y &* 1009) % 23 == 0 {
        canvas[x, y] = .pebble
      }
    }
    for (index, ahead) in marks.enumerated() {
      guard let x = column(ahead: ahead, layout) else { continue }
      let isGoal = index == marks.count - 1
      let sprite =
        layout.scale == 0
        ? (isGoal ? Sprite.smallFinish : .smallMilestone) : isGoal ? Sprite.finish : .milestone
      canvas.draw(sprite, x: x, bottom: layout.shore + max(1, layout.scale), scale: max(1, layout.scale))
    }
  }

  /// The column of another walker; `nil` if they are not in the picture.
  func column(of companion: Companion, _ layout: Layout) -> Int? {
    guard companion.state != .caught else { return nil }
    if companion.ahead >= 0 { return column(ahead: companion.ahead, layout) }
    // Behind the walker by the scale of Nessie, so that everybody is on the right side of her.
    guard companion.ahead > -Self.farBehind else { return nil }
    return layout.walker - Int(layout.pixels(behind: -companion.ahead).rounded())
  }

  /// Metres; who is further behind is named at the edge.
  private static let farBehind = 40.0

  /// The column of a place on the shore; `nil` if it is not in the picture.
  private func column(ahead: Double, _ layout: Layout) -> Int? {
    guard ahead.isFinite, abs(ahead) < 10_000 else { return nil }
    let column = layout.walker + Int((ahead * layout.metre).rounded())
    return column > -4 * layout.walkerWidth && column < layout.width ? column : nil
  }
}

// MARK: - who moves

extension ChaseScene {
  /// The column of the tip of Nessie's nose; behind the walker unless she has arrived.
  func nose(_ layout: Layout) -> Int {
    if state == .caught { return layout.walker + layout.walkerWidth / 2 }
    let behind = gap.isNaN ? 0 : layout.pixels(behind: gap)
    return min(layout.walker - Int(behind.rounded()), layout.walker - 1)
  }

  func showsNessie(_ layout: Layout) -> Bool { nose(layout) > 1 }

  private func drawNessie(on canvas: inout PixelCanvas, _ layout: Layout) {
    let (small, size) = (layout.scale == 0, max(1, layout.scale))
    let nose = nose(layout)
    let sinks = state == .completed ? (small ? 2 : 5 * size) : 0
    let bob = { (phase: Double) in
      Int((sin(2 * .pi * (clock * 0.45 + phase)) * (small ? 0.5 : Double(size))).rounded())
    }
    let sleeps = state == .notStarted || state == .paused
    let waterline = layout.waterline
    let left = nose - layout.headWidth + 1
    for (index, hump) in [(6, 5, 4), (15, 4, 3), (23, 3, 2)].enumerated() {
      let (offset, radius, height) = small ? (hump.0 / 3, 2, index == 2 ? 1 : 2) : (hump.0, hump.1, hump.2)
      let rise = height * size + bob(Double(index) * 0.3) - sinks
      let centre = left - offset * size
      drawWake(centre, radius * size, on: &canvas, waterline)
      canvas.drawHump(
        centre: centre, bottom: waterline, radius: radius * size, height: rise, edge: .nessieDark, .nessie)
    }
    canvas.draw(
      Self.head(of: state, isSmall: small), x: left,
      bottom: waterline - (sleeps ? 0 : bob(0.15)) + sinks * 2 + (sleeps ? 0 : size), scale: size,
      above: waterline + 1)
    drawWake(left + 2 * size, 3 * size, on: &canvas, waterline)
  }

  static func head(of state: AppState, isSmall: Bool) -> Sprite {
    switch state {
    case .caught: isSmall ? .smallFedHead : .fedHead
    case .notStarted, .paused: isSmall ? .smallSleepingHead : .sleepingHead
    case .inProgress, .completed: isSmall ? .smallHead : .head
    }
  }

  /// Foam where something leaves the water; it drifts backwards.
  private func drawWake(_ centre: Int, _ radius: Int, on canvas: inout PixelCanvas, _ waterline: Int) {
    let isMoving = state == .inProgress
    for x in centre - radius - (isMoving ? radius : 1)...centre + radius + 1 {
      let drift = isMoving ? Int(clock * 5) : 0
      if (x + drift + 10_000) % 5 < 3 { canvas[x, waterline + 1] = .foam }
    }
  }

  private func drawWalker(on canvas: inout PixelCanvas, _ layout: Layout) {
    let sprite = Self.walker(of: state, stride: stride, isSmall: layout.scale == 0)
    canvas.draw(sprite, x: layout.walker, bottom: layout.feet, scale: max(1, layout.scale))
  }

  static func walker(of state: AppState, stride: Double?, isSmall: Bool) -> Sprite {
    if state == .completed { return isSmall ? .smallCheering : .cheering }
    guard state == .inProgress, let stride else { return isSmall ? .smallStanding : .standing }
    let pictures = isSmall ? Sprite.smallWalking : Sprite.walking
    return pictures[Int(stride * 2) & 3]
  }

  private func draw(_ companion: Companion, _ index: Int, on canvas: inout PixelCanvas, _ layout: Layout) {
    guard let x = column(of: companion, layout) else { return }
    let phase = companion.state == .inProgress ? stride.map { $0 + 0.5 * Double(index + 1) } : nil
    let sprite = Self.walker(of: companion.state, stride: phase, isSmall: layout.scale == 0)
    canvas.draw(
      sprite.wearing(Material.shirts[index % Material.shirts.count]), x: x, bottom: feet(of: index, layout),
      scale: max(1, layout.scale))
  }

  /// The others walk a little further from the viewer.
  func feet(of index: Int, _ layout: Layout) -> Int {
    max(layout.shore, layout.feet - (index + 1) * max(1, layout.scale))
  }

  private func label(on grid: inout CellGrid, rows: Range<Int>, _ layout: Layout, _ style: ScreenStyle) {
    // On the dark of the castle it can be read on any sky.
    let ink = CellStyle(
      ink: Material.colours[Int(Material.ink.rawValue)], paper: Material.colours[Int(Material.castle.rawValue)],
      isBold: true)
    labelMarks(on: &grid, rows: rows, layout, ink)
    // Names are above each other, where walkers are at the same place, with a space on each side.
    var taken: [(row: Int, columns: Range<Int>)] = []
    func put(_ text: String, _ centre: Int, _ row: Int) {
      let width = ScreenText.columns(text)
      let left = min(max(0, centre - width / 2), grid.width - width)
      let columns = left - 1..<left + width + 1
      let isFree = { (row: Int) in !taken.contains { $0.row == row && $0.columns.overlaps(columns) } }
      guard let free = Swift.stride(from: row, through: rows.lowerBound, by: -1).first(where: isFree) else { return }
      taken.append((free, left..<left + width))
      grid.put(text, at: left, free, ink)
    }
    if !companions.isEmpty, state != .caught {
      let top = max(rows.lowerBound, rows.lowerBound + (layout.feet - layout.walkerHeight) / 2 - 1)
      put("you", layout.walker + layout.walkerWidth / 2, top)
    }
    for (index, companion) in lanes {
      let name = ScreenText.visible(companion.name, isUnicode: style.isUnicode, columns: 12)
      if let x = column(of: companion, layout), x >= 0 {
        let top = (feet(of: index, layout) - layout.walkerHeight) / 2 - 1 - index % 2
        put(name, x + layout.walkerWidth / 2, max(rows.lowerBound, rows.lowerBound + top))
      } else {
        let isAhead = companion.ahead > 0
        let text = "\(isAhead ? "" : "< ")\(name) \(away(companion))\(isAhead ? " >" : "")"
        let left = isAhead ? grid.width - ScreenText.columns(text) : 0
        grid.put(text, at: left, rows.lowerBound + min(index, rows.count - 1), ink)
      }
    }
    if state == .inProgress, !showsNessie(layout) || layout.isCompressed(gap) {
      let isShown = showsNessie(layout)
      let text = (isShown ? "" : "< Nessie ") + "\(ScreenText.number(toldGap ?? gap, digits: 0)) m"
      let top = (layout.waterline - (layout.scale == 0 ? 4 : 13 * layout.scale)) / 2 - 1
      let column = isShown ? max(0, nose(layout) - layout.headWidth + 1) : 0
      let row = rows.lowerBound + (isShown ? max(0, top) : layout.waterline / 2)
      grid.put(text, at: column, row, ink)
    }
    if state == .notStarted || state == .paused, showsNessie(layout) {
      let row = rows.lowerBound + (layout.waterline - (layout.scale == 0 ? 2 : 4 * layout.scale)) / 2
      grid.put("z Z z", at: max(0, nose(layout) - 2), max(rows.lowerBound, row), ink)
    }
  }

  /// The share of the way at each mark but the goal.
  private func labelMarks(on grid: inout CellGrid, rows: Range<Int>, _ layout: Layout, _ ink: CellStyle) {
    guard layout.scale > 0 else { return }
    for (index, ahead) in marks.dropLast().enumerated() {
      guard let x = column(ahead: ahead, layout) else { continue }
      let top = (layout.shore + layout.scale - Sprite.milestone.height * layout.scale) / 2 - 1
      grid.put("\(25 * (index + 1)) %", at: x, max(rows.lowerBound, rows.lowerBound + top), ink)
    }
  }

  private func away(_ companion: Companion) -> String {
    companion.state == .caught ? "caught" : "\(ScreenText.number(abs(companion.ahead), digits: 0)) m"
  }
}

/// Repeatable irregularity.
enum Noise {
  static func hash(_ value: Int) -> UInt64 { SplitMix64.mix(UInt64(bitPattern: Int64(value)) &+ SplitMix64.increment) }

  /// Value noise: a smooth curve through random values at whole numbers; 0 to 1.
  static func smooth(_ place: Double, _ seed: Int) -> Double {
    let cell = place.rounded(.down)
    let part = place - cell
    let value = { (cell: Int) in Double(hash(cell &* 1_000_003 &+ seed) >> 11) * 0x1p-53 }
    let (left, right) = (value(Int(cell)), value(Int(cell) + 1))
    return left + (right - left) * part * part * (3 - 2 * part)
  }
}
