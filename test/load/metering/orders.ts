// Owns what the processes of the measurement of metering say to each other, and which servers are compared.

export const crowds = ["scale", "pro", "exact"] as const
export type Crowd = (typeof crowds)[number]

export const databases = ["postgres", "pglite"] as const
export type Database = (typeof databases)[number]

/** `off`: MeteringConfig.enabled false. `memory`: metered, the ledger in this process. `stored`: metered, the ledger in the database. */
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

/** Since the process began. */
export interface Counters {
  readonly cpuUs: number
  /** Exchanges with the ledger. */
  readonly settles: number
}

/** All targets at once, in slices of time: one is asked while the others wait. */
export interface LoadOrder {
  readonly targets: ReadonlyArray<Listening>
  readonly connections: number
  /** Of every target. */
  readonly slices: number
  readonly sliceMs: number
}

/** Of one target. */
export interface LoadResult {
  readonly responses: number
  readonly seconds: number
  /** Of the generator, which is always awake: not what its work takes. */
  readonly cpuUs: number
  readonly p50Ms: number
  readonly p99Ms: number
}
