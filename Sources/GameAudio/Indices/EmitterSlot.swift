/// The index of an emitter in the tables of its world.
typealias EmitterSlot = Int
