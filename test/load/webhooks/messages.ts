// Owns the questions to the processes of the webhooks benchmark, and their answers.

export type ReceiverQuestion =
  | { readonly _tag: "Ports" }
  /** Forgets the deliveries so far. Requests to the receivers in `dead` are never answered. */
  | { readonly _tag: "Reset"; readonly dead: ReadonlyArray<number> }
  | { readonly _tag: "Count" }
  | { readonly _tag: "Report" }

export interface ReceiverReport {
  readonly count: number
  /** Time from the creation of each event to its arrival, in milliseconds, except at dead receivers. Unsorted. */
  readonly delaysMs: ReadonlyArray<number>
  readonly cpuUs: number
}

export type WorkerQuestion = { readonly _tag: "Cpu" }
