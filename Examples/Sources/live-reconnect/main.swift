// Counts the best sensor of this machine, and goes on when it is unplugged and comes back: live-reconnect [STEPS]

import Foundation
import LinuxSensors
import Pedometers

let goal = CommandLine.arguments.dropFirst().first.flatMap { Int($0) } ?? 100

let sensors = try SensorDiscovery().sensors().filter { $0.kind != .stepCounter }
guard let best = DiscoveredSensor.best(among: sensors, for: .lively) else {
  print("no accelerometer here that this user may read; 'pedometer doctor' says why")
  exit(0)
}

let source = try ReconnectingSource(best) { event in
  switch event {
  case .lost(let error): print("lost: \(error)")
  case .refused(let error): print("not yet: \(error)")
  case .back(let sensor): print("back: \(sensor.name)")
  }
}
print("counting with \(best.name) until \(goal) steps")
for try await update in WalkUpdates(of: source) {
  if !update.steps.isEmpty { print("\(update.walk.steps) steps, \(update.walk.currentCadence ?? 0) a second") }
  if update.walk.steps >= goal { break }
}
