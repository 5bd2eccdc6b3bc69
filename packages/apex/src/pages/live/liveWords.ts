import type { LiveEvent, LiveMatch, LiveRow, PlayerRef } from "./types.ts"

export const placeWords = ({ region, stage, tournament }: Pick<LiveRow, "region" | "stage" | "tournament">) =>
  [tournament.name, stage, region].filter((part) => part !== null).join(" · ")

export const ringWords = (ring: NonNullable<LiveRow["game"]>["ring"]) => {
  if (ring === null) return "No ring yet"
  const state = { waiting: "waits", closing: "is closing", closed: "is closed" }[ring.state]
  return `Ring ${ring.ring} ${state}${ring.damagePerTick === null ? "" : ` · ${ring.damagePerTick} damage per tick`}`
}

export const teamName = ({ teams }: LiveMatch, team: number) => teams[team - 1]?.name ?? `Team ${team}`

export const playerName = ({ teams }: LiveMatch, { player, team }: PlayerRef) =>
  teams[team - 1]?.players[player - 1]?.name ?? `Player ${player}`

const withTeam = (match: LiveMatch, player: PlayerRef) => `${playerName(match, player)} (${teamName(match, player.team)})`

/** One sentence for the feed of a lobby. */
export const eventWords = (match: LiveMatch, event: LiveEvent): string => {
  const { attacker, eliminated, game = 0, type, victim, weapon } = event
  const by = attacker === undefined ? "" : withTeam(match, attacker)
  const on = victim === undefined ? "" : withTeam(match, victim)
  const out = eliminated === undefined ? "" : `. ${teamName(match, eliminated.team)} is out at place ${eliminated.placement}`
  switch (type) {
    case "kill":
      return by === ""
        ? `${on} died${event.cause === "ring" ? " in the ring" : ""}${out}`
        : `${by} killed ${on}${weaponWords(weapon)}${out}`
    case "knockdown":
      return by === "" ? `${on} is down` : `${by} knocked ${on} down${weaponWords(weapon)}`
    case "revive":
      return `${on} was revived`
    case "respawn":
      return `${on} is back in the game`
    case "elimination":
      return out.slice(2)
    case "disconnected":
      return `${on} has lost the connection`
    case "reconnected":
      return `${on} is connected again`
    case "lobby_ready":
      return `The lobby of game ${game} is ready`
    case "game_started":
      return `Game ${game} has started`
    case "ring":
      return "The ring has changed"
    case "game_ended":
      return `Game ${game} is over`
    case "game_corrected":
      return `Officials have corrected game ${game}`
    case "game_cancelled":
      return `Game ${game} does not count`
    case "series_ended":
      return "The series is over"
    case "suspended":
      return "Play is suspended"
    case "resumed":
      return "Play goes on"
    case "cancelled":
      return "The series was cancelled"
  }
}

const weaponWords = (weapon: string | undefined) => (weapon === undefined ? "" : ` with ${weapon}`)
