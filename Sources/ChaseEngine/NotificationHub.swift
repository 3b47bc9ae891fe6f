/// Notifies observers at once, on the caller's thread.
///
/// Small and without Foundation on purpose: no queues, no threads, no process-wide instance. Everything that belongs
/// to one chase shares one hub and one owner; see <doc:ChaseEngine#One-owner>.
public final class NotificationHub {
  /// What a message is about.
  public struct Name: Sendable, Hashable {
    /// The name in text.
    public let rawValue: String

    /// Makes a name.
    public init(_ rawValue: String) { self.rawValue = rawValue }
  }

  /// What a listener gets.
  public struct Message {
    /// What has happened.
    public let name: Name
    /// Who says so.
    public let object: AnyObject?
    /// What else is to be known, by keys that belong to the name.
    public let userInfo: [AnyHashable: Any]
  }

  private struct Listener {
    let id: Int
    let name: Name
    let isSelective: Bool
    weak var object: AnyObject?
    let handler: (Message) -> Void

    func wants(_ message: Message) -> Bool {
      name == message.name && (!isSelective || (object != nil && object === message.object))
    }
  }

  private var listeners: [Listener] = []
  private var nextID = 0

  /// Makes a hub without listeners.
  public init() {}

  /// Listens until the token is cancelled or let go.
  /// - Parameters:
  ///   - name: what to listen for.
  ///   - object: whom to listen to; `nil` for everybody.
  ///   - handler: called while the message is being posted.
  public func addObserver(
    for name: Name, object: AnyObject? = nil, handler: @escaping (Message) -> Void
  ) -> ListenToken {
    nextID += 1
    let listener = Listener(
      id: nextID, name: name, isSelective: object != nil, object: object, handler: handler)
    listeners.append(listener)
    return ListenToken(hub: self, id: nextID)
  }

  /// Calls every listener, in the order in which they came. One that is cancelled meanwhile is not called any more;
  /// one that comes meanwhile hears the next message.
  public func post(name: Name, object: AnyObject? = nil, userInfo: [AnyHashable: Any] = [:]) {
    let message = Message(name: name, object: object, userInfo: userInfo)
    for listener in listeners where listener.wants(message) && isListening(listener.id) {
      listener.handler(message)
    }
  }

  fileprivate func isListening(_ id: Int) -> Bool { listeners.contains { $0.id == id } }

  fileprivate func remove(_ id: Int) { listeners.removeAll { $0.id == id } }
}

/// The right to go on listening. It ends with ``cancel()`` or with the token itself, so keep it.
public final class ListenToken {
  private weak var hub: NotificationHub?
  private let id: Int

  fileprivate init(hub: NotificationHub, id: Int) {
    self.hub = hub
    self.id = id
  }

  deinit { cancel() }

  /// Stops listening. A second call does nothing.
  public func cancel() {
    hub?.remove(id)
    hub = nil
  }

  /// Whether messages still arrive.
  public var isListening: Bool { hub?.isListening(id) ?? false }
}
