import ServiceCore
import Synchronization

/// Limits the number of long answers, in total and per client.
final class AnswerSlots: Sendable {
  /// A slot for one answer; it is free again when the slot is released.
  final class Slot: Sendable {
    private let slots: AnswerSlots
    private let client: String

    fileprivate init(_ slots: AnswerSlots, _ client: String) { (self.slots, self.client) = (slots, client) }

    deinit { slots.leave(client) }
  }

  private struct State {
    var all = 0
    var clients: [String: Int] = [:]
  }

  private let state = Mutex(State())
  private let limits: ServiceLimits

  init(_ limits: ServiceLimits) { self.limits = limits }

  /// Takes a slot.
  /// - Throws: a refusal if this client, or all of them together, have reached the limit.
  func take(_ client: String) throws(ServiceRefusal) -> Slot {
    let most = Loopback.includes(client) ? limits.longAnswers : limits.longAnswersOfClient
    let isFree = state.withLock { state in
      guard state.all < limits.longAnswers, state.clients[client, default: 0] < most else { return false }
      state.all += 1
      state.clients[client, default: 0] += 1
      return true
    }
    guard isFree else {
      throw ServiceRefusal(503, "too many long answers in progress; try again later, or ask for a shorter period")
    }
    return Slot(self, client)
  }

  private func leave(_ client: String) {
    state.withLock { state in
      state.all -= 1
      if let count = state.clients[client] { state.clients[client] = count > 1 ? count - 1 : nil }
    }
  }
}
