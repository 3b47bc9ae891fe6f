/// Every constant of the detector: what it means, its unit, and how it was found.
///
/// "Grid" means: chosen by trying values on labelled walks of wrist, phone, lower back and foot and on recordings
/// without walking, one setting for all, looking for the flat middle of the optimum, not for its tip. "Fitted" means:
/// computed by `detector-lab fit`; run it on any folder of labelled recordings.
enum Tuning {
  // MARK: Resampling

  /// Cells a second. Gait has its energy below 6 Hz; the human step rate ends at 3 steps/s, so 12.5 Hz keeps two
  /// harmonics and makes the work after resampling the same for every sensor. Grid: 25 Hz gained nothing.
  static let cellFrequency = 12.5
  /// The width of a cell in nanoseconds: 80 ms, exactly.
  static let cellNanoseconds: Int64 = 80_000_000
  /// Without a sample for longer than this (ns), rhythm starts anew: two steps may be missing.
  static let gapNanoseconds: Int64 = 1_000_000_000
  /// Samples this far apart (ns) are slow, and sharpened: 5 to 22 Hz. From 25 Hz on there is too little to mend.
  static let slowNanoseconds: ClosedRange<Int64> = 45_000_000...200_000_000
  /// How much of a slow sample's distance from the line between its neighbours is added to it. Lines between means over
  /// a period T pass 1 − (πfT)²/2 of a frequency f, for small fT; this adds as much. Scaling it by 0.8 to 1.2 changes
  /// little.
  static let sharpening: Float = 0.25
  /// How long the last cell is held at the end of a run, so that the last blocks can be judged: 38 cells, 3 s.
  static let heldCells = 38
  /// No accelerometer reports more than 10⁵ g (here squared). Beyond it lies nonsense that would overflow sums.
  static let largestAccelerationSquared: Float = 1e10

  // MARK: Damaged samples

  /// A sample with no lane as large as this (g) is not looked at: sensors have ranges of 2 g or more.
  static let unremarkable: Float = 1.82
  /// So many samples are screened, then resampled, while they are in the cache.
  static let screenedAtOnce = 512
  /// A sample as close as this to the one before (g, squared) is neither a spike nor an overflow.
  static let smallestJumpSquared: Float = 4
  /// A spike is this far (g, squared) from what surrounds it.
  static let smallestSpikeSquared: Float = 9
  /// And this many times as far as that is from itself, squared: the samples around a foot's impact are apart too.
  static let spikeRatioSquared: Float = 25
  /// Where samples come more slowly than this (ns), a real impact is as short as a spike, which must be larger then.
  static let slowSpikeInterval: Int64 = 25_000_000
  static let largeSlowSpikeSquared: Float = 121
  static let largeSlowSpikeRatioSquared: Float = 36
  /// Or clearer: so far (g, squared), and so many times as far as what surrounds it from itself.
  static let clearSlowSpikeSquared: Float = 25
  static let clearSlowSpikeRatioSquared: Float = 64
  /// What surrounds a spike lies within this time (ns).
  static let spikeNeighbourhood: Int64 = 300_000_000
  /// The smallest and the largest range of an accelerometer, in g either way; each is twice the one before.
  static let ranges: ClosedRange<Float> = 2...16
  /// With twice the range added, overflowed samples differ from their neighbours by this share of it at most.
  static let overflowStep: Float = 0.6
  /// So much once a sensor is known to overflow.
  static let knownOverflowStep: Float = 0.9
  /// An overflow lasts no longer than this (ns).
  static let longestOverflow: Int64 = 150_000_000
  /// A range's end has been reached by this many samples before it is believed to be one.
  static let saturatedSamples = 6
  /// Saturation for longer than this (ns) is not mended.
  static let longestPlateau: Int64 = 250_000_000
  /// A sensor is frozen from this many equal cells: 1.5 s.
  static let frozenCells = 19
  /// Motion is looked for in this many cells after: 1 s.
  static let resumedCells = 12
  /// Motion changes the squared magnitude by more than this (g²) from cell to cell, in the mean.
  static let frozenMotion: Float = 0.05
  /// A squared magnitude (g²) as close as this to 1 may be a sensor at rest.
  static let gravityAlone: Float = 0.1
  /// From this distance on (ns) it is watched whether samples come too slowly: 27 Hz.
  static let watchedInterval: Float = 37_000_000
  /// It is watched in parts of this length (ns), of which this many must show motion, in g² about their mean.
  static let watchedBlock: Int64 = 2_000_000_000
  static let fewestWatchedBlocks = 4
  static let watchedMotion: Float = 0.01
  /// Impacts fall between the samples where the distance from the line between neighbours has this share of the
  /// movement's square, and this r.m.s. in g. Found on a foot's, knees', pockets', wrists' and backs' walks, decimated and averaged to
  /// 10 to 25 Hz.
  static let impactShare = 0.7
  static let impactSize = 0.7
  /// Below this frequency (Hz) half as much is too much.
  static let foldedFrequency = 14.0
  static let foldedShare = 1.2
  static let foldedSize = 0.2

