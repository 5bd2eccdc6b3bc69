/**
 * What the yardstick costs on the machine of 24 November 2026 (AMD EPYC), for which the time bars hold. The machine is
 * gone, so these are derived: on 28 November (Intel Xeon), when nothing disturbed it, the code of commit ca7c6fa2 took
 * 89.1 us of CPU per event in `bench -- engine --checkpoints none`, where the machine of 24 November took 77, and a send of
 * raw uWebSockets.js at 200 frames/s took 4.44 us instead of 5.94.
 */

/** CPU time in microseconds: of folding one event, of writing and reading one document, and of one send. */
export interface Parts {
  readonly foldUs: number
  readonly jsonUs: number
  readonly sendUs: number
}

export const onReference: Parts = { foldUs: 0.22, jsonUs: 28, sendUs: 3.7 }
