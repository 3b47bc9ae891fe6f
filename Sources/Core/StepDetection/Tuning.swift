/// The constants of the detector, with their units and origins.
///
/// "Grid": chosen by trying values on labelled recordings, with one setting for all, in the flat middle of the optimum rather
/// than at its maximum. "Fitted": computed by `detector-lab fit` from a folder of labelled recordings.
enum Tuning {
  // MARK: Resampling

  /// Cells a second: two harmonics of the human step rate, which ends at 3 steps/s. Grid: 25 Hz gained nothing.
  static let cellFrequency = 12.5
  /// The width of a cell in nanoseconds: 80 ms, exactly.
  static let cellNanoseconds: Int64 = 80_000_000
  /// After a gap of more than this (ns), the rhythm starts again: two steps may be missing.
  static let gapNanoseconds: Int64 = 1_000_000_000
  /// Samples this far apart (ns) are slow, and sharpened: 5 to 22 Hz. At 25 Hz or more there is too little to correct.
  static let slowNanoseconds: ClosedRange<Int64> = 45_000_000...200_000_000
  /// The share of a slow sample's distance from the line between its neighbours that is added to it. Lines between
  /// means over a period T pass 1 − (πfT)²/2 of a small frequency f; this adds as much, and ± 20 % change little.
  static let sharpening: Float = 0.25
  /// How long the last cell is held at the end of a run, so that the last blocks can be evaluated: 38 cells, 3 s.
  static let heldCells = 38
  /// No accelerometer reports more than 10⁵ g (here squared). Larger values are invalid and would overflow sums.
  static let largestAccelerationSquared: Float = 1e10

  // MARK: Damaged samples

  /// A sample with all lanes smaller than this (g) is not examined: sensors have ranges of 2 g or more.
  static let unremarkable: Float = 1.82
  /// This many samples are screened, then resampled, while they are in the cache.
  static let screenedAtOnce = 512
  /// A sample as close as this to the previous one (g, squared) is neither a spike nor an overflow.
  static let smallestJumpSquared: Float = 4
  /// A spike is this far (g, squared) from its neighbours.
  static let smallestSpikeSquared: Float = 9
  /// And this many times as far as they are from each other, squared: the samples around a foot's impact differ too.
  static let spikeRatioSquared: Float = 25
  /// If samples are slower than this (ns), a real impact is as short as a spike, so a spike must be larger.
  static let slowSpikeInterval: Int64 = 25_000_000
  static let largeSlowSpikeSquared: Float = 121
  static let largeSlowSpikeRatioSquared: Float = 36
  /// Or clearer: this far (g, squared), and this many times as far as its neighbours are from each other.
  static let clearSlowSpikeSquared: Float = 25
  static let clearSlowSpikeRatioSquared: Float = 64
  /// The neighbours of a spike are within this time (ns).
  static let spikeNeighbourhood: Int64 = 300_000_000
  /// The smallest and the largest range of an accelerometer, ± g; each range is twice the previous one.
  static let ranges: ClosedRange<Float> = 2...16
  /// After adding twice the range, overflowed samples differ from their neighbours by at most this share of it.
  static let overflowStep: Float = 0.6
  /// The same once a sensor is known to overflow.
  static let knownOverflowStep: Float = 0.9
  /// An overflow lasts no longer than this (ns).
  static let longestOverflow: Int64 = 150_000_000
  /// The end of a range is recognised after this many samples have reached it.
  static let saturatedSamples = 6
  /// Saturation for longer than this (ns) is not repaired.
  static let longestPlateau: Int64 = 250_000_000
  /// A sensor is frozen after this many equal cells: 1.5 s.
  static let frozenCells = 19
  /// Motion must follow within this many cells: 1 s.
  static let resumedCells = 12
  /// Motion changes the squared magnitude by more than this (g²) from cell to cell, on average.
  static let frozenMotion: Float = 0.05
  /// A squared magnitude (g²) as close as this to 1 may be a sensor at rest.
  static let gravityAlone: Float = 0.1
  /// At this interval (ns) or more, sampling is checked for being too slow: 27 Hz.
  static let watchedInterval: Float = 37_000_000
  /// The check uses parts of this length (ns), of which this many must show motion, in g² about their mean.
  static let watchedBlock: Int64 = 2_000_000_000
  static let fewestWatchedBlocks = 4
  static let watchedMotion: Float = 0.01
  /// Impacts fall between the samples if the distance from the line between neighbours has this share of the movement's
  /// square, and this r.m.s. in g. Found on walks of five positions, decimated and averaged to 10 to 25 Hz.
  static let impactShare = 0.7
  static let impactSize = 0.7
  /// Below this frequency (Hz) these values suffice.
  static let foldedFrequency = 14.0
  static let foldedShare = 1.2
  static let foldedSize = 0.2

