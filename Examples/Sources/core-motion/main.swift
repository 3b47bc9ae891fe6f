// Shows what the model says for so many seconds: core-motion [SECONDS]

let model = StepModel()
model.startCounting { print($0) }
try await Task.sleep(for: .seconds(CommandLine.arguments.dropFirst().first.flatMap { Double($0) } ?? 10))
model.stopCounting()
