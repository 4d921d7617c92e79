// Written by `gait export --format swift`; do not edit, train the model again.

extension ActivityModel {
  /// Classifies running, still, walking.
  ///
  /// Trained on places: 771 recordings of 85 groups, windows 26178 running, 53261 still, 78642 walking. By logistic
  /// regression, penalty 0.004, weight of running 2, copies of running at 0.84…0.92 of its speed, a share of 0.15.
  ///
  /// Held out (10 folds of whole groups): accuracy 0.9682, macro-F1 0.9645, worst group 0.3977.
  ///
  /// Data: MotionSense, Copyright (c) 2018 Mohammad Malekzadeh, MIT License on GitHub, ODbL on Kaggle (Malekzadeh
  /// et al., "Mobile Sensor Data Anonymization", IoTDI 2019);
  /// WISDM Smartphone and Smartwatch Activity and Biometrics (Weiss, Yoneda, Hayajneh, IEEE Access 7, 2019), CC BY 4.0;
  /// Daily and Sports Activities (Altun, Barshan, Tunçel, Pattern Recognition 43, 2010), CC BY 4.0;
  /// UMAFall (Casilari, Santoyo-Ramón, Cano-García, Procedia Computer Science 110, 2017), CC BY 4.0;
  /// BoostRunClub (boostcamp-2020, Project18-B), MIT License.
  /// `make model` trains it again.
  public static let runningLinear = ActivityModel(
    embedded: #"""
      { "card" : { "training" : { "attributions" : [
      "motionsense: Copyright (c) 2018 Mohammad Malekzadeh; M. Malekzadeh, R. G. Clegg, A. Cavallaro, H. Haddadi, \"Mobile Sensor Data Anonymization\", IoTDI 2019; MIT (GitHub); ODbL on Kaggle",
      "wisdm-phone: G. M. Weiss, K. Yoneda, T. Hayajneh, \"Smartphone and Smartwatch-Based Biometrics Using Activities of Daily Living\", IEEE Access 7, 2019, UCI data set 507; CC BY 4.0",
      "wisdm-watch: G. M. Weiss, K. Yoneda, T. Hayajneh, \"Smartphone and Smartwatch-Based Biometrics Using Activities of Daily Living\", IEEE Access 7, 2019, UCI data set 507; CC BY 4.0",
      "dsads: K. Altun, B. Barshan, O. Tunçel, \"Comparative study on classifying human activities with miniature inertial and magnetic sensors\", Pattern Recognition 43(10), 2010, UCI data set 256; CC BY 4.0",
      "boostrunclub: boostcamp-2020, Project18-B (BoostRunClub), Copyright (c) 2020; MIT",
      "umafall-pocket: E. Casilari, J. A. Santoyo-Ramón, J. M. Cano-García, \"UMAFall: A Multisensor Dataset for the Research on Automatic Fall Detection\", Procedia Computer Science 110, 2017, figshare, doi:10.6084/m9.figshare.4214283; CC BY 4.0",
      "umafall-waist: E. Casilari, J. A. Santoyo-Ramón, J. M. Cano-García, \"UMAFall: A Multisensor Dataset for the Research on Automatic Fall Detection\", Procedia Computer Science 110, 2017, figshare, doi:10.6084/m9.figshare.4214283; CC BY 4.0",
      "umafall-wrist: E. Casilari, J. A. Santoyo-Ramón, J. M. Cano-García, \"UMAFall: A Multisensor Dataset for the Research on Automatic Fall Detection\", Procedia Computer Science 110, 2017, figshare, doi:10.6084/m9.figshare.4214283; CC BY 4.0"
      ], "groups" : 85,
      "method" : "logistic regression, penalty 0.004, weight of running 2, copies of running at 0.84…0.92 of its speed, a share of 0.15",
      "recordings" : 771, "sampleRates" : [ 10, 16.73, 17.318, 17.922, 18.42, 19.26, 19.266, 19.374, 19.454, 19.465,
      19.494, 19.764, 20, 20.222, 20.236, 20.253, 20.303, 20.351, 20.357, 20.37, 20.378, 20.423, 20.425, 20.438,
      20.447, 20.456, 20.463, 20.466, 20.476, 20.494, 20.497, 20.512, 20.54, 20.542, 20.565, 20.715, 20.768, 20.785,
      20.823, 20.83, 20.886, 20.924, 20.961, 20.973, 20.983, 20.988, 20.997, 21.016, 21.215, 21.314, 21.574, 25, 50,
      100 ], "source" : "places", "windows" : { "running" : 26178, "still" : 53261, "walking" : 78642 } },
      "validation" : { "accuracy" : 0.9682037655141126, "balancedAccuracy" : 0.9681447284596739,
      "macroF1" : 0.9645405820156067, "method" : "10 folds of whole groups", "windows" : 154295,
      "worstGroup" : "boostrunclub/standing/ws2.csv", "worstGroupAccuracy" : 0.3977272727272727 } },
      "checksum" : "fnv1a64:11c56bea01a5002c", "format" : "gait.activityModel", "heads" : [ { "classifier" : {
      "intercepts" : [ -2.4111476, 0.23709182, 2.1740558 ], "kind" : "logistic", "weights" : [ [ 1.9082196,
      -0.16934562, 0.3086152, 0.35665143, 0.41332948, 0.28009152, -0.097541064, 0.08034131, 2.3399165, -0.29193562,
      0.42695904, -0.022775251, 0.5094269, 0.34934443, 0.067225836, 0.20331396 ], [ -2.0343714, -0.09640129,
      -0.108502746, -0.06979951, -0.3007532, 0.0072689704, 0.16723427, 0.023916688, -2.3367634, -0.122707315,
      0.13571571, -0.22820929, -0.16073132, -0.45019478, 0.022800986, -0.27754 ], [ 0.12615193, 0.26574692,
      -0.20011246, -0.2868519, -0.1125763, -0.28736052, -0.0696932, -0.10425799, -0.0031530915, 0.41464293,
      -0.56267476, 0.25098455, -0.3486956, 0.10085034, -0.09002682, 0.07422605 ] ] }, "features" : [
      "userAcceleration.magnitude.rms.log[0.01]",
      "userAcceleration.magnitude.bandLogRatio[2.2...3.5/1.2...2.2+0.01]",
      "userAcceleration.magnitude.bandLogRatio[3.3...4.5/2.3...3.3+0.01]",
      "userAcceleration.magnitude.bandLogRatio[2.3...3.3/1.5...2.2+0.01]",
      "userAcceleration.magnitude.autocorrelationPeak[0.6...0.82]",
      "userAcceleration.magnitude.autocorrelationPeak[0.3...0.45]", "userAcceleration.magnitude.skewness",
      "userAcceleration.magnitude.kurtosis", "jerk.percentile[50].log[0.01]", "jerk.skewness",
      "jerk.autocorrelationPeak[0.3...0.45]", "userAcceleration.magnitude.autocorrelationPeak[0.82...1.2]",
      "jerk.bandLogRatio[2.3...3.3/1.5...2.2+0.01]", "jerk.autocorrelationPeak[0.6...0.82]", "jerk.kurtosis",
      "jerk.autocorrelationPeak[0.82...1.2]" ], "hop" : 0.64, "labels" : [ "running", "still", "walking" ],
      "scaling" : { "mean" : [ -1.5383395, -0.03773913, -0.027965242, 0.0013128325, 0.20641114, 0.10362219,
      0.8384993, 1.3344737, 0.72653717, 1.3651314, 0.0720217, 0.2765674, -0.13682044, 0.20057751, 2.5295064,
      0.25372717 ], "standardDeviation" : [ 1.5137341, 0.4346277, 0.41696417, 0.4579834, 0.27782327, 0.20663956,
      0.77863646, 3.1014216, 1.8283201, 0.80258614, 0.22066791, 0.3048731, 0.61136955, 0.2654321, 3.9078202,
      0.2920996 ] }, "window" : 2.56 }, { "classifier" : { "intercepts" : [ -13.985342, 7.9227285, 6.0626135 ],
      "kind" : "logistic", "weights" : [ [ 9.744885, -0.048505202, 0.23600996, -0.048505202, -0.007248582,
      0.54483736, -0.48046812, 0.19933622, 4.110571, -0.6748565, 0.3912192, 0, -0.13438058, 0.23471959, 0.20947692,
      0 ], [ -7.2407312, -0.0053358646, -0.09255258, -0.0053358646, -0.052464575, -0.20400497, 0.5244713,
      -0.2365574, -4.795673, 0.31660503, -0.118953966, 0, 0.062517114, -0.20970196, -0.10803498, 0 ], [ -2.504154,
      0.053841066, -0.14345737, 0.053841066, 0.059713155, -0.34083235, -0.044003166, 0.037221182, 0.68510187,
      0.35825142, -0.27226523, 0, 0.071863465, -0.025017632, -0.101441935, 0 ] ] }, "features" : [
      "userAcceleration.magnitude.rms.log[0.01]",
      "userAcceleration.magnitude.bandLogRatio[2.2...3.5/1.2...2.2+0.01]",
      "userAcceleration.magnitude.bandLogRatio[3.3...4.5/2.3...3.3+0.01]",
      "userAcceleration.magnitude.bandLogRatio[2.3...3.3/1.5...2.2+0.01]",
      "userAcceleration.magnitude.autocorrelationPeak[0.6...0.82]",
      "userAcceleration.magnitude.autocorrelationPeak[0.3...0.45]", "userAcceleration.magnitude.skewness",
      "userAcceleration.magnitude.kurtosis", "jerk.percentile[50].log[0.01]", "jerk.skewness",
      "jerk.autocorrelationPeak[0.3...0.45]", "userAcceleration.magnitude.autocorrelationPeak[0.82...1.2]",
      "jerk.bandLogRatio[2.3...3.3/1.5...2.2+0.01]", "jerk.autocorrelationPeak[0.6...0.82]", "jerk.kurtosis",
      "jerk.autocorrelationPeak[0.82...1.2]" ], "hop" : 0.2, "labels" : [ "running", "still", "walking" ],
      "scaling" : { "mean" : [ -1.8496237, 0.028869573, -0.12564975, 0.028869573, 0.037287056, 0.11342301,
      0.4349075, 0.011516384, 0.20989634, 0.78923595, 0.05934691, 0, -0.18938309, 0.026487952, 0.33068383, 0 ],
      "standardDeviation" : [ 1.4904376, 0.33897236, 0.37222603, 0.33897236, 0.16627358, 0.24329464, 0.63632715,
      1.4901397, 2.1218832, 0.6056192, 0.22724076, 1, 0.46825504, 0.17656085, 1.6205826, 1 ] }, "window" : 1 } ],
      "pauses" : { "evidenceWeight" : 0.5, "grace" : 5, "location" : { "dwell" : 3, "largestAccuracy" : 20,
      "mayPause" : false, "movingAbove" : 1, "runningAbove" : 2.2, "stillBelow" : 0.4 }, "meanStay" : 30,
      "mergeGap" : 3, "pauseAbove" : 0.995, "pauseDwell" : 0, "resumeBelow" : 0.01, "resumeDwell" : 0.2,
      "shortestSegment" : 1, "smallestRhythm" : 0.3 }, "sampleRate" : 25, "version" : 2 }
      """#)
}
