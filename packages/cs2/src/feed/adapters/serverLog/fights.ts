/** Facts about shots, deaths and the bomb. */
import { isOutsider, playerOf } from "../../../rules/live/state.ts"
import { BOMB, WORLD, weaponOfGame } from "../weapons.ts"
import type { LogReader } from "./LogReader.ts"
import { NOT_A_PLAYER, NOT_IN_PLAY } from "./lineRules.ts"
import type { LogEvent } from "./logLine.ts"
import type { LogPlayer } from "./playerTokens.ts"
import type { NumberedLine } from "./unreadLines.ts"

type Of<T extends LogEvent["_tag"]> = Extract<LogEvent, { readonly _tag: T }>

export const readAttacked = (reader: LogReader, line: NumberedLine, attack: Of<"Attacked">) => {
  const { where } = reader
  const victimId = where === undefined ? null : reader.onSheet(line, attack.victim)
  if (where === undefined || victimId === null) return reader.ignoreAbsent()
  const victim = playerOf(reader.state, victimId)
  const hpLeft = points(attack.hpLeft)
  // The damage in the log may exceed the health that the victim had left, and it is rounded down. The game counts only
  // the lost health: the difference between before and after the hit.
  const damage = victim?.alive === true ? Math.max(0, victim.hp - hpLeft) : 0
  if (damage === 0) return reader.ignore("no_damage")
  reader.addFact(line, "hurt", {
    type: "PlayerHurt",
    payload: {
      ...where,
      attackerId: reader.onSheet(line, attack.attacker),
      victimId,
      weapon: weaponOfGame(attack.weapon),
      damage,
      armorDamage: points(attack.armorDamage),
      hpLeft,
      armorLeft: points(attack.armorLeft),
    },
  })
}

/** The first assist line that follows is stored in the kill. Returns the number of assist lines that were read. */
export const readKilled = (reader: LogReader, line: NumberedLine, kill: Of<"Killed">, following: ReadonlyArray<NumberedLine>): number => {
  const assists = assistsOf(kill.victim, line, following)
  const { where } = reader
  const unfit = where === undefined ? NOT_IN_PLAY : uncounted(reader, kill)
  if (where === undefined || unfit !== undefined) {
    reader.ignore(unfit ?? NOT_IN_PLAY)
    return assists.length
  }
  const [first, ...more] = assists
  reader.addFact(line, "kill", {
    type: "PlayerKilled",
    payload: {
      ...where,
      killerId: reader.onSheet(line, kill.killer),
      victimId: reader.onSheet(line, kill.victim),
      assisterId: first === undefined ? null : reader.onSheet(first.line, first.event.assister),
      flashAssist: first?.event.flash ?? false,
      weapon: weaponOfGame(kill.weapon),
      headshot: kill.how.includes("headshot"),
      throughSmoke: kill.how.includes("throughsmoke"),
      wallbang: kill.how.includes("penetrated"),
    },
  })
  for (const assist of more) readAssisted(reader, assist.line, assist.event)
  return assists.length
}

/** The rule by which a kill does not count, or undefined if it does. */
const uncounted = ({ state }: LogReader, { killer, victim }: Of<"Killed">): string | undefined => {
  if (victim.id !== null) return isOutsider(state, victim.id) ? NOT_A_PLAYER : undefined
  return victim.side !== null && victim.side === killer.side ? "bot_of_own_team" : undefined
}

/**
 * An assist that cannot be stored in a kill: it is the second one, or the kill was in an earlier post and has already
 * been sent. Only the assist count is corrected.
 */
export const readAssisted = (reader: LogReader, line: NumberedLine, { assister, victim }: Of<"Assisted">) => {
  const { where } = reader
  const id = where === undefined ? null : reader.onSheet(line, assister)
  const player = id === null ? undefined : playerOf(reader.state, id)
  const killed = victim.id === null ? undefined : playerOf(reader.state, victim.id)
  // The log also contains assists to kills of teammates, which do not count.
  if (where === undefined || player === undefined) return reader.ignoreAbsent()
  if (player.team === killed?.team) return reader.ignore("assist_to_own_team")
  const players = [{ playerId: player.id, assists: player.tally.assists + 1, assisted: true as const }]
  reader.addFact(line, "assist", { type: "PlayersReported", payload: { ...where, players } })
}

