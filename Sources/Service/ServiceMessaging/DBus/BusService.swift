import Foundation
import Logging
import Platform
import ServiceCore
import ServiceLifecycle

/// The bus on which the figures are available.
package enum BusPlace: Sendable, Hashable, CustomStringConvertible {
  case session, system
  /// An address, for tests.
  case address(String)

  package var description: String {
    switch self {
    case .session: "the session bus"
    case .system: "the system bus"
    case .address(let address): address
    }
  }
}

/// Offers the figures as properties of an object on D-Bus.
package struct BusService: Service {
  let place: BusPlace
  let clock: ServiceClock
  let figures: @Sendable () async -> PublishedFigures
  let logger: Logger

  /// The time between two looks at the figures.
  static let interval = Duration.seconds(2)
  /// A connection that lasts this long resets the back-off.
  static let calm = Duration.seconds(60)

  package init(
    place: BusPlace, clock: ServiceClock, figures: @escaping @Sendable () async -> PublishedFigures, logger: Logger
  ) {
    (self.place, self.clock, self.figures, self.logger) = (place, clock, figures, logger)
  }

  /// Runs until the service ends. A bus that is missing, or ends, is tried again with exponential back-off.
  package func run() async throws {
    await cancelWhenGracefulShutdown {
      var backoff = Backoff()
      var told: String?
      while !Task.isCancelled {
        let start = clock.elapsed()
        let reason = await serve()
        if Task.isCancelled { return }
        if told.changes(to: reason) { logger.warning("D-Bus: \(place): \(reason); trying again") }
        if clock.elapsed() - start >= Self.calm { backoff.reset() }
        try? await clock.sleep(backoff.next())
      }
    }
  }

  /// One connection; returns why it ended.
  private func serve() async -> String {
    let (ends, end) = AsyncStream.makeStream(of: String.self)
    let connection = BusConnection(
      place, ready: { [logger, place] in logger.notice("D-Bus: \(BusObject.name) is on \(place)") },
      ended: { end.yield($0) })
    defer { connection.close() }
    return await withTaskGroup(of: String?.self) { group in
      group.addTask { await ends.first { _ in true } }
      group.addTask {
        while !Task.isCancelled {
          connection.publish(BusObject.properties(of: await figures()))
          try? await clock.sleep(Self.interval)
        }
        return nil
      }
      let reason = await group.next() ?? nil
      group.cancelAll()
      return reason ?? "closed"
    }
  }
}

enum BusObject {
  static let name = "org.pedometer.Pedometer1"
  static let path = "/org/pedometer/Pedometer1"

  /// A value; `nil` if it is unknown.
  enum Value: Hashable {
    case number(Int?)
    case real(Double?)
    case flag(Bool?)
    case text(String)
    case pairs([[String]])

    var type: String {
      switch self {
      case .number: "t"
      case .real: "d"
      case .flag: "b"
      case .text: "s"
      case .pairs: "a(ss)"
      }
    }
  }

  struct Property: Hashable {
    var name: String
    var value: Value
  }

  static func properties(of figures: PublishedFigures) -> [Property] {
    let cadence = figures.cadence
    return [
      Property(name: "StepsToday", value: .number(figures.today?.steps)),
      Property(name: "DistanceToday", value: .real(figures.today?.distanceTravelled)),
      Property(name: "Goal", value: .number(figures.today.map { $0.goal ?? 0 })),
      Property(name: "Total", value: .number(figures.total?.steps)),
      Property(name: "Distance", value: .real(figures.total?.distanceTravelled)),
      Property(name: "Cadence", value: .real(cadence)),
      Property(name: "Walking", value: .flag(cadence.map { $0 > 0 })),
      Property(name: "Sources", value: .pairs(figures.sources.map { [$0.uri, $0.state.rawValue] })),
      Property(name: "Problem", value: .text(figures.problem ?? "")),
      Property(name: "Page", value: .text(figures.page ?? "")),
    ]
  }

  /// The introspection document, which is also installed.
  static let introspection = String(decoding: PackageResources.org_pedometer_Pedometer1_xml, as: UTF8.self)
}
