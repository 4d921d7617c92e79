// Written by `gait export --format swift`; do not edit, train the model again.

extension ActivityModel {
  /// Classifies running, still, walking.
  ///
  /// Trained on places: 771 recordings of 85 groups, windows 26158 running, 53240 still, 78500 walking.
  /// By logistic regression, penalty 0.004, weight of running 2, copies of running at 0.84…0.92 of its speed, a share of 0.15.
  ///
  /// Held out (10 folds of whole groups): accuracy 0.9682, macro-F1 0.9645, worst group 0.4091.
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
            "accuracy" : 0.9682250267657269,
            "balancedAccuracy" : 0.9680798190146639,
            "macroF1" : 0.9645444162190816,
            "method" : "10 folds of whole groups",
            "windows" : 154115,
            "worstGroup" : "boostrunclub/standing/ws2.csv",
            "worstGroupAccuracy" : 0.4090909090909091
          }
        },
        "checksum" : "fnv1a64:8d14e356cac29e6b",
        "format" : "gait.activityModel",
        "heads" : [
          {
            "classifier" : {
              "intercepts" : [
                -2.4091265, 0.23742099, 2.1717055
              ],
              "kind" : "logistic",
              "weights" : [
                [
                  1.8964643, -0.16944431, 0.30553028, 0.35491884, 0.4088376, 0.28052232, -0.08319909,
                  0.09070163, 2.363478, -0.3110162, 0.42238554, -0.019194335, 0.50970113, 0.35145724,
                  0.09338711, 0.20281005
                ],
                [
                  -2.0287075, -0.09501294, -0.10641989, -0.070336424, -0.29566875, 0.00790259, 0.17345469,
                  0.00033323976, -2.3516092, -0.116124615, 0.1377266, -0.22981444, -0.16255143,
                  -0.45373246, 0.009315371, -0.27975476
                ],
                [
                  0.1322431, 0.26445726, -0.19911037, -0.28458244, -0.113168836, -0.2884249, -0.09025559,
                  -0.09103487, -0.011868706, 0.4271408, -0.5601122, 0.24900877, -0.3471497, 0.102275245,
                  -0.10270248, 0.076944694
                ]
              ]
            },
            "features" : [
              "userAcceleration.magnitude.rms.log[0.01]",
              "userAcceleration.magnitude.bandLogRatio[2.2...3.5/1.2...2.2+0.01]",
              "userAcceleration.magnitude.bandLogRatio[3.3...4.5/2.3...3.3+0.01]",
              "userAcceleration.magnitude.bandLogRatio[2.3...3.3/1.5...2.2+0.01]",
              "userAcceleration.magnitude.autocorrelationPeak[0.6...0.82]",
              "userAcceleration.magnitude.autocorrelationPeak[0.3...0.45]",
              "userAcceleration.magnitude.skewness",
              "userAcceleration.magnitude.kurtosis",
              "jerk.percentile[50].log[0.01]",
              "jerk.skewness",
              "jerk.autocorrelationPeak[0.3...0.45]",
              "userAcceleration.magnitude.autocorrelationPeak[0.82...1.2]",
              "jerk.bandLogRatio[2.3...3.3/1.5...2.2+0.01]",
              "jerk.autocorrelationPeak[0.6...0.82]",
              "jerk.kurtosis",
              "jerk.autocorrelationPeak[0.82...1.2]"
            ],
            "hop" : 0.64,
            "labels" : [
              "running",
              "still",
              "walking"
            ],
            "scaling" : {
              "mean" : [
                -1.5349298, -0.0376113, -0.027622538, 0.0014479152, 0.2068098, 0.1038243, 0.8496883,
                1.4197565, 0.7265044, 1.3739818, 0.07174151, 0.27634165, -0.13637106, 0.20030077,
                2.585187, 0.25340948
              ],
              "standardDeviation" : [
                1.5149338, 0.43398237, 0.4164291, 0.457267, 0.27759767, 0.20648019, 0.8136355, 3.5787063,
                1.8295833, 0.81951433, 0.22036025, 0.3046757, 0.60989225, 0.26545706, 4.0391064,
                0.29214895
              ]
            },
            "window" : 2.56
          },
          {
            "classifier" : {
              "intercepts" : [
                -14.680357, 9.2735195, 5.406837
              ],
              "kind" : "logistic",
              "weights" : [
                [
                  8.4815445, -0.010350716, 0.22031686, -0.010350716, 0.09706806, 0.19893444, -0.29998177,
                  0.18445677, 5.541965, -0.11456031, 0.6711024, 0, 0.11821361, 0.21855457, 0.16952427, 0
                ],
                [
                  -3.181917, 0.0034091515, -0.07545482, 0.0034091515, -0.11064981, -0.055265132,
                  0.25076768, -0.27355132, -9.645452, -1.0898206, -0.21684872, 0, -0.18429969,
                  -0.23628063, 0.4978933, 0
                ],
                [
                  -5.2996273, 0.006941565, -0.14486204, 0.006941565, 0.013581748, -0.1436693, 0.049214114,
                  0.089094535, 4.1034865, 1.2043809, -0.4542537, 0, 0.06608608, 0.017726067, -0.6674176, 0
                ]
              ]
            },
            "features" : [
              "userAcceleration.magnitude.rms.log[0.01]",
              "userAcceleration.magnitude.bandLogRatio[2.2...3.5/1.2...2.2+0.01]",
              "userAcceleration.magnitude.bandLogRatio[3.3...4.5/2.3...3.3+0.01]",
              "userAcceleration.magnitude.bandLogRatio[2.3...3.3/1.5...2.2+0.01]",
              "userAcceleration.magnitude.autocorrelationPeak[0.6...0.82]",
              "userAcceleration.magnitude.autocorrelationPeak[0.3...0.45]",
              "userAcceleration.magnitude.skewness",
              "userAcceleration.magnitude.kurtosis",
              "jerk.percentile[50].log[0.01]",
              "jerk.skewness",
              "jerk.autocorrelationPeak[0.3...0.45]",
              "userAcceleration.magnitude.autocorrelationPeak[0.82...1.2]",
              "jerk.bandLogRatio[2.3...3.3/1.5...2.2+0.01]",
              "jerk.autocorrelationPeak[0.6...0.82]",
              "jerk.kurtosis",
              "jerk.autocorrelationPeak[0.82...1.2]"
            ],
            "hop" : 0.2,
            "labels" : [
              "running",
              "still",
              "walking"
            ],
            "scaling" : {
              "mean" : [
                -1.84304, 0.0093886135, -0.12992747, 0.0093886135, 0.03762192, 0.09340971, 0.6193239,
                0.39481455, 0.42804638, 0.98232543, 0.046273537, 0, -0.08964913, 0.023028864, 0.8070866, 0
              ],
              "standardDeviation" : [
                1.5191408, 0.3369817, 0.36747494, 0.3369817, 0.16681506, 0.23022904, 0.66405076,
                1.7607889, 2.051668, 0.63735545, 0.22324714, 1, 0.4544856, 0.17032991, 1.899152, 1
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
          "resumeBelow" : 0.2,
          "resumeDwell" : 0.2,
          "shortestSegment" : 1,
          "smallestRhythm" : 0.3
        },
        "sampleRate" : 25,
        "version" : 2
      }
      """#)
}
