import Accelerometry
import Recordings
import StepDetection

let reader = try RecordingReader(path: CommandLine.arguments[1])
var counter = WalkCounter(stepLength: .walkRatio(height: 1.72), latency: StepDetector.longestRevision)
var samples: [AccelerationSample] = []
while try reader.read(into: &samples) { counter.process(samples.span) }
counter.finish()
