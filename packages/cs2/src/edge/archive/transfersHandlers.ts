import { NotFound } from "@matchpoint/contracts/http/errors"
import { type Flag, isOn } from "@matchpoint/contracts/http/listing"
import { listHandler, since, until } from "@matchpoint/game/edge/archive"
import { endpointGroup } from "@matchpoint/game/edge/slimContext"
import type { Listed, PageWindow } from "@matchpoint/store/paging/listReader"
import { Effect } from "effect"
import { Rosters } from "../../archive/rosters/Rosters.ts"
import { Transfers } from "../../archive/rosters/Transfers.ts"
import { Cs2Api } from "../../contract/http/Cs2Api.ts"
import { dataLimits } from "../../contract/http/data/dataLimits.ts"
import type { Transfer, TransferStatus } from "../../contract/http/data/transferModels.ts"
import { slugRedirects } from "./slugRedirects.ts"

interface TransferQuery {
  readonly limit?: number | undefined
  readonly page?: number | undefined
  readonly after?: string | undefined
  readonly before?: string | undefined
  readonly from_team?: string | undefined
  readonly to_team?: string | undefined
  readonly include_computed?: Flag | undefined
  readonly include_undated?: Flag | undefined
  readonly player?: string | undefined
  readonly player_id?: string | undefined
  readonly status?: TransferStatus | undefined
  readonly team?: string | undefined
  readonly team_id?: string | undefined
  readonly sort?: "newest" | "oldest" | undefined
}

export const TransfersHandlers = endpointGroup(
  Cs2Api,
  "cs2-transfers",
  Effect.fn(function* (handlers) {
    const rosters = yield* Rosters
    const transfers = yield* Transfers
    const redirecting = yield* slugRedirects

    const filterOf = Effect.fnUntraced(function* (query: TransferQuery) {
      return {
        from: yield* since(query.after, query.before),
        to: until(query.before),
        fromTeam: query.from_team,
        toTeam: query.to_team,
        team: query.team_id ?? query.team,
        player: query.player_id ?? query.player,
        status: query.status,
        computed: isOn(query.include_computed ?? "true"),
        undated: isOn(query.include_undated),
        oldestFirst: query.sort === "oldest",
      }
    })

    const list = Effect.fnUntraced(function* ({ query }: { readonly query: TransferQuery }, window: PageWindow) {
      return yield* transfers.transfers({ ...window, ...(yield* filterOf(query)) })
    })

    return handlers.handleAll({
      rosterChanges: listHandler(
        { max: dataLimits.rosterChanges },
        Effect.fnUntraced(function* ({ query }, window) {
          return yield* rosters.changes({ ...window, from: yield* since(), player: query.playerId, team: query.teamId })
        }),
        {
          data: ({ rows }) => ({ entityType: "cs2_roster_changes" as const, dataAvailable: true, changes: rows }),
          meta: () => ({ dataAvailable: true }),
        },
      ),
      recentTransfers: listHandler({ max: dataLimits.transfers }, list, inObject),
      transfers: listHandler({ max: dataLimits.transfers }, list, inObject),
      playerTransfers: redirecting(
        listHandler(
          { max: dataLimits.transfers },
          Effect.fnUntraced(function* ({ params, query }, window) {
            const found = yield* transfers.ofPlayer(params.playerId, { ...window, ...(yield* filterOf(query)) })
            return found ?? (yield* NotFound.of(`no player has the id ${params.playerId}; GET /cs2/players lists all players`))
          }),
          inObject,
        ),
      ),
      rosterHistory: redirecting(
        listHandler(
          { max: dataLimits.rosterChanges },
          Effect.fnUntraced(function* ({ params }, window) {
            const found = yield* rosters.ofTeam(params.teamId, { ...window, from: yield* since() })
            return found ?? (yield* NotFound.of(`no team has the id ${params.teamId}; GET /cs2/teams lists all teams`))
          }),
          {
            data: ({ rows, teamId, teamName, total }) => ({
              entityType: "cs2_roster_history" as const,
              teamId,
              teamName,
              dataAvailable: total > 0,
              spells: rows,
            }),
            meta: ({ total }) => ({ dataAvailable: total > 0 }),
          },
        ),
      ),
    })
  }),
)

const inObject = {
  data: ({ rows }: Listed<Transfer>) => ({ entityType: "cs2_player_transfers" as const, dataAvailable: true, transfers: rows }),
  meta: () => ({ dataAvailable: true }),
}
