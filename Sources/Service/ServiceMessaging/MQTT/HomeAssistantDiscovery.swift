import JSONLines

/// The messages by which Home Assistant finds the service: one for each entity, retained.
///
/// `object_id` is left out, because Home Assistant replaces it by another key that older versions do not know.
struct HomeAssistantDiscovery: Sendable {
  let topics: MQTTTopics
  /// The prefix of the topics, usually `homeassistant`.
  let prefix: String
  let name: String
  let version: String
  /// The address of the live page, if Home Assistant may be able to open it.
  let page: String?

  private struct Entity {
    var component = "sensor"
    var key: String
    var name: String
    /// The key in ``PublishedFigures/state``.
    var value: String
    var icon: String?
    var deviceClass: String?
    var stateClass: String?
    var unit: String?
    var precision: Int?
    var isDiagnostic = false
    var hasDetails = false
  }

  private static let entities = [
    Entity(
      key: "steps", name: "Steps", value: "steps", icon: "mdi:shoe-print", stateClass: "total_increasing",
      unit: "steps", precision: 0),
    Entity(
      key: "steps_today", name: "Steps today", value: "stepsToday", icon: "mdi:shoe-print",
      stateClass: "total_increasing", unit: "steps", precision: 0),
    Entity(
      key: "distance", name: "Distance", value: "distanceTravelled", deviceClass: "distance",
      stateClass: "total_increasing", unit: "m", precision: 0),
    Entity(
      key: "distance_today", name: "Distance today", value: "distanceToday", deviceClass: "distance",
      stateClass: "total_increasing", unit: "m", precision: 0),
    Entity(
      key: "active_time_today", name: "Walking time today", value: "activeTimeToday", deviceClass: "duration",
      stateClass: "total_increasing", unit: "s", precision: 0),
    Entity(key: "goal", name: "Goal", value: "goal", icon: "mdi:flag-checkered", unit: "steps", precision: 0),
    Entity(
      key: "cadence", name: "Cadence", value: "stepsPerMinute", icon: "mdi:metronome", stateClass: "measurement",
      unit: "steps/min", precision: 0),
    Entity(
      component: "binary_sensor", key: "goal_reached", name: "Goal reached", value: "goalReached",
      icon: "mdi:flag-checkered"),
    Entity(component: "binary_sensor", key: "walking", name: "Walking", value: "walking", deviceClass: "moving"),
    Entity(
      component: "binary_sensor", key: "problem", name: "Sensor problem", value: "problem", deviceClass: "problem",
      isDiagnostic: true, hasDetails: true),
  ]

  var messages: [MQTTMessage] {
    Self.entities.map { entity in
      MQTTMessage("\(prefix)/\(entity.component)/\(topics.device)/\(entity.key)/config", payload(entity))
    }
  }

  private func payload(_ entity: Entity) -> String {
    var line = JSONLine([
      "name": entity.name, "unique_id": "\(topics.device)_\(entity.key)", "state_topic": topics.state,
      "value_template": "{{ value_json.\(entity.value) }}",
    ])
    if entity.component == "binary_sensor" {
      line.add("payload_on", PublishedFigures.yes)
      line.add("payload_off", PublishedFigures.no)
    }
    let texts = [
      ("unit_of_measurement", entity.unit), ("device_class", entity.deviceClass), ("state_class", entity.stateClass),
      ("icon", entity.icon), ("entity_category", entity.isDiagnostic ? "diagnostic" : nil),
      ("json_attributes_topic", entity.hasDetails ? topics.sources : nil),
    ]
    for (key, text) in texts { if let text { line.add(key, text) } }
    if let precision = entity.precision { line.add("suggested_display_precision", precision) }
    line.add([
      "availability_topic": topics.availability, "payload_available": MQTTTopics.online,
      "payload_not_available": MQTTTopics.offline, "qos": 1,
    ])
    var device = JSONLine([
      "identifiers": [topics.device], "name": name, "manufacturer": "Pedometer for Linux", "model": "pedometerd",
      "sw_version": version,
    ])
    if let page { device.add("configuration_url", page) }
    line.add("device", device)
    let origin = JSONLine(["name": "pedometerd", "sw_version": version])
    line.add("origin", origin)
    return line.object
  }
}
