//! The next bar after a moment, in music that changes its tempo.

import GameAudio

// snippet.map
var map = TempoMap(120)
map.setTempo(90, atBeat: 32)
let moment = map.next(.bar, from: .seconds(17), in: Meter(4, 4))
let place = Meter(4, 4).barAndBeat(atBeat: map.beat(at: moment))
// snippet.end

precondition(abs(moment / .seconds(1) - 18.667) < 0.001)
precondition(place == (10, 1))
