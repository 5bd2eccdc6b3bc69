/** Seeds that found a bug, some of them in deliberately broken code. They always run on every ledger. */
export const seeds: ReadonlyArray<number> = [1003, 1006, 1057, 2009]

/**
 * Number of additional seeds, counted from `first`. To search for bugs, raise `memory` and move `first`. Ledgers in a
 * database run fewer seeds.
 */
export const fresh = { first: 2_000, memory: 50, stored: 5 }
