/** Seeds that have found something, a broken copy of the code included. They are run on every ledger, always. */
export const seeds: ReadonlyArray<number> = [1003, 1006, 1057, 2009]

/** And so many more, from the first on; raise `memory` and move `first` to look for trouble. A ledger that takes real time gets fewer. */
export const fresh = { first: 2_000, memory: 50, stored: 5 }
