/** The endpoints of roster changes, transfers and rosters over time, answered from the archive. */

import { dataLimits, type Flag, isOn } from "@matchpoint/contracts/http/cs2/data/listing"
import type { Transfer, TransferStatus } from "@matchpoint/contracts/http/cs2/data/transferModels"
import { NotFound } from "@matchpoint/contracts/http/errors"
import { MatchpointApi } from "@matchpoint/contracts/http/MatchpointApi"
import type { Rows } from "@matchpoint/store/cs2/MatchArchive"
import { Rosters } from "@matchpoint/store/cs2/Rosters"
import { Transfers } from "@matchpoint/store/cs2/Transfers"
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import type { Page } from "../../admin/page.ts"
import { listed, listPage, since, until, withoutStore } from "./archive.ts"

interface Asked {
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

export const TransfersHandlers = HttpApiBuilder.group(
  MatchpointApi,
  "cs2-transfers",
  Effect.fn(function* (handlers) {
    const rosters = yield* Rosters
    const transfers = yield* Transfers

    const filterOf = Effect.fnUntraced(function* (query: Asked) {
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

    const list = Effect.fnUntraced(
      function* (query: Asked) {
        const page = listPage(query, dataLimits.transfers)
        return answered(page, yield* transfers.transfers({ ...page, ...(yield* filterOf(query)) }))
      },
      Effect.catchTag("StoreError", withoutStore),
    )

    return handlers.handleAll({
      rosterChanges: Effect.fnUntraced(
        function* ({ query }) {
          const page = listPage(query, dataLimits.rosterChanges)
          const found = yield* rosters.changes({ ...page, from: yield* since(), player: query.playerId, team: query.teamId })
          return within(page, found, { entityType: "cs2_roster_changes" as const, dataAvailable: true, changes: found.rows })
        },
        Effect.catchTag("StoreError", withoutStore),
      ),
      recentTransfers: ({ query }) => list(query),
      transfers: ({ query }) => list(query),
      playerTransfers: Effect.fnUntraced(
        function* ({ params, query }) {
          const page = listPage(query, dataLimits.transfers)
          const found = yield* transfers.ofPlayer(params.playerId, { ...page, ...(yield* filterOf(query)) })
          if (found === undefined) return yield* NotFound.of(`there is no player ${params.playerId}; GET /cs2/players lists them`)
          return answered(page, found)
        },
        Effect.catchTag("StoreError", withoutStore),
      ),
      rosterHistory: Effect.fnUntraced(
        function* ({ params, query }) {
          const page = listPage(query, dataLimits.rosterChanges)
          const found = yield* rosters.ofTeam(params.teamId, { ...page, from: yield* since() })
          if (found === undefined) return yield* NotFound.of(`there is no team ${params.teamId}; GET /cs2/teams lists them`)
          const { rows: spells, teamId, teamName } = found
          return within(page, found, {
            entityType: "cs2_roster_history" as const,
            teamId,
            teamName,
            dataAvailable: found.total > 0,
            spells,
          })
        },
        Effect.catchTag("StoreError", withoutStore),
      ),
    })
  }),
)

/** Lists that stand inside of an object. */
const within = <A, Data extends { readonly dataAvailable: boolean }>(page: Page, { rows, total }: Rows<A>, data: Data) => ({
  success: true as const,
  data,
  meta: listed(page, rows, total, { dataAvailable: data.dataAvailable }).meta,
})

const answered = (page: Page, found: Rows<Transfer>) =>
  within(page, found, { entityType: "cs2_player_transfers" as const, dataAvailable: true, transfers: found.rows })
