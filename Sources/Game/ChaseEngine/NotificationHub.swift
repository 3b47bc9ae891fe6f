/// Notifies observers at once, on the caller's thread.
///
/// It is deliberately small and does not use Foundation: no queues, no threads, no process-wide instance. All parts of
/// one chase share one hub and one owner; see <doc:ChaseEngine#One-owner>.
public final class NotificationHub {
  /// The name of a message.
  public struct Name: Sendable, Hashable {
    /// The name as text.
    public let rawValue: String

    /// Creates a name.
    public init(_ rawValue: String) { self.rawValue = rawValue }
  }

  /// The message for a listener.
  public struct Message {
    /// Its name.
    public let name: Name
    /// Its sender.
    public let object: AnyObject?
    /// Further data, by keys that belong to the name.
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

  /// Creates a hub without listeners.
  public init() {}

  /// Listens until the token is cancelled or released.
  /// - Parameters:
  ///   - name: the name of the messages.
  ///   - object: their sender; `nil` for all senders.
  ///   - handler: called while the message is being posted.
  public func addObserver(
    for name: Name, object: AnyObject? = nil, handler: @escaping (Message) -> Void
  ) -> ListenToken {
    nextID += 1
    let listener = Listener(id: nextID, name: name, isSelective: object != nil, object: object, handler: handler)
    listeners.append(listener)
    return ListenToken(hub: self, id: nextID)
  }

  /// Calls every listener, in order of registration. One that is cancelled meanwhile is no longer called; one that is
  /// added meanwhile gets the next message.
  public func post(name: Name, object: AnyObject? = nil, userInfo: [AnyHashable: Any] = [:]) {
    let message = Message(name: name, object: object, userInfo: userInfo)
    for listener in listeners where listener.wants(message) && isListening(listener.id) {
      listener.handler(message)
    }
  }

  fileprivate func isListening(_ id: Int) -> Bool { listeners.contains { $0.id == id } }

  fileprivate func remove(_ id: Int) { listeners.removeAll { $0.id == id } }
}

/// A subscription. It ends with ``cancel()`` or when the token is released, so keep it.
public final class ListenToken {
  private weak var hub: NotificationHub?
  private let id: Int

  fileprivate init(hub: NotificationHub, id: Int) { (self.hub, self.id) = (hub, id) }

  deinit { cancel() }

  /// Stops listening. A second call has no effect.
  public func cancel() {
    hub?.remove(id)
    hub = nil
  }

  /// Whether messages still arrive.
  public var isListening: Bool { hub?.isListening(id) ?? false }
}
