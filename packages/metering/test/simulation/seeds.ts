/** Seeds that have found something. They are run on every ledger, always. */
export const seeds: ReadonlyArray<number> = [1003, 1057]
