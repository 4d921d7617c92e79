// Written by `gait export --format swift`; do not edit, train the model again.

extension ActivityModel {
  /// Classifies running, still, walking.
  ///
  /// Trained on places: 771 recordings of 85 groups, windows 26158 running, 53240 still, 78500 walking.
  /// By logistic regression, penalty 0.004, weight of running 2, copies of running at 0.84…0.92 of its speed, a share of 0.15.
  ///
  /// Held out (10 folds of whole groups): accuracy 0.9747, macro-F1 0.9741, worst group 0.4091.
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
      {
        "card" : {
          "training" : {
            "attributions" : [
              "motionsense: Copyright (c) 2018 Mohammad Malekzadeh; M. Malekzadeh, R. G. Clegg, A. Cavallaro, H. Haddadi, \"Mobile Sensor Data Anonymization\", IoTDI 2019; MIT (GitHub); ODbL on Kaggle",
              "wisdm-phone: G. M. Weiss, K. Yoneda, T. Hayajneh, \"Smartphone and Smartwatch-Based Biometrics Using Activities of Daily Living\", IEEE Access 7, 2019, UCI data set 507; CC BY 4.0",
              "wisdm-watch: G. M. Weiss, K. Yoneda, T. Hayajneh, \"Smartphone and Smartwatch-Based Biometrics Using Activities of Daily Living\", IEEE Access 7, 2019, UCI data set 507; CC BY 4.0",
              "dsads: K. Altun, B. Barshan, O. Tunçel, \"Comparative study on classifying human activities with miniature inertial and magnetic sensors\", Pattern Recognition 43(10), 2010, UCI data set 256; CC BY 4.0",
              "boostrunclub: boostcamp-2020, Project18-B (BoostRunClub), Copyright (c) 2020; MIT",
              "umafall-pocket: E. Casilari, J. A. Santoyo-Ramón, J. M. Cano-García, \"UMAFall: A Multisensor Dataset for the Research on Automatic Fall Detection\", Procedia Computer Science 110, 2017, figshare, doi:10.6084/m9.figshare.4214283; CC BY 4.0",
              "umafall-waist: E. Casilari, J. A. Santoyo-Ramón, J. M. Cano-García, \"UMAFall: A Multisensor Dataset for the Research on Automatic Fall Detection\", Procedia Computer Science 110, 2017, figshare, doi:10.6084/m9.figshare.4214283; CC BY 4.0",
              "umafall-wrist: E. Casilari, J. A. Santoyo-Ramón, J. M. Cano-García, \"UMAFall: A Multisensor Dataset for the Research on Automatic Fall Detection\", Procedia Computer Science 110, 2017, figshare, doi:10.6084/m9.figshare.4214283; CC BY 4.0"
            ],
            "groups" : 85,
            "method" : "logistic regression, penalty 0.004, weight of running 2, copies of running at 0.84…0.92 of its speed, a share of 0.15",
            "recordings" : 771,
            "sampleRates" : [
              10, 16.73, 17.318, 17.922, 18.42, 19.26, 19.266, 19.374, 19.454, 19.465, 19.494, 19.764, 20,
              20.222, 20.236, 20.253, 20.303, 20.351, 20.357, 20.37, 20.378, 20.423, 20.425, 20.438,
              20.447, 20.456, 20.463, 20.466, 20.476, 20.494, 20.497, 20.512, 20.54, 20.542, 20.565,
              20.715, 20.768, 20.785, 20.823, 20.83, 20.886, 20.924, 20.961, 20.973, 20.983, 20.988,
              20.997, 21.016, 21.215, 21.314, 21.574, 25, 50, 100
            ],
            "source" : "places",
            "windows" : {
              "running" : 26158,
              "still" : 53240,
              "walking" : 78500
            }
          },
          "validation" : {
            "accuracy" : 0.9746942218473218,
            "balancedAccuracy" : 0.9756838999972545,
            "macroF1" : 0.9740657832257341,
            "method" : "10 folds of whole groups",
            "windows" : 154115,
            "worstGroup" : "boostrunclub/standing/ws2.csv",
            "worstGroupAccuracy" : 0.4090909090909091
          }
        },
        "checksum" : "fnv1a64:df47f75827449a14",
        "format" : "gait.activityModel",
        "heads" : [
          {
            "classifier" : {
              "intercepts" : [
                -1.7121936, -0.2878125, 2.0000062
              ],
              "kind" : "logistic",
              "weights" : [
                [
                  0.5216533, 0.658678, 0.86952454, 0.027968064, 0.017687622, -0.44870824, 0.35936677,
                  0.3111535, 0.33036038, 0.9991121, 0.46882072, 0.49608913, 0.31632614, 0.24586287,
                  0.10742337
                ],
                [
                  -0.92868143, 0.30668363, -1.0371212, -0.011286458, -0.08471522, 0.19136518, 0.07721137,
                  -0.40690205, -0.4349509, -1.2873478, 0.18806608, -0.17276569, -0.092582144,
                  -0.054000992, -0.6619109
                ],
                [
                  0.40702817, -0.9653616, 0.16759656, -0.016681606, 0.0670276, 0.25734305, -0.43657812,
                  0.09574855, 0.104590505, 0.28823563, -0.6568868, -0.32332343, -0.223744, -0.19186188,
                  0.5544875
                ]
              ]
            },
            "features" : [
              "vertical.rms.log[0.01]",
              "total.bandLogRatio[2.2...3.5/1.2...2.2+0.01]",
              "userAcceleration.magnitude.percentile[10].log[0.01]",
              "total.autocorrelationLag[0.2...1.1]",
              "vertical.meanCrossingRate",
              "vertical.bandLogRatio[3.3...4.5/2.3...3.3+0.01]",
              "vertical.bandLogRatio[2.3...3.3/1.5...2.2+0.01]",
              "vertical.autocorrelationPeak[0.6...0.82]",
              "vertical.autocorrelationPeak[0.82...1.2]",
              "vertical.interquartileRange.log[0.01]",
              "jerk.autocorrelationPeak[0.3...0.45]",
              "total.rms.log[0.01]",
              "total.mean.log[0.01]",
              "userAcceleration.magnitude.bandLogRatio[3.3...4.5/2.3...3.3+0.01]",
              "vertical.bandRMS[2.6...3.3].log[0.01]"
            ],
            "hop" : 0.64,
            "labels" : [
              "running",
              "still",
              "walking"
            ],
            "scaling" : {
              "mean" : [
                -1.9227667, -0.08454608, -2.27962, 0.7027478, 7.3337026, -0.2757685, 0.026551034,
                0.3130456, 0.40642932, -1.853363, 0.07174151, 0.14096908, 0.09627453, -0.02762254,
                -2.9007478
              ],
              "standardDeviation" : [
                1.5411917, 0.7065669, 1.3078953, 0.22824542, 3.351852, 0.57671446, 0.75488347, 0.32779428,
                0.34165066, 1.7527819, 0.22036025, 0.20485657, 0.17052805, 0.4164291, 1.3892062
              ]
            },
            "window" : 2.56
          },
          {
            "classifier" : {
              "intercepts" : [
                -14.018737, 7.494111, 6.5246253
              ],
              "kind" : "logistic",
              "weights" : [
                [
                  6.1552916, 0.13291326, 4.5500407, 2.8759582, -0.49111587, -0.12583002, -1.05368
                ],
                [
                  -6.7654734, 0.37708238, -3.822488, -1.3217478, 0.15631971, -0.79548544, 0.7931995
                ],
                [
                  0.6101817, -0.50999564, -0.7275524, -1.5542104, 0.33479616, 0.9213155, 0.26048055
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
              "gravity.sphericalVariance.log[0.01]"
            ],
            "hop" : 0.2,
            "labels" : [
              "running",
              "still",
              "walking"
            ],
            "scaling" : {
              "mean" : [
                -2.3392093, 0.06334142, -2.4758403, 1.5260973, 0.43152606, 8.364032, -3.9471102
              ],
              "standardDeviation" : [
                1.669037, 0.3400308, 1.2710164, 1.4172031, 0.13024953, 3.20479, 0.7479489
              ]
            },
            "window" : 1
          }
        ],
        "pauses" : {
          "evidenceWeight" : 0.5,
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
          "pauseAbove" : 0.995,
          "pauseDwell" : 0,
          "resumeBelow" : 0.5,
          "resumeDwell" : 0.2,
          "shortestSegment" : 1,
          "smallestRhythm" : 0.3
        },
        "sampleRate" : 25,
        "version" : 2
      }
      """#)
}
