import Drawing
import Foundation
import JSONLines

/// Walks as Training Center XML, version 2, with Garmin's extension for cadence.
///
/// It counts strides, the pairs of steps, per minute; `Steps` counts steps. It requires calories, which are unknown: 0.
enum TCXFile {
  private static let head = """
    <?xml version="1.0" encoding="UTF-8"?>
    <TrainingCenterDatabase xmlns="http://www.garmin.com/xmlschemas/TrainingCenterDatabase/v2">
    <Activities>

    """
  private static let tail = "</Activities>\n</TrainingCenterDatabase>\n"
  private static let extensions = "http://www.garmin.com/xmlschemas/ActivityExtension/v2"

  static func document(of walks: [WalkActivity]) -> String { head + walks.map(activity).joined() + tail }

  /// One element `Activity`.
  static func activity(_ walk: WalkActivity) -> String {
    let start = time(walk.start)
    let kind = walk.said?.answer
    // Of the kinds of walking, the format knows running only.
    let note = walk.said?.name ?? (kind == "hike" ? "Hike" : nil)
    var text = """
      <Activity Sport="\(kind == "run" ? "Running" : "Other")"><Id>\(start)</Id>
      <Lap StartTime="\(start)"><TotalTimeSeconds>\(number(walk.duration, 3))</TotalTimeSeconds>\
      <DistanceMeters>\(number(walk.distance, 2))</DistanceMeters><Calories>0</Calories>\
      <Intensity>Active</Intensity><TriggerMethod>Manual</TriggerMethod>
      <Track>
      \(point(walk.start, 0, walk.parts.first?.cadence ?? 0))
      """
    var distance = 0.0
    for part in walk.parts {
      distance += part.distance
      text += point(part.end, distance, part.cadence)
    }
    return text + """
      </Track>
      <Extensions><LX xmlns="\(extensions)"><AvgRunCadence>\(strides(walk.cadence))</AvgRunCadence>\
      <Steps>\(min(walk.steps, 65_535))</Steps></LX></Extensions></Lap>
      \(note.map { "<Notes>\(SVG.escaped($0))</Notes>" } ?? "")</Activity>

      """
  }

  private static func point(_ time: Date, _ distance: Double, _ cadence: Double) -> String {
    "<Trackpoint><Time>\(self.time(time))</Time><DistanceMeters>\(number(distance, 2))</DistanceMeters>"
      + "<Extensions><TPX xmlns=\"\(extensions)\"><RunCadence>\(strides(cadence))</RunCadence></TPX></Extensions>"
      + "</Trackpoint>\n"
  }

  /// At most 254, as the schema demands.
  private static func strides(_ cadence: Double) -> Int { min(254, Int((cadence / 2).rounded())) }

  private static func number(_ value: Double, _ decimals: Int) -> String { Decimals.text(value, decimals) ?? "0" }

  private static func time(_ date: Date) -> String {
    date.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
  }
}
