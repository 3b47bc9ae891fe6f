/// The picture of a chase without a screen: the images and their positions. The app draws it.
///
/// Open, so that a partial mock can observe its calls.
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

  /// The position of a picture: whole units from the left and from the top.
  public struct Frame: Sendable, Hashable {
    public var x: Int
    public var y: Int
    public var width: Int
    public var height: Int
  }

  /// The state that the pictures show.
  public var state: AppState = .notStarted
  /// The share of the goal that is walked, 0 to 1.
  public private(set) var runner = 0.0
  /// Nessie's position on the runner's way, 0 to 1; 1 is at the runner.
  public private(set) var nessie = 0.0
  /// Whether something has changed since the last layout.
  public private(set) var needsLayout = true

  /// Creates a view of a chase that has not started.
  public init() {}

  /// Stores the progress of both and requests a layout. Values outside of 0 to 1 are clamped; NaN counts as 0.
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

  /// Places both pictures at the lower edge of an area and marks the layout as done.
  /// - Parameters:
  ///   - width: of the area; both pictures stay within it if one fits.
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
