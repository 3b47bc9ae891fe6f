import Pedometry

/// Returns the number of steps when the goal is reached.
func walk(to goal: Int, with pedometer: some Pedometer) async throws -> Int? {
  for try await walk in pedometer.updates where walk.steps >= goal { return walk.steps }
  return nil
}
