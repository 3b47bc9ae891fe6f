import Platform
import Testing

@Suite("Token buckets", .timeLimit(.minutes(30))) struct TokenBucketsTests {
  @Test("a burst at once, then as fast as tokens are added, separately for each key")
  func rate() {
    var buckets = TokenBuckets(burst: 2, perSecond: 4)
    #expect(buckets.take("a", at: .zero) == nil && buckets.take("a", at: .zero) == nil)
    #expect(buckets.take("a", at: .zero) == .milliseconds(250))
    #expect(buckets.take("b", at: .zero) == nil)
    #expect(buckets.take("a", at: .milliseconds(125)) == .milliseconds(125))
    #expect(buckets.take("a", at: .milliseconds(250)) == nil)
    #expect(buckets.take("a", at: .milliseconds(250)) != nil)
    // A bucket does not fill beyond its capacity.
    #expect(buckets.take("a", at: .seconds(100)) == nil && buckets.take("a", at: .seconds(100)) == nil)
    #expect(buckets.take("a", at: .seconds(100)) != nil)
  }

  @Test("time that goes back removes no tokens")
  func backwards() {
    var buckets = TokenBuckets(burst: 2, perSecond: 1)
    #expect(buckets.take("a", at: .seconds(10)) == nil)
    #expect(buckets.take("a", at: .seconds(3)) == nil)
    #expect(buckets.take("a", at: .seconds(3)) == .seconds(1))
  }

  @Test("keys with full buckets are forgotten, others are not")
  func forgetting() {
    var buckets = TokenBuckets(burst: 1, perSecond: 1, remembered: 4)
    #expect(buckets.take("owes", at: .seconds(9)) == nil)
    for key in 0..<100 { #expect(buckets.take("\(key)", at: .seconds(9) + .milliseconds(key)) == nil) }
    buckets.forgetFull(at: .seconds(60))
    #expect(buckets.take("owes", at: .seconds(60)) == nil)
    #expect(buckets.take("owes", at: .seconds(60)) == .seconds(1))
  }
}