  // MARK: Rest

  /// A sample this far (g, squared) from the mean of a rest ends it: (0.05 g)². 0.02 to 0.08 make little difference.
  static let restSquared: Float = 0.0025
  /// The most samples of the mean, a multiple of eight; half of them remain.
  static let restSamples = 256
  /// Samples that are alike for less than this (ns) are no rest, but the beginning of a recording in a movement: two cells.
  static let shortestRest: Int64 = 160_000_000
  /// A movement begins as if after a rest of this many cells, 1.92 s. 48 make no difference; without, walks on feet were lost.
  static let restCells = 24

  // MARK: Restoring gravity

  /// Weight of a new cell in the mean acceleration: a time constant of 4 s.
  static let gravityTracking: Float = 0.02
  /// Mean acceleration (g, squared) below which gravity has been removed: (0.25 g)². At rest with gravity it is 1.
  static let gravityGoneSquared: Float = 0.0625
  /// Mean acceleration (g, squared) above which gravity is present: (0.6 g)². Far from the other, for hysteresis.
  static let gravityBackSquared: Float = 0.36
  /// A first cell shorter than this (g, squared) lacks gravity: (0.3 g)².
  static let firstCellLightSquared: Float = 0.09
  /// The decay of the main direction of movement per cell: a time constant of 2 s.
  static let directionMemory: Float = 0.96

  /// Movement without gravity is reported if it is not counted although it repeats this well, above this r.m.s. (g), for 10 s.
  static let uncertainScore: Float = 0.8
  static let uncertainAmplitude: Float = 0.05
  static let uncertainBlocks = 21

  // MARK: Peaks

  /// Band of steps, 1.2-2.5 Hz, Butterworth of second order at 12.5 Hz, as two biquads (bilinear transform). Computed, like
  /// ``highPass``: a stored global is initialised lazily and checked at every cell.
  @inline(__always)
  static var bandPass: (Biquad<Float>, Biquad<Float>) {
    (
      Biquad(b0: 0.07203780, b1: 0.14407559, b2: 0.07203780, a1: -0.63302229, a2: 0.57576392),
      Biquad(b0: 1, b1: -2, b2: 1, a1: -1.33069018, a2: 0.69251813)
    )
  }
  /// From a peak in the magnitude to that of the band-pass, in seconds: its group delay near 1.8 Hz less half a cell.
  static let peakDelay = 0.30
  /// From the foot strike to the peak of the band-passed magnitude, in seconds: the circular mean over the labelled strikes of
  /// 83 walks; 0.12-0.19 s in hand, armband, pocket, bag, pouch and on the lower back, 0.08 s on the foot.
  static let strikeLead = 0.15
  /// A local maximum lower than this (g) is noise.
  static let lowestPeak: Float = 0.005
  /// Two peaks are at least this far apart, in seconds: walkers take at most 5 steps a second.
  static let peakSpacing = 0.2

  // MARK: Blocks and the search for the stride

