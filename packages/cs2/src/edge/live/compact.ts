/** Responses of the live endpoints in message format v2. */
import type { FrameHead } from "@matchpoint/contracts/stream/wire"
import type { CompactMatch } from "../../contract/CompactMatch.ts"
import { compactEvent } from "../../contract/compactOf.ts"
import { mapImagePath } from "../../contract/http/assetPaths.ts"
import type {
  FrameMeta,
  LiveEventsV2,
  LiveListItemV2,
  LivePlayerStatsV2,
  LiveRoundsV2,
  LiveSnapshotV2,
  MapV2,
  ScoreboardV2,
} from "../../contract/http/liveModelsV2.ts"
import type { LiveEvent } from "../../contract/LiveEvent.ts"
import type { LiveMatch, LivePlayer, LiveRound } from "../../contract/LiveMatch.ts"
import { availabilityOf, coverageOf } from "./availability.ts"
import type { Cs2Views } from "./Cs2Views.ts"
import { qualityOf } from "./maps.ts"
import { mapTallies } from "./mapTallies.ts"
import { snapshotId } from "./snapshots.ts"

type FrameOf = Omit<FrameMeta, "shape">

const frameOf = ({ epoch, seq, position, observedAt, receivedAt, publishedAt }: FrameHead): FrameOf => ({
  epoch,
  seq,
  position,
  observedAt,
  receivedAt,
  publishedAt,
})

export const frameMeta = (head: FrameHead): FrameMeta => ({ shape: "v2", ...frameOf(head) })

const available = (match: LiveMatch) => {
  const { dataAvailable, unavailableReason } = availabilityOf(match)
  return { coverage: coverageOf(match), dataAvailable, ...(unavailableReason === null ? {} : { unavailableReason }) }
}

const withSource = (match: LiveMatch) => ({ source: match.source, ...available(match) })

const summaryOf = ({ maps: _, players: __, rounds: ___, unavailableFields: ____, ...summary }: CompactMatch) => summary

export const listItemV2 = ({ compact, head, match }: Cs2Views): LiveListItemV2 => ({
  ...summaryOf(compact),
  coverage: coverageOf(match),
  ...frameOf(head),
})

export const scoreboardV2 = ({ compact, match }: Cs2Views, latencyMs: number, lastEvent: LiveEvent | undefined): ScoreboardV2 => ({
  ...summaryOf(compact),
  players: compact.players,
  ...available(match),
  latencyMs,
  ...(lastEvent === undefined ? {} : { lastEvent: compactEvent(lastEvent) }),
})

export const roundsV2 = ({ compact, match }: Cs2Views, shown: ReadonlyArray<LiveRound>): LiveRoundsV2 => {
  const rounds: Record<string, LiveRoundsV2["rounds"][string]> = {}
  for (const { round } of shown) {
    const row = compact.rounds[String(round)]
    if (row !== undefined) rounds[String(round)] = row
  }
  return { matchId: match.matchId, mapNumber: match.currentGame, currentRound: match.game?.round ?? 0, ...withSource(match), rounds }
}

export const eventsV2 = (match: LiveMatch, events: ReadonlyArray<LiveEvent>): LiveEventsV2 => ({
  matchId: match.matchId,
  ...withSource(match),
  events: events.map(compactEvent),
})

export const playerStatsV2 = (
  { compact, match }: Cs2Views,
  shown: ReadonlyArray<LivePlayer>,
  confirmed: { readonly isCurrent: boolean; readonly lastVerified: string },
): LivePlayerStatsV2 => ({
  matchId: match.matchId,
  status: match.status,
  ...withSource(match),
  ...confirmed,
  players: Object.fromEntries(
    shown.flatMap(({ id }) => {
      const player = compact.players[id]
      return player === undefined ? [] : [[id, player]]
    }),
  ),
})

export const mapsV2 = ({ compact, match }: Cs2Views, events: ReadonlyArray<LiveEvent>): Readonly<Record<string, MapV2>> => {
  const maps: Record<string, MapV2> = {}
  for (const map of match.maps) {
    const known = compact.maps[String(map.mapNumber)]
    if (known === undefined) continue
    const { bombs, teams, weapons } = mapTallies(match, map, events)
    maps[String(map.mapNumber)] = {
      ...known,
      mapImageUrl: mapImagePath(map.mapName),
      bombEvents: bombs.map(compactEvent),
      objectives: Object.fromEntries(teams.map(({ teamId, ...tally }) => [teamId, tally])),
      weapons: Object.fromEntries(weapons.map(({ weapon, ...tally }) => [weapon, tally])),
      dataQuality: qualityOf(match, map),
    }
  }
  return maps
}

export const snapshotV2 = ({ compact, frame, head, match }: Cs2Views): LiveSnapshotV2 => ({
  snapshotId: snapshotId(frame),
  ...frameOf(head),
  coverage: coverageOf(match),
  match: compact,
})
