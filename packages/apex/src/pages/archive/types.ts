import type { Reads } from "@matchpoint/client"

type Data<Path extends keyof Reads> = Extract<Reads[Path]["body"], { readonly data: unknown }>["data"]

export type Coverage = Data<"/apex">
export type SeriesRow = Data<"/apex/algs/events">[number]
export type Scores = Data<"/apex/algs/events/:seriesId/scores">
export type Standing = Scores["standings"][number]
export type SeriesPlayer = Scores["playerStats"][number]
export type Legend = Scores["legendStats"][number]
export type Composition = Scores["compositions"][number]
export type Bans = Data<"/apex/algs/events/:seriesId/bans">
export type EventStats = Data<"/apex/algs/global-stats">[number]
export type EventPlayer = Data<"/apex/algs/global-stats/:eventId/players">[number]
export type PlayerHit = Data<"/apex/algs/players/search">[number]
export type Transaction = Data<"/apex/algs/transactions">[number]