  /// Cells in a block, 0.48 s. With twice as many, four beginnings of a recording differed by 1.6 instead of 1.1 %.
  static let blockCells = 6
  /// Cells compared with their past: four blocks, 1.92 s.
  static let windowCells = 24
  /// The longest lag in cells: 1.92 s, a stride at 1.04 steps/s.
  static let longestLag = 24
  /// Removes gravity and posture before autocorrelation: high-pass at 0.5 Hz, Butterworth of second order.
  @inline(__always)
  static var highPass: Biquad<SIMD4<Float>> {
    Biquad(b0: 0.83708919, b1: -1.67417838, b2: 0.83708919, a1: -1.64745998, a2: 0.70089678)
  }
  /// Cadence (steps/s) expected in a window twice as long, at any amplitude; its logarithm.
  static let logSlowCadence: Float = 0
  /// The r.m.s. of the magnitude (g) below which such a window is quiet: slow walkers hardly move up and down.
  static let slowQuietAmplitude: Float = 0.006
  /// The minimum height of a counted peak of a slow walk, in g.
  static let smallestSlowPeak: Float = 0.005
  /// From the centre of a window twice as long to that of the ordinary one, in blocks: 0.96 s.
  static let slowDelay = 2
  /// A slow walk begins at this evidence, which five seconds of it give. With 12, unseen people had 28 instead of 18 false steps an hour.
  static let slowEntryEvidence: Float = 32
  /// The same if a walk has ended less than ``restartBlocks`` ago.
  static let slowRestartEntryEvidence: Float = 12
  /// This many blocks after a walk, the longer window no longer contains it.
  static let slowRest = 12
  /// Stride lags searched, in cells: 0.48-1.84 s, 4.2 to 1.09 steps/s.
  static let strideLags = 6...23
  /// Weight of the magnitude's correlation at the stride's lag, beside 1 for the three axes. Grid.
  static let magnitudeAtStride: Float = 0.5
  /// Weight of the magnitude's correlation at half the stride, which is the step. Grid.
  static let magnitudeAtStep: Float = 0.2
  /// Weight of the cadence prior: cost per squared distance in ln(cadence). Grid.
  static let priorWeight: Float = 1.2
  /// Cadence (steps/s) expected at ``priorAmplitude``. Grid; 111 steps/min, a usual walk.
  static let priorCadence: Float = 1.85
  /// The logarithm of ``priorCadence``, which the search uses; a test checks that the two agree.
  static let logPriorCadence: Float = 0.615_185_64
  /// Expected cadence grows with the amplitude to this power: running is both faster and rougher. Grid.
  static let priorExponent: Float = 0.25
  /// The r.m.s. of the magnitude (g) at which ``priorCadence`` is expected. Grid.
  static let priorAmplitude: Float = 0.25
  /// If the axes repeat this well after half the lag, and the magnitude after a quarter by ``octaveMagnitude``, the lag
  /// is two strides: within one, the magnitude is inverted after a quarter. 0.3 to 0.6 make little difference.
  static let octaveAxes: Float = 0.25
  /// The same as a share of how well they repeat after the whole lag, for strides of one hard and one soft step.
  static let octaveShare: Float = 0.5
  /// 0.1 to 0.4 make little difference.
  static let octaveMagnitude: Float = 0.2
  /// The r.m.s. magnitude (g) from which the movement is running. A running arm swings the magnitude once a stride, so
  /// that a quarter of two strides, one step, neither repeats nor inverts it. 0.4 to 0.6 make no difference.
  static let runningAmplitude: Float = 0.5
  /// The same if two strides are at least so many cells: a run of up to 3.1 steps/s. Shorter ones may be quick walks.
  static let slowRunAmplitude: Float = 0.3
  static let slowRunLag = 16
  /// The limit for the magnitude in that case. One stride with this amplitude has −0.3 or less. 0 to −0.2 make no difference.
  static let runningOctaveMagnitude: Float = -0.1
  /// Quick walking has at least this r.m.s. magnitude (g). With 0.1, made walks of a weak bounce lost half of their steps.
  static let octaveAmplitude: Float = 0.05
  /// Below this the magnitude must repeat better after a quarter: a slow walk of a limb is as weak, and repeats a little.
  static let weakAmplitude: Float = 0.1
  static let weakOctaveMagnitude: Float = 0.3
  /// The ratio of amplitudes is clipped to this range.
  static let priorRatio: ClosedRange<Float> = 0.3...4

  // MARK: The gate

