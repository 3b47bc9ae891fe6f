import LiveSources

let pedometer = LivePedometer()
guard pedometer.pedometerAvailable, !pedometer.permissionDeclined else {
  fatalError("no usable sensor; run 'pedometer doctor'")
}

for try await walk in pedometer.updates {
  print(walk.steps)
  if walk.steps >= 100 { break }
}
