import GaitTestSupport
import Testing

@Test func `The same seed gives the same numbers`() throws {
  var generator = SplitMix64(seed: 0)
  #expect(generator.next() == 0xE220_A839_7B1D_CDAF)
}

@Test(.requiresRealData) func `Real recordings are found`() throws {
  #expect(try RealData.recordings(in: RealData.boostRunClub).count == 98)
}
