/** Games that this gateway serves live. The composition root in Gateway.ts provides them. */
import type { LiveContracts } from "@matchpoint/contracts/game/LiveContract"
import type { GameName } from "@matchpoint/domain/ids"
import { Context } from "effect"

export class LiveGames extends Context.Service<LiveGames, LiveContracts>()("@matchpoint/service-gateway/live/LiveGames") {}

export const gamesOf = (games: LiveContracts): ReadonlyArray<GameName> => [...games.values()].map(({ game }) => game)
