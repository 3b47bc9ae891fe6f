import Accelerometry
import Recordings
import StepDetection

let reader = try RecordingReader(path: CommandLine.arguments[1])
