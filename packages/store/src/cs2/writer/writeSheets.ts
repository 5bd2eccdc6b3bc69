/** What a source says of one team or player apart from matches. Callers hold the transaction and the writer's lock. */
import type { PgClient } from "@effect/sql-pg"
import type { PlayerRef } from "@matchpoint/domain/cs2/archive/ArchivedMatch"
import { handleKey, nameKey } from "@matchpoint/domain/cs2/archive/names"
import { Effect } from "effect"
import type { PlayerSheet, Sighting, TeamSheet, Written } from "../ArchiveWriter.ts"
import { loadRegister, type Wanted } from "./loadRegister.ts"
import type { AnyKnown, EntityType, Register } from "./Register.ts"
import { numberNew, saveRegister } from "./saveRegister.ts"
import { indexWords } from "./searchWords.ts"
import { tellPlayer, tellTeam } from "./sheets.ts"
import { playerKeys, teamKeys, unclearPlayerKey, unclearTeamKey, whichPlayer, whichTeam } from "./whoIsWho.ts"

export const nobodyKnown = { team: [], player: [], event: [] }

export const writeTeam = Effect.fnUntraced(function* (
  sql: PgClient.PgClient,
  sheet: TeamSheet,
  seen: Sighting,
  roster: ReadonlyArray<PlayerRef>,
) {
  const names = [
    { type: "team", nameKey: nameKey(sheet.name) } as const,
    ...roster.map(({ nickname }) => ({ type: "player", nameKey: handleKey(nickname) }) as const),
  ]
  const numbers = { ...nobodyKnown, team: sheet.teamNumber === undefined ? [] : [sheet.teamNumber] }
  const register = yield* loadRegister(
    sql,
    wantedOf("team", [...teamKeys(sheet, seen.source), unclearTeamKey(seen.source, sheet, roster)], names, numbers, seen),
  )
  const team = whichTeam(register, sheet, seen, roster)
  tellTeam(register, team, sheet, seen)
  return yield* finishSheet(sql, register, "team", team)
})

export const writePlayer = Effect.fnUntraced(function* (
  sql: PgClient.PgClient,
  sheet: PlayerSheet,
  seen: Sighting,
  teamNumber: number | undefined,
) {
  const names = [{ type: "player", nameKey: handleKey(sheet.nickname) } as const]
  const numbers = {
    ...nobodyKnown,
    team: teamNumber === undefined ? [] : [teamNumber],
    player: sheet.playerNumber === undefined ? [] : [sheet.playerNumber],
  }
  const keys = [...playerKeys(sheet, seen.source), unclearPlayerKey(seen.source, sheet, teamNumber)]
  const register = yield* loadRegister(sql, wantedOf("player", keys, names, numbers, seen))
  const team = teamNumber === undefined ? undefined : register.teams.ofNumber(teamNumber)
  const player = whichPlayer(register, sheet, seen, team)
  tellPlayer(player, sheet, seen, team)
  return yield* finishSheet(sql, register, "player", player)
})

export const wantedOf = (
  type: EntityType,
  keys: ReadonlyArray<{ readonly source: string; readonly key: string }>,
  names: Wanted["names"],
  numbers: Wanted["numbers"],
  { at }: Sighting,
): Wanted => ({ keys: keys.map((key) => ({ ...key, type })), names, numbers, from: at, to: at })

export const finishSheet = Effect.fnUntraced(function* (sql: PgClient.PgClient, register: Register, type: EntityType, known: AnyKnown) {
  const isNew = known.before === undefined
  const hasNews = [...known.names.values()].some(({ isStored }) => !isStored)
  yield* numberNew(sql, register)
  const saved = yield* saveRegister(sql, register)
  const isChanged = saved.written[type].includes(known.number)
  // A new name is found by even where the row shows another.
  const written = hasNews ? { ...saved.written, [type]: [...new Set([...saved.written[type], known.number])] } : saved.written
  yield* indexWords(sql, { ...saved, written }, [])
  return { entityNumber: known.number, outcome: isNew ? "created" : isChanged ? "updated" : "unchanged" } satisfies Written
})