  /// Evidence of a block too quiet to be walking.
  static let quietEvidence: Float = -8
  /// The r.m.s. of the magnitude (g) below which a block is quiet. Grid.
  static let quietAmplitude: Float = 0.015
  /// Added to an amplitude (g) before its logarithm, so that the logarithm of zero stays finite.
  static let amplitudeFloor: Float = 0.003
  /// Evidence is clipped to these bounds, in log-odds, so that a single window cannot outvote all others.
  static let leastEvidence: Float = -8
  static let mostEvidence: Float = 6
  /// How much a recognised movement speaks against walking, in log-odds. With 10, without ramps, walks were lost to strokes.
  static let recognisedObjection: Float = 6
  /// Weight of a block in the means of ``RecognisedMovement``: a time constant of 8 s. With 4 s, a tenth more false steps.
  static let recognition: Float = 1 / 16
  /// The same in a walk, where the shape is computed every 4 s.
  static let recognitionInWalk: Float = 0.5
  /// Sharp strokes upwards speak against walking from these limits of their means on: the skewness of the jerks along
  /// gravity, ln of the largest jerk (g), the skewness of the acceleration along gravity, ln of the kurtosis of the
  /// magnitude with its sign changed. The medians of dribbling are 0.4, 1, 0.8 and −1.1; of walks at any place at least
  /// one is clearly lower. Without the last, feet and shanks were lost.
  @inline(__always)
  static var strokeLimits: SIMD4<Float> { SIMD4(0, 0, 0.4, -1.6) }
  /// This far above all limits a movement is certain, so that no single value decides.
  static let strokeRamp: Float = 0.2
  /// The same for pedals: the fundamental's shares in the magnitude and along gravity. Walks have at most 0.66 and 0.34.
  static let pedalLimits: (once: Float, along: Float) = (0.5, 0.35)
  static let pedalRamp: Float = 0.1
  /// The same for lifted limbs. Every one of those walks is nearly a ramp below at least one of them.
  @inline(__always)
  static var liftLimits: SIMD4<Float> { SIMD4(0.27, 0.13, -1.22, -2.23) }
  @inline(__always)
  static var liftRamps: SIMD4<Float> { SIMD4(0.04, 0.04, 0.08, 0.12) }
  /// Beats four times a stride, from this correlation on: but for three walks, the means are below 0.03.
  static let beatLimit: Float = 0.2
  static let beatRamp: Float = 0.1
  /// They are soft below this ln of g over (steps/s)²: 5.9 mm. Without it one made walk in thirty was lost, with 8 mm one in 80.
  static let softLimit: Float = -4.08
  /// A movement is faint below this ln of g over (steps/s)², 5.3 mm. The weakest walks have 4.4 to 8 mm, breath and coughs 2 to 6.
  static let faintLimit: Float = -4.2
  static let faintRamp: Float = 0.5
  /// ln of the cadence (steps/s) from which a movement may be running, whose wrist pulls up as sharply: 2.2 steps/s.
  static let logStrokeCadence: Float = 0.8

  // MARK: Known walks

  /// Log-odds for each unit of the stride's score above the next. In a flat middle, as are all of a known walk.
  static let knownRhythm: Float = 5
  /// The score of a stride that speaks neither for nor against steps. With 0.32, shuffling and pauses lose walks.
  static let knownScore: Float = 0.28
  /// A block is weak below this share of the walk's usual strength, as a logarithm: 0.45.
  static let knownShare: Float = 0.8
  /// What each unit of ln(strength) below that costs.
  static let knownWeakness: Float = 8
  /// Weights of a block in the usual strength if it is stronger, and weaker: a walk that begins after standing decides at once.
  static let knownStronger: Float = 0.25
  static let knownWeaker: Float = 0.02
  /// By how much the score of a window twice as long has to be better.
  static let knownSlowScore: Float = 0.3
  /// A known walk begins at this evidence, slow or not.
  static let knownEntryEvidence: Float = 4

  // MARK: Learned walks

  /// What the models should say of the learned examples, in log-odds, and one in how many may have less. 4 to 6 differ little.
  static let learnedEvidence: Float = 5
  static let learnedRarity = 10
  /// The most that is added to a model.
  static let mostRelief: Float = 8
  /// The mean squared distance from the examples, in units of the next, from which nothing is added. 3 to 6 differ little.
  static let learnedRadius: Float = 4
  /// How far mean ``BlockFeatures/values`` of one person's recordings are apart: standard deviations over 330 persons and places.
  @inline(__always)
  static var spreadOfWalks: InlineArray<20, Float> {
    [
      0.30, 0.19, 0.20, 0.14, 0.14, 0.19, 0.21, 0.20, 0.19, 0.11, 0.15, 0.17, 0.14, 0.15, 0.16, 0.21, 0.20, 0.43, 0.16,
      0.11,
    ]
  }
  /// Weight of a block in the mean that is compared: 4 s. Single blocks vary more than people.
  static let learnedTracking: Float = 0.125
  static let fewestLearnedBlocks: Float = 3

  // MARK: Decisions