  // MARK: Gravity put back where the platform removed it

  /// Weight of a new cell in the mean acceleration: a time constant of 4 s.
  static let gravityTracking: Float = 0.02
  /// Mean acceleration (g, squared) below which gravity has been removed: (0.25 g)². At rest it would be 1.
  static let gravityGoneSquared: Float = 0.0625
  /// Mean acceleration (g, squared) above which gravity is there: (0.6 g)². Far from the other, against flutter.
  static let gravityBackSquared: Float = 0.36
  /// A first cell shorter than this (g, squared) lacks gravity: (0.3 g)².
  static let firstCellLightSquared: Float = 0.09
  /// What of the main direction of movement survives a cell: a time constant of 2 s.
  static let directionMemory: Float = 0.96

  // MARK: Peaks

  /// Band of steps, 1.2-2.5 Hz, Butterworth of second order at 12.5 Hz, as two biquads (bilinear transform).
  ///
  /// Computed, as is ``highPass``: the compiler then sees constants, where a stored global is initialised lazily and
  /// asked for at every cell.
  @inline(__always)
  static var bandPass: (Biquad<Float>, Biquad<Float>) {
    (
      Biquad(b0: 0.07203780, b1: 0.14407559, b2: 0.07203780, a1: -0.63302229, a2: 0.57576392),
      Biquad(b0: 1, b1: -2, b2: 1, a1: -1.33069018, a2: 0.69251813)
    )
  }
  /// Group delay of the band-pass near 1.8 Hz less half a cell, in seconds: taken off, a peak stands where the
  /// magnitude had it.
  static let peakDelay = 0.30
  /// From the foot's strike to the peak of the band-passed magnitude, in seconds: the body is still falling when the
  /// heel strikes, and is thrown up hardest when the leg takes the load. The circular mean over the labelled strikes of
  /// 83 walks; 0.12-0.19 s in hand, armband, pocket, bag, pouch and on the lower back, 0.08 s on the foot.
  static let strikeLead = 0.15
  /// A local maximum lower than this (g) is noise.
  static let lowestPeak: Float = 0.005
  /// Two peaks are at least this far apart, in seconds: nobody makes more than 5 steps a second.
  static let peakSpacing = 0.2

  // MARK: Blocks and the search for the stride

  /// Cells in a block: 0.48 s, one evidence each. With twice as many, when a recording began decided what was counted in
  /// it: 1.6 % between the beginnings, instead of 1.1.
  static let blockCells = 6
  /// Cells compared with their past: four blocks, 1.92 s.
  static let windowCells = 24
  /// The longest lag in cells: 1.92 s, a stride at 1.04 steps/s.
  static let longestLag = 24
  /// Takes gravity and posture away before autocorrelation: high-pass at 0.5 Hz, Butterworth of second order.
  @inline(__always)
  static var highPass: Biquad<SIMD4<Float>> {
    Biquad(b0: 0.83708919, b1: -1.67417838, b2: 0.83708919, a1: -1.64745998, a2: 0.70089678)
  }
  /// Cadence (steps/s) expected in a window twice as long, whatever the amplitude; its logarithm.
  static let logSlowCadence: Float = 0
  /// The r.m.s. of the magnitude (g) below which such a window is quiet: who walks slowly hardly rises and falls.
  static let slowQuietAmplitude: Float = 0.006
  /// A peak of a slow walk counts from this height, in g.
  static let smallestSlowPeak: Float = 0.005
  /// From the centre of a window twice as long to that of the ordinary one, in blocks: 0.96 s.
  static let slowDelay = 2
  /// A slow walk begins when this much evidence has been gathered. With ``entryEvidence``, gates fitted without a person
  /// made 40 false steps an hour more on what that person did besides walking.
  static let slowEntryEvidence: Float = 12
  /// So many blocks after a walk the longer window no longer sees it.
  static let slowRest = 12
  /// Stride lags tried, in cells: 0.48-1.84 s, 4.2 to 1.09 steps/s.
  static let strideLags = 6...23
  /// Weight of the magnitude's correlation at the stride's lag, beside 1 for the three axes. Grid.
  static let magnitudeAtStride: Float = 0.5
  /// Weight of the magnitude's correlation at half the stride, which is the step. Grid.
  static let magnitudeAtStep: Float = 0.2
  /// Weight of the cadence prior: cost per squared distance in ln(cadence). Grid.
  static let priorWeight: Float = 1.2
  /// Cadence (steps/s) expected at ``priorAmplitude``. Grid; 111 steps/min, a usual walk.
  static let priorCadence: Float = 1.85
  /// The logarithm of ``priorCadence``, which is what the search compares; a test holds the two together.
  static let logPriorCadence: Float = 0.615_185_64
  /// Expected cadence grows with the amplitude to this power: running is both faster and rougher. Grid.
  static let priorExponent: Float = 0.25
  /// The r.m.s. of the magnitude (g) at which ``priorCadence`` is expected. Grid.
  static let priorAmplitude: Float = 0.25
  /// Where the axes repeat this well after half the stride found, and the magnitude after a quarter as
  /// ``octaveMagnitude``, two strides were found, and one is counted: in one stride, the magnitude stands the other way
  /// round after a quarter. 0.3 to 0.6 make little difference.
  static let octaveAxes: Float = 0.25
  /// 0.1 to 0.4 make little difference.
  static let octaveMagnitude: Float = 0.2
  /// From this r.m.s. magnitude (g) on, somebody runs. A running arm swings the magnitude once a stride, so that a quarter
  /// of two strides, one step, neither repeats nor inverts it. 0.4 to 0.6 make no difference.
  static let runningAmplitude: Float = 0.5
  /// What is asked of the magnitude then. One stride with as much amplitude has −0.3 or less. 0 to −0.2 make no difference.
  static let runningOctaveMagnitude: Float = -0.1
  /// Nobody runs with less r.m.s. magnitude (g) than this; exercise bikes shake a trunk with less.
  static let octaveAmplitude: Float = 0.1
  /// The ratio of amplitudes is held within this range.
  static let priorRatio: ClosedRange<Float> = 0.3...4

