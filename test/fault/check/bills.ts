/**
 * Checks the bill of an account against the connections of its clients. Pure. A stream costs one tick at the connect and
 * one for every full 15 seconds; a connection that was lost by a failover or a drain costs no second connect.
 */
import type { GroupUse } from "../load/clients/orders.ts"

export interface BillReport {
  readonly group: string
  readonly clients: number
  readonly reconnects: number
  readonly billed: number
  /** Ticks that the clients have used at least, and at most. */
  readonly least: number
  readonly most: number
  /** Connects that were billed although the client had only reconnected. */
  readonly secondConnects: number
  /** Ticks that were used and not billed, for example because a gateway was killed before it could report. */
  readonly unbilled: number
}

const INTERVAL_MS = 15_000
/** The gateway sees the end of a connection later than the client. */
const SLACK_MS = 1_000

/** `billsReconnects`: each reconnect costs a connect. */
export const checkBill = ({ clients, connects, name, spans }: GroupUse, billed: number, billsReconnects = false): BillReport => {
  const reconnects = connects - clients
  let least = 0
  let most = billsReconnects ? reconnects : 0
  for (const list of spans) {
    const [first] = list
    const last = list.at(-1)
    if (first === undefined || last === undefined) continue
    least += 1 + list.reduce((sum, [from, to]) => sum + Math.floor(Math.max(0, to - from - SLACK_MS) / INTERVAL_MS), 0)
    most += 1 + Math.floor((last[1] - first[0] + SLACK_MS) / INTERVAL_MS)
  }
  return {
    group: name,
    clients,
    reconnects,
    billed,
    least,
    most,
    secondConnects: Math.max(0, billed - most),
    unbilled: Math.max(0, least - billed),
  }
}
