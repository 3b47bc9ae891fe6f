import HummingbirdTesting
import Metrics
import Pedometry
import Testing

@testable import PedometerService
@testable import ServiceHTTP

@Suite("the Prometheus metrics", .timeLimit(.minutes(30)))
struct PrometheusMetricsTests {
  @Test("counters, gauges and histograms are written as text 0.0.4, in a fixed order")
  func text() {
    let metrics = PrometheusMetrics(help: ["a_total": "What\\ a\nis."])
    Counter(label: "a_total", dimensions: [("z", "1"), ("b", "\"\\\n")], factory: metrics).increment(by: 2)
    Counter(label: "a_total", dimensions: [("b", "0")], factory: metrics).increment()
    Meter(label: "g", factory: metrics).set(1.5)
    let timer = Timer(label: "t_seconds", factory: metrics)
    timer.recordMilliseconds(2)
    timer.recordSeconds(20)
    let lines = metrics.text().split(separator: "\n").map(String.init)
    #expect(
      lines.prefix(6) == [
        #"# HELP a_total What\\ a\nis."#, "# TYPE a_total counter", #"a_total{b="0"} 1"#,
        #"a_total{b="\"\\\n",z="1"} 2"#, "# HELP g What the program records as g.", "# TYPE g gauge",
      ])
    #expect(lines[6] == "g 1.5" && lines[8] == "# TYPE t_seconds histogram")
    #expect(lines.contains(#"t_seconds_bucket{le="0.001"} 0"#) && lines.contains(#"t_seconds_bucket{le="0.0025"} 1"#))
    #expect(lines.suffix(3) == [#"t_seconds_bucket{le="+Inf"} 2"#, "t_seconds_sum 20.002", "t_seconds_count 2"])
  }

  @Test("the same name and labels are the same series, regardless of the creator")
  func identity() {
    let metrics = PrometheusMetrics()
    for _ in 0..<3 { Counter(label: "a_total", dimensions: [("b", "1"), ("c", "2")], factory: metrics).increment() }
    Counter(label: "a_total", dimensions: [("c", "2"), ("b", "1")], factory: metrics).increment()
    #expect(metrics.text().hasSuffix("a_total{b=\"1\",c=\"2\"} 4\n"))
  }

  @Test("labels chosen by clients do not fill the memory")
  func cardinality() {
    let metrics = PrometheusMetrics()
    for label in 0..<2000 { Counter(label: "a_total", dimensions: [("b", "\(label)")], factory: metrics).increment() }
    #expect(metrics.text().split(separator: "\n").count == 2 + 512)
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
