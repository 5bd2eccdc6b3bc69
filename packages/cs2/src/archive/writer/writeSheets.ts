/** Writes the data of teams and players. Must run in a transaction that has acquired the archive lock. */
import type { PgClient } from "@effect/sql-pg"
import { Effect } from "effect"
import { handleKey, nameKey } from "../../rules/archive/names.ts"
import { indexWords } from "../search/searchWords.ts"
import { applyReportedTeams } from "../seats.ts"
import { loadRegister, type Wanted } from "./identity/loadRegister.ts"
import type { AnyKnown, EntityType, Register } from "./identity/Register.ts"
import { playerKeys, resolvePlayer, resolveTeam, teamKeys, unclearPlayerKey, unclearTeamKey } from "./identity/resolveIdentity.ts"
import { numberNew, saveRegister } from "./identity/saveRegister.ts"
import type { PlayerReport, ReportOrigin, TeamReport, Written } from "./reports.ts"
import { mergePlayerDetails, mergeTeamDetails } from "./sheets.ts"

export const noNumbers = { team: [], player: [], event: [] }

/** Same result as one call per report, but all entities to which the reports may refer are loaded at once. */
export const writeTeams = Effect.fnUntraced(function* (sql: PgClient.PgClient, reports: ReadonlyArray<TeamReport>) {
  if (reports.length === 0) return []
  const names = reports.flatMap(({ roster = [], team }) => [
    { type: "team", nameKey: nameKey(team.name) } as const,
    ...roster.map(({ nickname }) => ({ type: "player", nameKey: handleKey(nickname) }) as const),
  ])
  const keys = reports.flatMap(({ roster = [], seen, team }) => [...teamKeys(team, seen.source), unclearTeamKey(seen.source, team, roster)])
  const numbers = { ...noNumbers, team: reports.flatMap(({ team }) => team.teamNumber ?? []) }
  const times = reports.map(({ seen }) => seen.at)
  const register = yield* loadRegister(sql, {
    keys: distinct(keys.map((key) => ({ ...key, type: "team" as const }))),
    names: distinct(names),
    numbers,
    from: Math.min(...times),
    to: Math.max(...times),
  })
  const teams = reports.map(({ apartFrom, roster = [], seen, team: sheet }) => {
    const team = resolveTeam(register, sheet, seen, roster, undefined, apartFrom)
    mergeTeamDetails(register, team, sheet, seen)
    return team
  })
  return yield* finishSheets(sql, register, "team", teams)
})

/** Each duplicate would produce a duplicate row when joined with a table. */
const distinct = <A>(all: ReadonlyArray<A>): ReadonlyArray<A> => [...new Map(all.map((one) => [JSON.stringify(one), one])).values()]

/** Players with the same nickname are distinguished by their team, as within a match. */
export const writePlayers = Effect.fnUntraced(function* (sql: PgClient.PgClient, reports: ReadonlyArray<PlayerReport>) {
  if (reports.length === 0) return []
  const keys = reports.flatMap(({ player, seen, teamNumber }) => [
    ...playerKeys(player, seen.source),
    unclearPlayerKey(seen.source, player, teamNumber),
  ])
  const times = reports.map(({ seen }) => seen.at)
  const register = yield* loadRegister(sql, {
    keys: distinct(keys.map((key) => ({ ...key, type: "player" as const }))),
    names: distinct(reports.map(({ player }) => ({ type: "player" as const, nameKey: handleKey(player.nickname) }))),
    numbers: {
      ...noNumbers,
      team: distinct(reports.flatMap(({ teamNumber }) => teamNumber ?? [])),
      player: distinct(reports.flatMap(({ player }) => player.playerNumber ?? [])),
    },
    from: Math.min(...times),
    to: Math.max(...times),
  })
  const players = reports.map(({ player: sheet, seen, teamNumber }) => {
    const team = teamNumber === undefined ? undefined : register.teams.ofNumber(teamNumber)
    const player = resolvePlayer(register, sheet, seen, team)
    mergePlayerDetails(player, sheet, seen, team)
    return player
  })
  return yield* finishSheets(sql, register, "player", players)
})

export const wantedOf = (
  type: EntityType,
  keys: ReadonlyArray<{ readonly source: string; readonly key: string }>,
  names: Wanted["names"],
  numbers: Wanted["numbers"],
  { at }: ReportOrigin,
): Wanted => ({ keys: keys.map((key) => ({ ...key, type })), names, numbers, from: at, to: at })

export const finishSheet = (sql: PgClient.PgClient, register: Register, type: EntityType, known: AnyKnown) =>
  Effect.flatMap(finishSheets(sql, register, type, [known]), ([written]) =>
    // Writing one report always produces exactly one result.
    written === undefined ? Effect.die(new Error("The archive writer returned no result for a sheet.")) : Effect.succeed(written),
  )

/** If several reports concern the same entity, the first result states the change, the others are "unchanged". */
const finishSheets = Effect.fnUntraced(function* (
  sql: PgClient.PgClient,
  register: Register,
  type: EntityType,
  entities: ReadonlyArray<AnyKnown>,
) {
  yield* numberNew(sql, register)
  const saved = yield* saveRegister(sql, register)
  const changed = new Set(saved.written[type])
  yield* indexWords(sql, saved, [])
  yield* applyReportedTeams(sql, saved.written.player)
  const answered = new Set<AnyKnown>()
  return entities.map((known): Written => {
    const isFirst = !answered.has(known)
    answered.add(known)
    const outcome = !isFirst ? "unchanged" : known.before === undefined ? "created" : changed.has(known.number) ? "updated" : "unchanged"
    return { entityNumber: known.number, outcome }
  })
})
