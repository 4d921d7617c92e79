// Written by `gait export --format swift`; do not edit, train the model again.

extension ActivityModel {
  /// Classifies hands, running, still, walking.
  ///
  /// Trained on wrist-pauses: 154 recordings of 24 groups, windows 9972 hands, 6371 running, 13275 still, 12974 walking.
  /// By logistic regression, penalty 0.006.
  ///
  /// Held out (10 folds of whole subjects): accuracy 0.9411, macro-F1 0.9433, worst group 0.7992.
  ///
  /// Data: WISDM Smartphone and Smartwatch Activity and
  /// Biometrics (Weiss, Yoneda, Hayajneh, IEEE Access 7, 2019), CC BY 4.0.
  /// `make model` trains it again.
  public static let runningWrist = ActivityModel(
    embedded: #"""
      {
        "card" : {
          "training" : {
            "attributions" : [
              "wisdm-watch: G. M. Weiss, K. Yoneda, T. Hayajneh, \"Smartphone and Smartwatch-Based Biometrics Using Activities of Daily Living\", IEEE Access 7, 2019, UCI data set 507; CC BY 4.0"
            ],
            "groups" : 24,
            "method" : "logistic regression, penalty 0.006",
            "recordings" : 154,
            "sampleRates" : [
              20, 100
            ],
            "source" : "wrist-pauses",
            "windows" : {
              "hands" : 9972,
              "running" : 6371,
              "still" : 13275,
              "walking" : 12974
            }
          },
          "validation" : {
            "accuracy" : 0.941139181066867,
            "balancedAccuracy" : 0.9419143625870869,
            "macroF1" : 0.9433064278128953,
            "method" : "10 folds of whole subjects",
            "windows" : 42592,
            "worstGroup" : "wisdm/1620",
            "worstGroupAccuracy" : 0.799187725631769
          }
        },
        "checksum" : "fnv1a64:1ba5adddfc1678f3",
        "format" : "gait.activityModel",
        "heads" : [
          {
            "classifier" : {
              "intercepts" : [
                1.844962, -2.7885873, 0.2662321, 0.67739314
              ],
              "kind" : "logistic",
              "weights" : [
                [
                  -0.44862568, 0.14241083, 0.8527185, 0.066834375, -0.122038126, -0.13003318, -1.4309474,
                  0.39509088, -1.0752292, -0.39883175, 0.95408124, 0.12569535, -0.2664303
                ],
                [
                  0.5003211, 0.7274858, 0.4510568, 0.52025056, -0.045041725, -0.012473986, 0.43247387,
                  -0.6268997, 0.1638143, 0.35032892, 0.8533728, -0.6633197, 0.5358793
                ],
                [
                  -0.33319497, -0.019235827, -1.840301, -0.25326124, -0.0023087666, 0.35697338, 0.5525989,
                  0.10081485, -0.20630148, 0.07271166, -0.9582688, 0.5092028, -0.87820804
                ],
                [
                  0.28149956, -0.8506608, 0.5365258, -0.3338237, 0.16938862, -0.21446623, 0.44587466,
                  0.13099402, 1.1177163, -0.024208829, -0.8491852, 0.028421592, 0.608759
                ]
              ]
            },
            "features" : [
              "vertical.rms.log[0.01]",
              "total.bandLogRatio[2.2...3.5/1.2...2.2+0.01]",
              "userAcceleration.magnitude.percentile[10].log[0.01]",
              "vertical.maximum.signedLog[0.05]",
              "total.autocorrelationLag[0.2...1.1]",
              "vertical.meanCrossingRate",
              "gravity.sphericalVariance.log[0.01]",
              "vertical.bandLogRatio[3.3...4.5/2.3...3.3+0.01]",
              "vertical.bandRMS[1.2...2.2].log[0.01]",
              "userAcceleration.magnitude.meanCrossingRate",
              "userAcceleration.magnitude.mean",
              "vertical.spectralEntropy",
              "vertical.interquartileRange.log[0.01]"
            ],
            "hop" : 0.64,
            "labels" : [
              "hands",
              "running",
              "still",
              "walking"
            ],
            "scaling" : {
              "mean" : [
                -1.9413495, 0.022903718, -2.18284, 1.95763, 0.67669755, 6.4583817, -3.6004844, -0.2848275,
                -2.7298326, 6.9548254, 0.45607492, 0.6974764, -1.8163973
              ],
              "standardDeviation" : [
                1.4171791, 0.73865414, 1.3946902, 1.1872107, 0.25282678, 2.7469974, 1.0225526, 0.69000083,
                1.364172, 3.152683, 0.46328735, 0.1401674, 1.6692096
              ]
            },
            "window" : 2.56
          },
          {
            "classifier" : {
              "intercepts" : [
                1.4454963, -3.1406279, 0.5456223, 1.1495093
              ],
              "kind" : "logistic",
              "weights" : [
                [
                  -0.60595423, 0.026472513, 1.033819, -0.06606814, 0.006253017, -0.03741996, -1.9350268,
                  0.17830501, -0.860852, -0.3071765, 1.1262375, 0.17592356, -0.4763362
                ],
                [
                  0.6692801, 0.63422257, 0.41394898, 0.7188746, -0.17775577, 0.1476726, 0.27706563,
                  -0.1989839, 0.6474709, 0.44199845, 0.83273363, -0.5392799, 0.7483665
                ],
                [
                  -0.2855245, -0.16930664, -1.9016505, -0.28731874, 0.0014814766, 0.13563848, 0.8569392,
                  0.100065105, -0.43690515, 0.041340884, -0.8843738, 0.29270175, -0.7120066
                ],
                [
                  0.2221986, -0.4913884, 0.45388263, -0.3654877, 0.17002128, -0.24589111, 0.8010219,
                  -0.079386234, 0.65028626, -0.17616282, -1.0745974, 0.070654534, 0.43997633
                ]
              ]
            },
            "features" : [
              "vertical.rms.log[0.01]",
              "total.bandLogRatio[2.2...3.5/1.2...2.2+0.01]",
              "userAcceleration.magnitude.percentile[10].log[0.01]",
              "vertical.maximum.signedLog[0.05]",
              "total.autocorrelationLag[0.2...1.1]",
              "vertical.meanCrossingRate",
              "gravity.sphericalVariance.log[0.01]",
              "vertical.bandLogRatio[3.3...4.5/2.3...3.3+0.01]",
              "vertical.bandRMS[1.2...2.2].log[0.01]",
              "userAcceleration.magnitude.meanCrossingRate",
              "userAcceleration.magnitude.mean",
              "vertical.spectralEntropy",
              "vertical.interquartileRange.log[0.01]"
            ],
            "hop" : 0.2,
            "labels" : [
              "hands",
              "running",
              "still",
              "walking"
            ],
            "scaling" : {
              "mean" : [
                -1.9903351, 0.13221484, -2.106781, 1.7880892, 0.40523347, 6.500069, -3.815576,
                -0.34623352, -2.7849653, 7.4735656, 0.45584995, 0.73057157, -1.8595455
              ],
              "standardDeviation" : [
                1.4444417, 0.42488676, 1.4050808, 1.1869416, 0.14750391, 2.9224384, 0.9160925, 0.4969977,
                1.3981246, 3.324216, 0.46875843, 0.10891136, 1.6820065
              ]
            },
            "window" : 1
          }
        ],
        "meanings" : {
          "hands" : "still"
        },
        "pauses" : {
          "evidenceWeight" : 0.5,
          "findsQuietWalks" : false,
          "grace" : 5,
          "location" : {
            "dwell" : 3,
            "largestAccuracy" : 20,
            "mayPause" : false,
            "movingAbove" : 1,
            "runningAbove" : 2.2,
            "stillBelow" : 0.4
          },
          "meanStay" : 30,
          "mergeGap" : 3,
          "pauseAbove" : 0.9,
          "pauseDwell" : 0,
          "resumeBelow" : 0.2,
          "resumeDwell" : 0.2,
          "shortestSegment" : 1,
          "smallestRhythm" : 0.3,
          "walkingResumeDwell" : 8
        },
        "sampleRate" : 25,
        "version" : 6
      }
      """#)
}
