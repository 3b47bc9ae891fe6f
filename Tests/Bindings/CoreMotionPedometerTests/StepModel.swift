// A file of an iOS app, compiled here; only the import differs.
import CoreMotionPedometer
import Foundation

/// An app's display of today's steps.
final class StepModel: Sendable {
  private let pedometer: CMPedometer

  init(pedometer: CMPedometer = CMPedometer()) { self.pedometer = pedometer }

  static var isUsable: Bool {
    CMPedometer.isStepCountingAvailable() && CMPedometer.isDistanceAvailable() && CMPedometer.isPaceAvailable()
      && CMPedometer.isCadenceAvailable() && CMPedometer.isPedometerEventTrackingAvailable()
      && CMPedometer.authorizationStatus() == .authorized
  }

  func start(from date: Date, show: @escaping @Sendable (String) -> Void) {
    pedometer.queryPedometerData(from: date, to: date.addingTimeInterval(60)) { data, error in
      guard let data, error == nil else {
        switch CMError(UInt32((error as NSError?)?.code ?? 0)) {
        case CMErrorMotionActivityNotAuthorized: show("not authorized")
        case CMErrorMotionActivityNotAvailable: show("not available")
        default: show("failed")
        }
        return
      }
      show("first minute: \(data.numberOfSteps.intValue) steps, \(data.distance?.intValue ?? 0) m")
    }
    pedometer.startUpdates(from: date) { data, error in
      guard let data else { return }
      let floors = data.floorsAscended?.intValue ?? 0
      show("since then: \(data.numberOfSteps) steps, \(floors) floors, \(data.endDate >= data.startDate)")
      if let cadence = data.currentCadence?.doubleValue, let pace = data.currentPace?.doubleValue {
        show("\(cadence) steps/s, \(pace) s/m, \(data.averageActivePace ?? 0) on average")
      }
    }
    pedometer.startEventUpdates { event, _ in
      if let event { show(event.type == CMPedometerEventType.pause ? "paused" : "resumed") }
    }
  }

  func stop() {
    pedometer.stopUpdates()
    pedometer.stopEventUpdates()
  }
}
