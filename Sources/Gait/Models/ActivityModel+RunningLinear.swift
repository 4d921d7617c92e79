// Written by `gait export --format swift`; do not edit, train the model again.

extension ActivityModel {
  /// Classifies running, still, walking.
  ///
  /// Trained on places: 771 recordings of 85 groups, windows 26178 running, 65630 still, 96843 walking.
  /// By logistic regression, penalty 0.004, weight of running 2, copies of running at 0.84…0.92 of its speed, a share of 0.15, copies of still with knocks, a share of 0.25, copies of walking with knocks, a share of 0.25.
  ///
  /// Held out (10 folds of whole groups): accuracy 0.9692, macro-F1 0.9653, worst group 0.3864.
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
      "method" : "logistic regression, penalty 0.004, weight of running 2, copies of running at 0.84…0.92 of its speed, a share of 0.15, copies of still with knocks, a share of 0.25, copies of walking with knocks, a share of 0.25",
      "recordings" : 771, "sampleRates" : [ 10, 16.73, 17.318, 17.922, 18.42, 19.26, 19.266, 19.374, 19.454, 19.465,
      19.494, 19.764, 20, 20.222, 20.236, 20.253, 20.303, 20.351, 20.357, 20.37, 20.378, 20.423, 20.425, 20.438,
      20.447, 20.456, 20.463, 20.466, 20.476, 20.494, 20.497, 20.512, 20.54, 20.542, 20.565, 20.715, 20.768, 20.785,
      20.823, 20.83, 20.886, 20.924, 20.961, 20.973, 20.983, 20.988, 20.997, 21.016, 21.215, 21.314, 21.574, 25, 50,
      100 ], "source" : "places", "windows" : { "running" : 26178, "still" : 65630, "walking" : 96843 } },
      "validation" : { "accuracy" : 0.969201853592145, "balancedAccuracy" : 0.9660623272727089,
      "macroF1" : 0.965310937012871, "method" : "10 folds of whole groups", "windows" : 154295,
      "worstGroup" : "boostrunclub/standing/ws2.csv", "worstGroupAccuracy" : 0.38636363636363635 } },
      "checksum" : "fnv1a64:81412cecf8cf0359", "format" : "gait.activityModel", "heads" : [ { "classifier" : {
      "intercepts" : [ -2.7168963, 0.44961143, 2.2672849 ], "kind" : "logistic", "weights" : [ [ 1.7712562,
      -0.16479518, 0.30675223, 0.36139134, 0.45994028, 0.23438676, -0.23852214, 0.12853487, 2.2573397, -0.36722526,
      0.34038156, 0.07071472, 0.52253723, 0.39913538, 0.07794667, 0.29171795 ], [ -1.9270306, -0.10711589,
      -0.1320252, -0.07747778, -0.32615077, -0.008295218, 0.29966488, 0.05411772, -2.3822954, -0.10641064,
      0.12546465, -0.25942835, -0.1813877, -0.46182713, 0.059524436, -0.3089292 ], [ 0.15577431, 0.27191105,
      -0.17472704, -0.28391355, -0.1337895, -0.22609153, -0.06114274, -0.1826526, 0.12495562, 0.4736359, -0.4658462,
      0.18871364, -0.34114957, 0.06269173, -0.13747111, 0.01721127 ] ] }, "features" : [
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
      "scaling" : { "mean" : [ -1.5197122, -0.05337972, -0.028006485, -0.0142125, 0.18479565, 0.09557533, 1.044625,
      2.4283957, 0.6760019, 1.5450101, 0.06578855, 0.25222495, -0.15542829, 0.17955194, 3.5087106, 0.23106825 ],
      "standardDeviation" : [ 1.4633926, 0.4246178, 0.4055459, 0.44596162, 0.26974648, 0.19915847, 1.1128141,
      6.05694, 1.8112389, 1.0207776, 0.21106985, 0.3054423, 0.5883633, 0.25817952, 5.66181, 0.29009047 ] },
      "window" : 2.56 }, { "classifier" : { "intercepts" : [ -13.985342, 7.9227285, 6.0626135 ],
      "kind" : "logistic", "weights" : [ [ 9.744885, -0.048505202, 0.23600996, -0.048505202, -0.007248586,
      0.54483736, -0.48046812, 0.19933622, 4.110571, -0.6748565, 0.3912192, 0, -0.13438058, 0.23471959, 0.20947692,
      0 ], [ -7.2407312, -0.0053358646, -0.09255259, -0.0053358646, -0.052464575, -0.20400497, 0.5244713,
      -0.2365574, -4.795673, 0.31660503, -0.118953966, 0, 0.062517114, -0.20970196, -0.10803499, 0 ], [ -2.504154,
      0.053841066, -0.14345737, 0.053841066, 0.05971316, -0.34083235, -0.044003166, 0.037221182, 0.68510187,
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
