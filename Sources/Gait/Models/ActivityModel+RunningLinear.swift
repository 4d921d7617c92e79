extension ActivityModel { public static let runningLinear = running }
