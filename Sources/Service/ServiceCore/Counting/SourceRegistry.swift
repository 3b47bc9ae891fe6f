import Synchronization

/// The sources' accounts, for parts that are created before them.
package final class SourceRegistry: Sendable {
  private let list = Mutex<[SourceAccount]>([])

  package init() {}

  package var accounts: [SourceAccount] {
    get { list.withLock { $0 } }
    set { list.withLock { $0 = newValue } }
  }

  package func add(_ account: SourceAccount) { list.withLock { $0.append(account) } }

  package var states: [SourceState] { accounts.map(\.state) }

  package var signals: [SourceSignal] { accounts.map(\.signal) }
}
