// Owns what the processes of the measurement of the archive's API say to each other.
import type { Samples } from "./samples.ts"

export interface ServerOptions {
  /** Null: the embedded database in `directory`. */
  readonly databaseUrl: string | null
  readonly directory: string
  readonly metering: boolean
  readonly kept: boolean
  /** Sessions of the pool; undefined: as production has it. */
  readonly maxConnections: number | undefined
  readonly seed: number
  /** Statements are kept, so that they can be asked for. */
  readonly records: boolean
}

export interface Listening {
  readonly port: number
  /** Of a key that may see everything. */
  readonly secret: string
  readonly samples: Samples
}

export interface PeerListening {
  readonly port: number
}

/** A statement as the driver was given it. */
export interface SentStatement {
  readonly text: string
  readonly values: ReadonlyArray<unknown>
}

/** What an address is answered from; by path and query. */
export type Statements = Readonly<Record<string, ReadonlyArray<SentStatement>>>

export interface PeerOptions {
  readonly databaseUrl: string
  readonly maxConnections: number
}

export type ServerQuestion = { readonly ask: "counters" } | { readonly ask: "statements"; readonly paths: ReadonlyArray<string> }

/** Since the process began. */
export interface Counters {
  readonly cpuUs: number
  /** Of the server's sessions in PostgreSQL; null where that cannot be read. */
  readonly databaseCpuUs: number | null
}

export interface Address {
  /** As in the contract. */
  readonly endpoint: string
  /** Path and query, below the root of the server. */
  readonly path: string
}

export interface LoadOrder {
  readonly port: number
  readonly secret: string
  readonly connections: number
  /** No longer than that. */
  readonly milliseconds: number
  /** Each address at most so often; undefined: until the time is over. */
  readonly times?: number | undefined
  readonly addresses: ReadonlyArray<Address>
  /** Addresses that were answered with a tag before are asked for with it. */
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
  /** The fastest of its answers: what others do meanwhile makes it slower, never faster. */
  readonly bestMs: number
  readonly medianMs: number
}

export interface Failure {
  readonly path: string
  readonly status: number
  /** The beginning of what was answered. */
  readonly body: string
}

export interface LoadResult extends Latency {
  readonly seconds: number
  readonly cpuUs: number
  readonly bytes: number
  readonly notModified: number
  readonly failed: number
  /** The first of them. */
  readonly failures: ReadonlyArray<Failure>
  readonly endpoints: Readonly<Record<string, Latency>>
  /** Highest `bestMs` first. */
  readonly slowest: ReadonlyArray<AddressLatency>
}
