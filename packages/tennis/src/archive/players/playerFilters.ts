import type { Order } from "@matchpoint/store/paging/cursor"

const last = (descending: boolean) => ({ of: "p.player_id", type: "text", descending }) as const

export const playerOrders = {
  fame: { name: "tennis-players-fame", keys: [{ of: "p.fame", type: "bigint", descending: true }, last(true)] },
  matches: { name: "tennis-players-matches", keys: [{ of: "p.matches", type: "bigint", descending: true }, last(true)] },
  name: { name: "tennis-players-name", keys: [{ of: "p.words", type: "text" }, last(false)] },
  rank: { name: "tennis-players-rank", keys: [{ of: "p.rank_order", type: "bigint" }, last(false)] },
} as const satisfies Readonly<Record<string, Order>>