  // MARK: The gate

  /// Evidence of a block too quiet to be walking.
  static let quietEvidence: Float = -8
  /// The r.m.s. of the magnitude (g) below which a block is quiet. Grid.
  static let quietAmplitude: Float = 0.015
  /// Added to an amplitude (g) before its logarithm, so that silence stays finite.
  static let amplitudeFloor: Float = 0.003
  /// Evidence is held within these bounds, in log-odds: no single window outvotes all others.
  static let leastEvidence: Float = -8
  static let mostEvidence: Float = 6

  // MARK: Decisions

  /// What a block adds to the account of its window's log-odds: windows overlap by three quarters.
  static let evidenceShare: Float = 0.5
  /// What a block's share must exceed to speak against the present state, in log-odds: walking or not, it takes more
  /// than chance to change it. Grid.
  static let evidenceFee: Float = 0.3
  /// Walking begins when this much evidence has been gathered. Moves along the trade-off between missed and false steps.
  static let entryEvidence: Float = 6.5
  /// And this much is enough where a walk has ended less than ``restartBlocks`` ago: who has walked, walks again.
  static let restartEntryEvidence: Float = 5
  /// 30 s.
  static let restartBlocks = 62
  /// As much evidence is there for a walk at most; it ends when all is used up. Two or three seconds of standing do that,
  /// a turn does not. Grid.
  static let fullEvidence: Float = 9
  /// A walk is counted up to this many blocks before the newest.
  static let blocksBehind = 3
  /// Blocks that the account doubts wait until it is full again, but not longer than this: 5 s after the foot struck.
  static let blocksHeld = 8
  /// Blocks before the newest that the account may prove a walk with.
  static let blocksGivenBack = 8
  /// Blocks before those in which the likeliest beginning is looked for, in all: 20 s.
  static let blocksSearched = 41
  /// A window speaks for this much (s) beyond its centre on either side.
  static let edge = 0.5
  /// From a block's end to its window's centre, in seconds: half the window, and the filter's delay.
  static let centreDelay = 0.96 + 0.55
  /// A peak counts from this share of the running peak height. Grid.
  static let relativePeakHeight: Float = 0.25
  /// A peak counts from this height, in g. Grid.
  static let smallestStepPeak: Float = 0.015
  /// Weight of a new peak in the running peak height.
  static let peakHeightTracking: Float = 0.1
  /// Peaks before the first and after the last accepted window that may be given back at each end.
  static let extraPeaks = 4
  /// A peak given back stands this many periods from its neighbour: one peak between may be missing, as weak ones do at
  /// a walk's edges.
  static let extraPeakPeriods: ClosedRange<Float> = 0.6...2
  /// And is at least this share of the running peak height. 0.35 to 0.55 make little difference.
  static let extraPeakHeight: Float = 0.4
  /// Where the evidence between two peaks falls below this, in log-odds, the walker may have paused: steps between the two
  /// are then counted only where lesser peaks show them. Without this, 1.5 steps too many were counted in each pause of
  /// two or three steps.
  static let doubtfulEvidence: Float = -1
  /// The share of the running peak height from which such a lesser peak shows a step. 0.1 to 0.2 make little difference.
  static let lesserPeakHeight: Float = 0.15
  /// What of the phase's fraction is pulled to zero at each peak: the peaks have the last word on the rhythm.
  static let phasePull: Float = 0.1
  /// No step is stamped further back than this, in seconds, unless there is more patience: a live count may wait so long.
  static let longestDelay = 6.0
  /// A recording has more of it, in seconds.
  static let longestRevision = 20.0
  /// How much longer an announced step is kept before it is taken back, in seconds: the strike lies before the peak,
  /// blocks come once in 0.48 s.
  static let announcementGrace = strikeLead + 0.1
  /// Two steps are at least this far apart, in seconds.
  static let stepSpacing = 0.2
  /// The interval (s) at which cadence is integrated between two peaks.
  static let phaseInterval = 0.2
}
