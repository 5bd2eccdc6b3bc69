import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { Rosters } from "../../../src/archive/rosters/Rosters.ts"
import { type TransferFilter, Transfers } from "../../../src/archive/rosters/Transfers.ts"
import type { ArchiveIt } from "../sampled.ts"
import { SAMPLE_NOW } from "../sampled.ts"

const all: TransferFilter = { computed: true, undated: false, oldestFirst: false, limit: 10, offset: 0 }

const ask = (filter: Partial<TransferFilter>) => Effect.flatMap(Transfers, (transfers) => transfers.transfers({ ...all, ...filter }))
const keys = (filter: Partial<TransferFilter>) => Effect.map(ask(filter), ({ rows }) => rows.map(({ transferKey }) => transferKey).join(""))
const ago = (days: number) => new Date(SAMPLE_NOW - days * 86_400_000)

export const transferReads = (it: ArchiveIt) => {
  it.effect("lists transfers newest first, with no-team as a pseudo team", () =>
    Effect.gen(function* () {
      const { rows, total } = yield* ask({})
      assert.deepStrictEqual([rows.map(({ transferKey }) => transferKey), total], [["a", "b", "c"], 3])
      const [moved, left] = rows
      assert.deepStrictEqual([moved?.fromTeamId, moved?.toTeamName, moved?.toTeamIsNoTeam], ["cs2-team-4", "Team Bravo", false])
      assert.deepStrictEqual([left?.toTeamId, left?.toTeamName, left?.toTeamIsNoTeam, left?.joinDate], ["no-team", "No team", true, null])
      assert.strictEqual(moved?.transferDate, "2026-11-02T12:00:00.000Z")
      assert.strictEqual(yield* keys({ oldestFirst: true }), "cba")
    }),
  )

  it.effect("places undated transfers at their detection time, and can list only those reported by sources", () =>
    Effect.gen(function* () {
      assert.strictEqual(yield* keys({ undated: true }), "dabc")
      assert.strictEqual(yield* keys({ undated: true, computed: false }), "d")
      assert.strictEqual(yield* keys({ computed: false }), "")
    }),
  )

  it.effect("filters transfers by inclusive dates, and by teams and players by id or slug", () =>
    Effect.gen(function* () {
      assert.strictEqual(yield* keys({ from: ago(60), to: ago(20) }), "ab")
      assert.strictEqual(yield* keys({ from: ago(59) }), "a")
      assert.strictEqual(yield* keys({ team: "delta" }), "ac")
      assert.strictEqual(yield* keys({ fromTeam: "cs2-team-4" }), "a")
      assert.strictEqual(yield* keys({ toTeam: "no-team" }), "b")
      assert.strictEqual(yield* keys({ fromTeam: "no-team" }), "c")
      assert.strictEqual(yield* keys({ player: "p305" }), "b")
      assert.strictEqual(yield* keys({ player: "cs2-player-404", status: "joined" }), "c")
      assert.strictEqual(yield* keys({ team: "nobody" }), "")
      assert.deepStrictEqual((yield* ask({ limit: 1, offset: 2 })).total, 3)
    }),
  )

  it.effect("lists the transfers of one player; undefined for an unknown player", () =>
    Effect.gen(function* () {
      const transfers = yield* Transfers
      assert.strictEqual((yield* transfers.ofPlayer("p205", all))?.total, 1)
      assert.strictEqual((yield* transfers.ofPlayer("p101", all))?.total, 0)
      assert.isUndefined(yield* transfers.ofPlayer("cs2-player-999", all))
    }),
  )

  it.effect("lists roster changes by team and player, newest first", () =>
    Effect.gen(function* () {
      const rosters = yield* Rosters
      const page = { limit: 10, offset: 0 }
      const transfersOf = (filter: { player?: string; team?: string; from?: Date }) =>
        Effect.map(rosters.changes({ ...page, ...filter }), ({ rows }) =>
          rows.map(({ changeType, teamName }) => `${changeType} ${teamName}`),
        )
      assert.deepStrictEqual(yield* transfersOf({}), ["join Team Bravo", "leave Delta", "coach Alpha Wolves", "leave Čarodějové"])
      assert.deepStrictEqual(yield* transfersOf({ team: "cs2-team-4" }), ["leave Delta"])
      assert.deepStrictEqual(yield* transfersOf({ player: "coach" }), ["coach Alpha Wolves"])
      assert.deepStrictEqual(yield* transfersOf({ from: ago(30) }), ["join Team Bravo", "leave Delta"])
    }),
  )

  it.effect("lists a team's roster over time, current members first", () =>
    Effect.gen(function* () {
      const rosters = yield* Rosters
      const delta = yield* rosters.ofTeam("delta", { limit: 10, offset: 0 })
      assert.deepStrictEqual([delta?.teamId as string | undefined, delta?.teamName, delta?.total], ["cs2-team-4", "Delta", 2])
      assert.deepStrictEqual(
        delta?.rows.map(({ playerName, status }) => [playerName, status]),
        [
          ["p404", "active"],
          ["p205", "left"],
        ],
      )
      assert.strictEqual((yield* rosters.ofTeam("delta", { from: ago(10), limit: 10, offset: 0 }))?.total, 1)
      assert.isUndefined(yield* rosters.ofTeam("nobody", { limit: 10, offset: 0 }))
    }),
  )
}
