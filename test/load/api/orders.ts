// Owns the messages between the processes of the archive API benchmark.
import type { Samples } from "./samples.ts"

export interface ServerOptions {
  /** Null: the embedded database in `directory`. */
  readonly databaseUrl: string | null
  readonly directory: string
  readonly metering: boolean
  readonly kept: boolean
  /** Sessions of the pool. Undefined: as in production. */
  readonly maxConnections: number | undefined
  readonly seed: number
  /** Whether statements are recorded, so that they can be requested. */
  readonly records: boolean
}

export interface Listening {
  readonly port: number
  /** Secret of a key with access to everything. */
  readonly secret: string
  readonly samples: Samples
}

export interface PeerListening {
  readonly port: number
}

/** A statement as passed to the driver. */
export interface SentStatement {
  readonly text: string
  readonly values: ReadonlyArray<unknown>
}

/** Statements behind each address, by path and query. */
export type Statements = Readonly<Record<string, ReadonlyArray<SentStatement>>>

export interface PeerOptions {
  readonly databaseUrl: string
  readonly maxConnections: number
}

export type ServerQuestion = { readonly ask: "counters" } | { readonly ask: "statements"; readonly paths: ReadonlyArray<string> }

/** Totals since the process started. */
export interface Counters {
  readonly cpuUs: number
  /** CPU time of the server's sessions in PostgreSQL. Null if it cannot be read. */
  readonly databaseCpuUs: number | null
}

export interface Address {
  /** Path as in the contract. */
  readonly endpoint: string
  /** Path and query, below the root of the server. */
  readonly path: string
}

export interface LoadOrder {
  readonly port: number
  readonly secret: string
  readonly connections: number
  /** Maximum duration of the load. */
  readonly milliseconds: number
  /** Maximum number of requests per address. Undefined: until the time is over. */
  readonly times?: number | undefined
  readonly addresses: ReadonlyArray<Address>
  /** Whether addresses whose responses had an entity tag are requested with that tag. */
  readonly conditional: boolean
}

export interface Latency {
  readonly responses: number
  readonly p50Ms: number
  readonly p90Ms: number
  readonly p99Ms: number
  readonly maxMs: number
}

export interface AddressLatency {
  readonly path: string
  readonly responses: number
  /** The fastest response. Other load on the machine can only make responses slower. */
  readonly bestMs: number
  readonly medianMs: number
}

export interface Failure {
  readonly path: string
  readonly status: number
  /** Start of the response body. */
  readonly body: string
}

export interface LoadResult extends Latency {
  readonly seconds: number
  readonly cpuUs: number
  readonly bytes: number
  readonly notModified: number
  readonly failed: number
  /** The first failures. */
  readonly failures: ReadonlyArray<Failure>
  readonly endpoints: Readonly<Record<string, Latency>>
  /** Highest `bestMs` first. */
  readonly slowest: ReadonlyArray<AddressLatency>
}