/** The log writes this for every death without an enemy: a fall, an own grenade, the bomb, or leaving the game. */
export const readSuicide = (reader: LogReader, line: NumberedLine, { player, weapon }: Of<"Suicide">) => {
  const { fate } = reader.memory
  reader.memory = { ...reader.memory, fate: null }
  const known = player.id === null ? undefined : playerOf(reader.state, player.id)
  const { where } = reader
  // If the player has already left the server, this line does not report a death in the match.
  if (where === undefined || (known === undefined && player.id !== null) || known?.connected === false) return reader.ignoreAbsent()
  const cause = fate !== null && fate.playerId === player.id && line.at - fate.at <= 1_000 ? fate.kind : undefined
  const byWorld = weaponOfGame(weapon) === WORLD
  const death = { ...where, victimId: player.id, assisterId: null, headshot: false }
  if (cause === "bomb") {
    reader.addFact(line, "bombed", { type: "PlayerKilled", payload: { ...death, killerId: null, weapon: BOMB } })
  } else if (byWorld && cause === undefined) {
    reader.addFact(line, "fell", { type: "PlayerKilled", payload: { ...death, killerId: null, weapon: WORLD } })
  } else {
    reader.addFact(line, "own", { type: "PlayerKilled", payload: { ...death, killerId: player.id, weapon: weaponOfGame(weapon) } })
  }
}

export const readTriggered = (reader: LogReader, line: NumberedLine, { player, site, what }: Of<"Triggered">) => {
  const { where } = reader
  if (where === undefined) return reader.ignore(NOT_IN_PLAY)
  const playerId = reader.onSheet(line, player)
  const is = reader.state.round?.bomb?.state ?? "carried"
  const loose = is === "carried" || is === "dropped"
  switch (what) {
    case "Planted_The_Bomb":
      return void reader.addFact(line, "planted", { type: "BombPlanted", payload: { ...where, playerId, site } })
    case "Defused_The_Bomb":
      return void reader.addFact(line, "defused", { type: "BombDefused", payload: { ...where, playerId } })
    case "Begin_Bomb_Defuse_With_Kit":
    case "Begin_Bomb_Defuse_Without_Kit": {
      if (playerId === null) return reader.ignoreAbsent()
      const withKit = what === "Begin_Bomb_Defuse_With_Kit"
      return void reader.addFact(line, "defusing", { type: "BombDefuseStarted", payload: { ...where, playerId, withKit } })
    }
    // When the bomb is planted or defused or explodes, the log prints an additional line saying that its carrier lost
    // it. That line is no drop, so these lines count only while the bomb is carried or lies on the ground.
    case "Got_The_Bomb":
      if (playerId === null || !loose) return reader.ignore("bomb_notice")
      return void reader.addFact(line, "got", { type: "BombPickedUp", payload: { ...where, playerId } })
    case "Dropped_The_Bomb":
      if (playerId === null || !loose) return reader.ignore("bomb_notice")
      return void reader.addFact(line, "dropped", { type: "BombDropped", payload: { ...where, playerId } })
    default:
      return reader.ignore("player_notice")
  }
}

const assistsOf = (victim: LogPlayer, kill: NumberedLine, following: ReadonlyArray<NumberedLine>) => {
  const assists: Array<{ readonly line: NumberedLine; readonly event: Of<"Assisted"> }> = []
  for (const line of following) {
    const { event } = line
    if (event._tag !== "Assisted" || line.at !== kill.at || event.victim.name !== victim.name || event.victim.id !== victim.id) break
    assists.push({ line, event })
  }
  return assists
}

const points = (value: number): number => Math.min(100, Math.max(0, value))
