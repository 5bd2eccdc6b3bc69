/**
 * Converts a map record to the archive's events: rounds, kills, thrown grenades and the bomb, in chronological order.
 * Times on the round clock count from the end of freeze time.
 */
import type { ArchivedGameEvent, PlayerRef } from "../archive/ArchivedMatch.ts"
import type { Side } from "../live/rules.ts"
import type { Grenade, KillRecord, MapRecord, PlayerKey, RoundRecord } from "./MapRecord.ts"
import { winTypeName } from "./winTypeNames.ts"

type RefOf = (player: PlayerKey | null | undefined) => PlayerRef | undefined

export const archivedEvents = ({ players, rounds }: MapRecord): ReadonlyArray<ArchivedGameEvent> => {
  const refs = new Map(players.map(({ key, player }) => [key, player]))
  const refOf: RefOf = (player) => (player === null || player === undefined ? undefined : refs.get(player))
  const startedAt = rounds[0]?.liveAt ?? 0
  return rounds.flatMap((round) => eventsOf(round, refOf, startedAt))
}

/** In order. At the same time, bomb events come before the kills by the bomb, and the end of the round comes last. */
const eventsOf = (round: RoundRecord, refOf: RefOf, startedAt: number): ReadonlyArray<ArchivedGameEvent> => {
  const happenings: Array<Happening> = []
  happenings.push({ at: round.liveAt, event: { type: "RoundStart" } })
  for (const { at, grenade, thrower } of round.grenades ?? []) {
    happenings.push({ at, event: { type: grenadeTypes[grenade], player: refOf(thrower.player) } })
  }
  for (const { at, player, site, type } of round.bombs)
    happenings.push({ at, event: { type, player: refOf(player), payload: { bombSite: site } } })
  for (const kill of round.kills) happenings.push({ at: kill.at, event: killEvent(kill, refOf), victim: kill.victim.side })
  const payload = { winnerSide: round.winner, winType: winTypeName(round.winType, round.winner) }
  happenings.push({ at: round.endedAt, event: { type: "RoundEnd", payload } })
  const alive = { CT: playersOn(round, "CT"), T: playersOn(round, "T") }
  return happenings
    .sort((a, b) => a.at - b.at)
    .map(({ at, event, victim }) => {
      if (victim !== undefined && victim !== null) alive[victim] = Math.max(0, alive[victim] - 1)
      return {
        ...event,
        round: round.number,
        clockMs: Math.max(0, at - round.liveAt),
        offsetMs: Math.max(0, at - startedAt),
        payload: { ...event.payload, ctPlayers: alive.CT, tPlayers: alive.T },
      }
    })
}

/** `victim` is the side that loses a player because of the event. */
interface Happening {
  readonly at: number
  readonly event: Partial<ArchivedGameEvent> & Pick<ArchivedGameEvent, "type">
  readonly victim?: Side | null
}

const playersOn = ({ present }: RoundRecord, side: Side): number => present.filter((player) => player.side === side).length

const killEvent = (kill: KillRecord, refOf: RefOf): Partial<ArchivedGameEvent> & Pick<ArchivedGameEvent, "type"> => ({
  type: "Kill",
  player: refOf(kill.killer.player),
  victim: refOf(kill.victim.player),
  assister: refOf(kill.assister?.player),
  weapon: kill.weapon,
  headshot: kill.headshot,
  payload: { flashAssist: kill.flashAssist, throughSmoke: kill.throughSmoke, wallbang: kill.wallbang },
})

const grenadeTypes: { readonly [G in Grenade]: ArchivedGameEvent["type"] } = {
  flash: "Flashbang",
  smoke: "Smoke",
  fire: "FireGrenade",
  he: "HeGrenade",
  decoy: "Decoy",
}
