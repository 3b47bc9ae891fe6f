// Counts the steps in a recording: count-file walk.csv

import Accelerometry
import Recordings
import StepDetection

guard CommandLine.arguments.count == 2 else { fatalError("usage: count-file FILE") }

let reader = try RecordingReader(path: CommandLine.arguments[1])
var counter = WalkCounter(stepLength: .walkRatio(height: 1.72), latency: StepDetector.longestRevision)
var samples: [AccelerationSample] = []
while try reader.read(into: &samples) { counter.process(samples.span) }
counter.finish()

print("\(counter.steps) steps, \(Int(counter.distanceTravelled.rounded())) m")
for warning in reader.summary.warnings { print("warning: \(warning)") }
