import HummingbirdTesting
import Pedometry
import Testing

@testable import PedometerService
@testable import ServiceHTTP

@Suite("the Prometheus metrics", .timeLimit(.minutes(30)))
struct ServiceMetricsTests {
  @Test("counters, gauges and histograms are written as text 0.0.4, in a fixed order")
  func text() {
    let metrics = ServiceMetrics(version: "\"\\\n")
    metrics.add(connections: 3)
    metrics.add(connections: -1)
    metrics.kept(in: .milliseconds(2))
    metrics.kept(in: .seconds(20))
    metrics.answered(route: "/b", method: "GET", status: 200, in: .zero)
    metrics.answered(route: "/a", method: "GET", status: 200, in: .zero)
    metrics.answered(route: "/b", method: "GET", status: 200, in: .zero)
    let lines = metrics.text.split(separator: "\n").map(String.init)
    #expect(
      lines.prefix(3) == [
        "# HELP pedometer_build_info Always 1; the label is the running version.", "# TYPE pedometer_build_info gauge",
        #"pedometer_build_info{version="\"\\\n"} 1"#,
      ])
    #expect(lines.contains("pedometer_http_connections 2") && lines.contains("# TYPE pedometer_http_connections gauge"))
    let writing = lines.filter { $0.hasPrefix("pedometer_history_write_delay_seconds") }
    #expect(
      writing.prefix(2) == [
        #"pedometer_history_write_delay_seconds_bucket{le="0.001"} 0"#,
        #"pedometer_history_write_delay_seconds_bucket{le="0.0025"} 1"#,
      ])
    #expect(
      writing.suffix(3) == [
        #"pedometer_history_write_delay_seconds_bucket{le="+Inf"} 2"#,
        "pedometer_history_write_delay_seconds_sum 20.002", "pedometer_history_write_delay_seconds_count 2",
      ])
    #expect(
      lines.filter { $0.hasPrefix("pedometer_http_requests_total") } == [
        #"pedometer_http_requests_total{method="GET",route="/a",status="200"} 1"#,
        #"pedometer_http_requests_total{method="GET",route="/b",status="200"} 2"#,
      ])
  }

  @Test("labels chosen by clients do not fill the memory")
  func cardinality() {
    let metrics = ServiceMetrics(version: "1")
    for number in 0..<2000 { metrics.answered(route: "\(number)", method: "GET", status: 200, in: .zero) }
    #expect(metrics.text.split(separator: "\n").count { $0.hasPrefix("pedometer_http_requests_total") } == 512)
  }

  @Test("/metrics contains the walk, the sources, the requests and the readers")
  func scrape() async throws {
    let service = try FakeService()
    // The figures do not come from published text.
    service.hub.publish(#"{"type":"data","t":1,"steps":1,"distanceTravelled":0.7,"cadence":1.5,"pace":null}"#)
    service.hub.publish(#"{"type":"data","t":2,"steps":2,"distanceTravelled":9.9,"cadence":9.9,"pace":null}"#)
    service.backend.state.withLock {
      $0.sources[0].walk = WalkTotals(steps: 42, distanceTravelled: 1.4, currentCadence: 1.75)
    }
    _ = try await service.ask(.get, "/api/today?x=1")
    _ = try await service.ask(.init("BREW")!, "/api/today")
    _ = try await service.ask(.get, "/whatever/a/client/makes/up")
    let answer = try await service.ask(.get, "/metrics")
    #expect(answer.headers[.contentType] == "text/plain; version=0.0.4; charset=utf-8")
    for line in [
      #"pedometer_build_info{version="1.2.3"} 1"#, #"pedometer_steps_total{source="synthetic:cadence=110"} 42"#,
      #"pedometer_distance_meters_total{source="synthetic:cadence=110"} 1.4"#,
      #"pedometer_cadence_steps_per_second{source="synthetic:cadence=110"} 1.75"#,
      #"pedometer_source_up{source="synthetic:cadence=110"} 1"#, "pedometer_sse_subscribers 0",
      #"pedometer_http_requests_total{method="GET",route="/api/today",status="200"} 1"#,
      #"pedometer_http_requests_total{method="other",route="/api/today",status="405"} 1"#,
      #"pedometer_http_requests_total{method="GET",route="none",status="404"} 1"#,
      #"pedometer_http_request_duration_seconds_count{route="/api/today"} 2"#, "pedometer_sse_events_total 2",
      #"pedometer_http_connections_dropped_total{reason="stalled"} 0"#,
    ] {
      #expect(answer.text.contains(line + "\n"), "\(line) is missing")
    }
  }

  @Test("a lost source is down and its cadence 0")
  func lost() async throws {
    let service = try FakeService()
    service.backend.state.withLock {
      $0.sources[0].walk = WalkTotals(steps: 42, distanceTravelled: 1.4, currentCadence: 1.75)
      $0.sources[0].state = .lost
    }
    let text = try await service.ask(.get, "/metrics").text
    #expect(text.contains(#"pedometer_source_up{source="synthetic:cadence=110"} 0"# + "\n"))
    #expect(text.contains(#"pedometer_cadence_steps_per_second{source="synthetic:cadence=110"} 0"# + "\n"))
  }
}
