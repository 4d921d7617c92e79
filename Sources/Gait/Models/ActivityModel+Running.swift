// Written by `gait export --format swift`; do not edit, train the model again.

extension ActivityModel {
  /// Classifies running, still, walking.
  ///
  /// Trained on places: 771 recordings of 85 groups, windows 28747 running, 53261 still, 78642 walking.
  /// By logistic regression, penalty 0.016, copies of running at 0.84…0.92 of its speed, a share of 0.25.
  ///
  /// Held out (10 folds of whole groups): accuracy 0.9742, macro-F1 0.9743, worst group 0.3523.
  ///
  /// Data: MotionSense, Copyright (c) 2018 Mohammad Malekzadeh, MIT License on GitHub, ODbL on Kaggle (Malekzadeh
  /// et al., "Mobile Sensor Data Anonymization", IoTDI 2019);
  /// WISDM Smartphone and Smartwatch Activity and Biometrics (Weiss, Yoneda, Hayajneh, IEEE Access 7, 2019), CC BY 4.0;
  /// Daily and Sports Activities (Altun, Barshan, Tunçel, Pattern Recognition 43, 2010), CC BY 4.0;
  /// UMAFall (Casilari, Santoyo-Ramón, Cano-García, Procedia Computer Science 110, 2017), CC BY 4.0;
  /// BoostRunClub (boostcamp-2020, Project18-B), MIT License.
  /// `make model` trains it again.
  public static let running = ActivityModel(
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
      "method" : "logistic regression, penalty 0.016, copies of running at 0.84…0.92 of its speed, a share of 0.25",
      "recordings" : 771, "sampleRates" : [ 10, 16.73, 17.318, 17.922, 18.42, 19.26, 19.266, 19.374, 19.454, 19.465,
      19.494, 19.764, 20, 20.222, 20.236, 20.253, 20.303, 20.351, 20.357, 20.37, 20.378, 20.423, 20.425, 20.438,
      20.447, 20.456, 20.463, 20.466, 20.476, 20.494, 20.497, 20.512, 20.54, 20.542, 20.565, 20.715, 20.768, 20.785,
      20.823, 20.83, 20.886, 20.924, 20.961, 20.973, 20.983, 20.988, 20.997, 21.016, 21.215, 21.314, 21.574, 25, 50,
      100 ], "source" : "places", "windows" : { "running" : 28747, "still" : 53261, "walking" : 78642 } },
      "validation" : { "accuracy" : 0.9742246994393856, "balancedAccuracy" : 0.9736739803246263,
      "macroF1" : 0.9742800952026617, "method" : "10 folds of whole groups", "windows" : 154295,
      "worstGroup" : "boostrunclub/standing/ws2.csv", "worstGroupAccuracy" : 0.3522727272727273 } },
      "checksum" : "fnv1a64:da263b1af31ec4c7", "format" : "gait.activityModel", "heads" : [ { "calibration" : {
      "temperature" : 0.62911606 }, "classifier" : { "intercepts" : [ -1.3123364, -0.22374636, 1.5360827 ],
      "kind" : "logistic", "weights" : [ [ 0.3051025, 0.4568834, 0.42266494, 0.02782137, -0.083450094, -0.36598876,
      0.28971863, 0.19700137, 0.2439087, 0.44870153, 0.3798478, 0.4908565, 0.34497064, 0.16445614, 0.23477726 ], [
      -0.686926, 0.22408785, -0.670427, -0.029144298, 0.12525168, 0.16981736, 0.09600541, -0.2344868, -0.28114867,
      -0.80725247, 0.15586133, -0.18608847, -0.12978435, -0.02056843, -0.556894 ], [ 0.38182354, -0.68097126,
      0.24776204, 0.0013229286, -0.04180159, 0.19617139, -0.38572404, 0.037485447, 0.037239984, 0.3585509,
      -0.53570914, -0.30476803, -0.2151863, -0.14388771, 0.32211676 ] ] }, "features" : [ "vertical.rms.log[0.01]",
      "total.bandLogRatio[2.2...3.5/1.2...2.2+0.01]", "userAcceleration.magnitude.percentile[10].log[0.01]",
      "total.autocorrelationLag[0.2...1.1]", "vertical.meanCrossingRate",
      "vertical.bandLogRatio[3.3...4.5/2.3...3.3+0.01]", "vertical.bandLogRatio[2.3...3.3/1.5...2.2+0.01]",
      "vertical.autocorrelationPeak[0.6...0.82]", "vertical.autocorrelationPeak[0.82...1.2]",
      "vertical.interquartileRange.log[0.01]", "jerk.autocorrelationPeak[0.3...0.45]", "total.rms.log[0.01]",
      "total.mean.log[0.01]", "userAcceleration.magnitude.bandLogRatio[3.3...4.5/2.3...3.3+0.01]",
      "vertical.bandRMS[2.6...3.3].log[0.01]" ], "hop" : 0.64, "labels" : [ "running", "still", "walking" ],
      "scaling" : { "mean" : [ -1.8936635, -0.078697145, -2.250328, 0.7036529, 7.2984314, -0.2880193, 0.030859869,
      0.31175122, 0.41332597, -1.8160816, 0.07569259, 0.1456727, 0.1002003, -0.023281125, -2.875887 ],
      "standardDeviation" : [ 1.5454715, 0.70550555, 1.3182697, 0.22778217, 3.3385682, 0.5845041, 0.75286204,
      0.3289996, 0.34375522, 1.7625961, 0.22340743, 0.20399053, 0.17274556, 0.4221448, 1.3933662 ] },
      "window" : 2.56 }, { "classifier" : { "intercepts" : [ -14.018737, 7.494111, 6.5246253 ], "kind" : "logistic",
      "weights" : [ [ 6.1552916, 0.13291326, 4.5500407, 2.8759582, -0.49111587, -0.12583002, -1.05368 ], [
      -6.7654734, 0.37708238, -3.822488, -1.3217478, 0.15631971, -0.79548544, 0.7931995 ], [ 0.6101817, -0.50999564,
      -0.7275524, -1.5542104, 0.33479616, 0.9213155, 0.26048055 ] ] }, "features" : [ "vertical.rms.log[0.01]",
      "total.bandLogRatio[2.2...3.5/1.2...2.2+0.01]", "userAcceleration.magnitude.percentile[10].log[0.01]",
      "vertical.maximum.signedLog[0.05]", "total.autocorrelationLag[0.2...1.1]", "vertical.meanCrossingRate",
      "gravity.sphericalVariance.log[0.01]" ], "hop" : 0.2, "labels" : [ "running", "still", "walking" ],
      "scaling" : { "mean" : [ -2.3392093, 0.06334142, -2.4758403, 1.5260973, 0.43152606, 8.364032, -3.9471102 ],
      "standardDeviation" : [ 1.669037, 0.3400308, 1.2710164, 1.4172031, 0.13024953, 3.20479, 0.7479489 ] },
      "window" : 1 } ], "pauses" : { "evidenceWeight" : 0.5, "grace" : 5, "location" : { "dwell" : 3,
      "largestAccuracy" : 20, "mayPause" : false, "movingAbove" : 1, "runningAbove" : 2.2, "stillBelow" : 0.4 },
      "meanStay" : 30, "mergeGap" : 3, "pauseAbove" : 0.995, "pauseDwell" : 0, "resumeBelow" : 0.5,
      "resumeDwell" : 0.2, "shortestSegment" : 1, "smallestRhythm" : 0.3 }, "sampleRate" : 25, "version" : 2 }
      """#)
}
