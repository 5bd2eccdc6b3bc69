// Owns the messages between the processes of the metering benchmark, and the kinds of servers compared.

export const crowds = ["scale", "pro", "exact"] as const
export type Crowd = (typeof crowds)[number]

export const databases = ["postgres", "pglite"] as const
export type Database = (typeof databases)[number]

/**
 * `off`: MeteringConfig.enabled is false. `memory`: metered, with the ledger in this process. `stored`: metered, with
 * the ledger in the database.
 */
export const meterings = ["off", "memory", "stored"] as const
export type Metering = (typeof meterings)[number]

export interface ServerOptions {
  readonly crowd: Crowd
  readonly database: Database
  readonly metering: Metering
  readonly postgresUrl: string
}

export interface Listening {
  readonly port: number
  readonly path: string
  readonly secrets: ReadonlyArray<string>
}

/** Totals since the process started. */
export interface Counters {
  readonly cpuUs: number
  /** Exchanges with the ledger. */
  readonly settles: number
}

/** Load on all targets in slices of time: one is loaded while the others wait. */
export interface LoadOrder {
  readonly targets: ReadonlyArray<Listening>
  readonly connections: number
  /** Slices per target. */
  readonly slices: number
  readonly sliceMs: number
}

/** Result of one target. */
export interface LoadResult {
  readonly responses: number
  readonly seconds: number
  /** CPU time of the generator, which never sleeps. It is more than its work takes. */
  readonly cpuUs: number
  readonly p50Ms: number
  readonly p99Ms: number
}
