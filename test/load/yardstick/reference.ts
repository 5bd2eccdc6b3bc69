/** What the yardstick costs on the machine of 24 November 2026, for which the time bars hold. */

/** CPU time in microseconds: of folding one event, of writing and reading one document, and of one send. */
export interface Parts {
  readonly foldUs: number
  readonly jsonUs: number
  readonly sendUs: number
}

export const onReference: Parts = { foldUs: 1, jsonUs: 1, sendUs: 1 }
