/// The work on one lane of one window along time, for lanes that stand alone.
struct SeriesWork {
  let plan: FeaturePlan
  let series: FeaturePlan.Series
  let scratch: UnsafeMutablePointer<LaneGroup>
  let layout: ScratchLayout

  /// Fills the lane's places in the table, from the mean-removed rows that the lane's group has left in the scratch.
  func run(table: UnsafeMutablePointer<Float>) {
    let values = UnsafeMutableRawPointer(scratch + layout.series).assumingMemoryBound(to: Float.self)
    let lane = UnsafeRawPointer(scratch + layout.deviations).assumingMemoryBound(to: Float.self) + series.slot % 8
    // Behind the series the scratch stays 0.
    for row in 0..<plan.length { values[row] = lane[8 * row] }
    let powers = UnsafeMutableRawPointer(scratch + layout.seriesPowers).assumingMemoryBound(to: Float.self)
    if !series.bands.isEmpty { plan.periodogram.powers(of: values, into: powers) }
    for band in series.bands {
      var sum: Float = 0
      for bin in band.bins { sum += powers[bin] }
      table[band.place] = band.isRMS ? sum.squareRoot() : sum
    }
    for lags in series.lags {
      (table[lags.lagPlace], table[lags.heightPlace]) = lags.search.peak(of: values)
    }
  }
}
