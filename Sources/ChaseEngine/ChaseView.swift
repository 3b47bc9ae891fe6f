/// The picture of a chase without a screen: which pictures, and where they go. The app draws it.
///
/// Open, so that a partial mock can watch what it is told.
open class ChaseView {
  /// The pictures, by the founding names.
  public enum Picture: String, Sendable, Hashable, CaseIterable {
    case nessie = "Nessie"
    case nessieSleeping = "NessieSleeping"
    case nessieLost = "NessieLost"
    case nessieWon = "NessieWon"
    case runner = "Runner"
    case runnerPaused = "RunnerPaused"
    case runnerWon = "RunnerWon"
    case runnerEaten = "RunnerEaten"
  }

  /// Where a picture goes: whole units from the left and from the top.
  public struct Frame: Sendable, Hashable {
    public var x: Int
    public var y: Int
    public var width: Int
    public var height: Int

    /// Makes a frame.
    public init(x: Int, y: Int, width: Int, height: Int) {
      self.x = x
      self.y = y
      self.width = width
      self.height = height
    }
  }

  /// Which state the pictures show.
  public var state: AppState = .notStarted
  /// How much of the goal is walked, 0 to 1.
  public private(set) var runner = 0.0
  /// How far along the runner's own way Nessie is, 0 to 1; 1 is at the runner.
  public private(set) var nessie = 0.0
  /// Whether something has changed since the last layout.
  public private(set) var needsLayout = true

  /// Makes a view of a chase that has not started.
  public init() {}

  /// Stores how far both are and asks for a layout. What lies outside of 0 to 1 counts as the nearer end, what is no
  /// number as 0.
  open func updateState(runner: Double, nessie: Double) {
    self.runner = Self.fraction(runner)
    self.nessie = Self.fraction(nessie)
    needsLayout = true
  }

  /// The picture of Nessie in this state.
  public var nessiePicture: Picture {
    switch state {
    case .notStarted, .paused: .nessieSleeping
    case .inProgress: .nessie
    case .completed: .nessieLost
    case .caught: .nessieWon
    }
  }

  /// The picture of the runner in this state.
  public var runnerPicture: Picture {
    switch state {
    case .notStarted, .paused: .runnerPaused
    case .inProgress: .runner
    case .completed: .runnerWon
    case .caught: .runnerEaten
    }
  }

  /// Places both pictures at the lower edge of an area and takes note that the layout is done.
  /// - Parameters:
  ///   - width: of the area; both pictures stay within it if it holds one.
  ///   - height: of the area.
  ///   - icon: edge of a picture; 100 in the founding units.
  public func layout(width: Int, height: Int, icon: Int = 100) -> (runner: Frame, nessie: Frame) {
    needsLayout = false
    let track = Double(max(0, width - icon))
    let y = max(0, height - icon)
    let place = { (x: Double) in Frame(x: Int(x.rounded(.down)), y: y, width: icon, height: icon) }
    return (runner: place(runner * track), nessie: place(nessie * runner * track))
  }

  private static func fraction(_ value: Double) -> Double { value.isNaN ? 0 : min(max(value, 0), 1) }
}
