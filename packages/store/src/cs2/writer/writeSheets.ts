/** What a source says of one team, player or event apart from matches. Callers hold the transaction and the writer's lock. */
import type { PgClient } from "@effect/sql-pg"
import type { PlayerRef } from "@matchpoint/domain/cs2/archive/ArchivedMatch"
import { handleKey, nameKey } from "@matchpoint/domain/cs2/archive/names"
import { Effect } from "effect"
import type { EventSheet, PlayerSheet, Sighting, TeamSheet, Written } from "../ArchiveWriter.ts"
import { loadRegister, type Wanted } from "./loadRegister.ts"
import type { AnyKnown, EntityType, Register } from "./Register.ts"
import { numberNew, saveRegister } from "./saveRegister.ts"
import { indexWords } from "./searchWords.ts"
import { tellEvent, tellPlayer, tellTeam } from "./sheets.ts"
import { eventKeys, playerKeys, teamKeys, unclearKey, whichEvent, whichPlayer, whichTeam } from "./whoIsWho.ts"

const nobody = { team: [], player: [], event: [] }

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
  const numbers = { ...nobody, team: sheet.teamNumber === undefined ? [] : [sheet.teamNumber] }
  const register = yield* loadRegister(
    sql,
    wanted("team", [...teamKeys(sheet, seen.source), unclearKey(seen.source, nameKey(sheet.name))], names, numbers, seen),
  )
  const team = whichTeam(register, sheet, seen, roster)
  tellTeam(register, team, sheet, seen)
  return yield* finish(sql, register, "team", team)
})

export const writePlayer = Effect.fnUntraced(function* (
  sql: PgClient.PgClient,
  sheet: PlayerSheet,
  seen: Sighting,
  teamNumber: number | undefined,
) {
  const names = [{ type: "player", nameKey: handleKey(sheet.nickname) } as const]
  const numbers = {
    ...nobody,
    team: teamNumber === undefined ? [] : [teamNumber],
    player: sheet.playerNumber === undefined ? [] : [sheet.playerNumber],
  }
  const keys = [...playerKeys(sheet, seen.source), unclearKey(seen.source, handleKey(sheet.nickname))]
  const register = yield* loadRegister(sql, wanted("player", keys, names, numbers, seen))
  const team = teamNumber === undefined ? undefined : register.teams.ofNumber(teamNumber)
  const player = whichPlayer(register, sheet, seen, team)
  tellPlayer(player, sheet, seen, team)
  return yield* finish(sql, register, "player", player)
})

export const writeEvent = Effect.fnUntraced(function* (sql: PgClient.PgClient, sheet: EventSheet, seen: Sighting) {
  const names = [{ type: "event", nameKey: nameKey(sheet.name) } as const]
  const register = yield* loadRegister(sql, wanted("event", eventKeys(sheet, seen.source), names, nobody, seen))
  const event = whichEvent(register, sheet, { ...seen, at: sheet.startsAt ?? seen.at })
  tellEvent(event, sheet, seen)
  return yield* finish(sql, register, "event", event)
})

const wanted = (
  type: EntityType,
  keys: ReadonlyArray<{ readonly source: string; readonly key: string }>,
  names: Wanted["names"],
  numbers: Wanted["numbers"],
  { at }: Sighting,
): Wanted => ({ keys: keys.map((key) => ({ ...key, type })), names, numbers, from: at, to: at })

const finish = Effect.fnUntraced(function* (sql: PgClient.PgClient, register: Register, type: EntityType, known: AnyKnown) {
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