  /// The share of its evidence that a block adds to the balance: windows overlap by three quarters.
  static let evidenceShare: Float = 0.5
  /// A block's evidence must exceed this to change the state, in log-odds. Grid. With 0.3, walks went on for a step or two.
  static let evidenceFee: Float = 0.1
  /// The same while there is no walk: movements that repeat by chance take longer to prove a walk than walks do.
  static let beginningFee: Float = 0.4
  /// The evidence that proves a walk without a fee, and the log-odds to which each block is limited there.
  static let mildEvidence: Float = 15
  static let mildLimit: Float = 2
  /// The evidence lost per unit change of ln cadence from block to block, before a walk begins: gait keeps its cadence.
  static let changeCost: Float = 1.5
  /// A recording without a step is a walk at its end if some stretch of it has this evidence without a fee, and this much
  /// for each block since the movement began, since chance finds more in a longer one.
  static let likelyEvidence: Float = 4
  static let likelyEvidencePerBlock: Float = 0.1
  /// A movement is steady if its stride score is above the first, and its cadence (steps/s) in the range.
  static let steadyScore: Float = 1
  static let steadyCadence: ClosedRange<Float> = 1.25...3.17
  /// Below this evidence, in log-odds, it is recognised as another movement: with gravity ``RecognisedMovement`` does that first.
  static let recognisedEvidence: (usual: Float, withoutGravity: Float) = (-5, -2)
  /// After 10 s its rhythm begins to speak for a walk, 14 s later by this evidence, in log-odds.
  static let steadyBlocks: Float = 20
  static let steadyRise: Float = 30
  static let steadyEvidence: Float = 2
  /// For how many blocks more the contribution of the shape stays in a walk. The shape spans 3.84 s.
  static let shapeStaysInWalk = 7
  /// Walking begins at this evidence: after 1.5 s of a clear walk, or 5 s with log-odds of 2. Trades missed for false steps.
  static let entryEvidence: Float = 6.5
  /// The same if a walk has ended less than ``restartBlocks`` ago, since people usually walk on.
  static let restartEntryEvidence: Float = 4
  /// 30 s.
  static let restartBlocks = 62
  /// The maximum of the balance of a walk, which ends at zero: after two or three seconds of standing, not by a turn. Grid.
  static let fullEvidence: Float = 9
  /// A walk is counted up to this many blocks before the newest.
  static let blocksBehind = 3
  /// Doubtful blocks wait until the balance is full again, but not longer than this: 5 s after the foot strike.
  static let blocksHeld = 8
  /// The number of blocks before the newest that the balance may use to prove a walk.
  static let blocksGivenBack = 8
  /// The number of blocks that are searched for the most likely beginning: 20 s.
  static let blocksSearched = 41
  /// A window is representative for this time (s) beyond its centre on either side.
  static let edge = 0.5
  /// From the end of a block to the centre of its window, in seconds: half the window, and the delay of the filter.
  static let centreDelay = 0.96 + 0.55
  /// The minimum height of a counted peak, as a share of the running peak height. Grid.
  static let relativePeakHeight: Float = 0.25
  /// The minimum height of a counted peak, in g. Grid.
  static let smallestStepPeak: Float = 0.015
  /// Weight of a new peak in the running peak height.
  static let peakHeightTracking: Float = 0.1
  /// The maximum number of peaks that are added before the first and after the last accepted window.
  static let extraPeaks = 4
  /// An added peak is this many periods from its neighbour: one weak peak at the edge of a walk may be missing.
  static let extraPeakPeriods: ClosedRange<Float> = 0.6...2
  /// And has at least this share of the running peak height. 0.35 to 0.55 make little difference.
  static let extraPeakHeight: Float = 0.4
  /// If the evidence between two peaks falls below this, in log-odds, the walker may have paused: steps between them then
  /// need smaller peaks. Without this, 1.5 steps too many were counted in each pause of two or three steps.
  static let doubtfulEvidence: Float = -1
  /// The minimum height of such a smaller peak, as a share of the running peak height. 0.1 to 0.2 make little difference.
  static let lesserPeakHeight: Float = 0.15
  /// The share of the fractional phase that is removed at each peak, so that the rhythm follows the peaks.
  static let phasePull: Float = 0.1
  /// The default latency: the maximum delay of a step in live counts, in seconds.
  static let longestDelay = 6.0
  /// The latency for recordings, in seconds.
  static let longestRevision = 20.0
  /// How much longer an announced step is kept before it is retracted, in seconds: the strike is before the peak.
  static let announcementGrace = strikeLead + 0.1
  /// Two steps are at least this far apart, in seconds.
  static let stepSpacing = 0.2
  /// The interval (s) at which cadence is integrated between two peaks.
  static let phaseInterval = 0.2
}
