/** Questions to the process of the clients, and its answers. */
import type { Window } from "../../check/pauses.ts"

/** Clients that share an API key. */
export interface ClientGroup {
  readonly name: string
  readonly key: string
  readonly clients: number
  /** Delay of the plan, in milliseconds. */
  readonly delayMs: number
  /** `match`: each client follows one match, in turn. `all`: each follows every match. */
  readonly room: "match" | "all"
  /** `raw`: WebSocket clients that record every frame. `sdk`: the TypeScript client, which also applies the changes. */
  readonly client: "raw" | "sdk"
  /** `sse`: for plans without WebSockets; only for `sdk`. */
  readonly transport?: "websocket" | "sse"
}

export interface ConnectOrder {
  readonly kind: "connect"
  /** Ports of the gateways on 127.0.0.1, as a load balancer would know them. */
  readonly gateways: ReadonlyArray<number>
  readonly matchIds: ReadonlyArray<string>
  readonly groups: ReadonlyArray<ClientGroup>
  /** Seed of the waiting times. */
  readonly seed: number
}

export type ClientsOrder =
  | ConnectOrder
  /** Waits until every client without a delay has the given seq of each match that it follows. */
  | { readonly kind: "reach"; readonly seqs: Readonly<Record<string, number>>; readonly withinMs: number }
  | { readonly kind: "pauses"; readonly window: Window }
  /** Closes all clients and returns the verdict on their transcripts. */
  | { readonly kind: "report"; readonly folder: string | undefined }
  | { readonly kind: "status" }

export interface Connected {
  readonly connected: number
}

export interface Reached {
  /** Clients that did not get there in time, with what they had. At most 10 are listed. */
  readonly behind: number
  readonly examples: ReadonlyArray<string>
}

/** The longest pause of each match, in milliseconds. */
export type Pauses = Readonly<Record<string, number>>

/** Connections of one API key, for the check of its bill. */
export interface GroupUse {
  readonly name: string
  readonly key: string
  readonly clients: number
  readonly connects: number
  /** For each client: when each of its connections was opened and closed, in epoch milliseconds. */
  readonly spans: ReadonlyArray<ReadonlyArray<readonly [openedAt: number, closedAt: number]>>
}

export interface ClientsReport {
  readonly clients: number
  readonly frames: number
  readonly connects: number
  readonly verdicts: Readonly<Record<string, number>>
  readonly announced: number
  readonly violations: number
  readonly findings: ReadonlyArray<string>
  readonly use: ReadonlyArray<GroupUse>
  /** Reasons for which connections ended or were refused. */
  readonly closes: Readonly<Record<string, number>>
}

export interface ClientsStatus {
  readonly open: number
  readonly live: number
  readonly frames: number
  readonly cpuMs: number
}
