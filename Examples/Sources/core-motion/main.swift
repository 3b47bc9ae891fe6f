// Prints the model's output for a number of seconds: core-motion [SECONDS]

let model = StepModel()
model.startCounting { print($0) }
try await Task.sleep(for: .seconds(CommandLine.arguments.dropFirst().first.flatMap { Double($0) } ?? 10))
model.stopCounting()
