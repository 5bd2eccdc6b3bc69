/** A fictional match for the examples of the documentation. It conforms to the schema. */
import { applyPatch, type JsonObject } from "@matchpoint/contracts/stream/compact/mergePatch"
import { stateHash } from "@matchpoint/contracts/stream/compact/stateHash"
import { matchIdOf } from "@matchpoint/domain/ids"
import { exampleHead } from "@matchpoint/game/contract/matchChannels"
import { TENNIS } from "../../rules/game.ts"
import { editionId, playerId } from "../../rules/live/registry.ts"
import { type CompactTennisMatch, tennisDocument } from "../CompactTennisMatch.ts"
import type { LiveTennisEvent, LiveTennisMatch } from "../LiveTennisMatch.ts"

const id = matchIdOf(TENNIS, 1001)

export const head = exampleHead(id, 58)
const at = head.observedAt

export const event: LiveTennisEvent = {
  eventId: "1-58",
  type: "point",
  at,
  set: 1,
  game: 10,
  point: 4,
  server: 2,
  winner: 1,
  kind: "normal",
  won: "point",
}

export const compact: CompactTennisMatch = {
  id,
  status: "live",
  source: "live",
  tour: "WTA",
  format: { best_of: 3, final_set: "tie_break", no_ad: false, doubles: false },
  momentum: 0.24,
  statistics: {
    is_complete: true,
    side1: {
      points_won: 31,
      aces: 2,
      double_faults: 1,
      serve_points: 29,
      serve_points_won: 19,
      service_games: 5,
      service_games_won: 5,
      break_points_faced: 1,
      break_points_saved: 1,
    },
    side2: {
      points_won: 26,
      aces: 1,
      double_faults: 2,
      serve_points: 28,
      serve_points_won: 16,
      service_games: 4,
      service_games_won: 4,
      break_points_faced: 0,
      break_points_saved: 0,
    },
  },
  tournament: { id: editionId("wta", "2026-1049"), name: "Example Open", surface: "Hard", round: "QF" },
  side1: { players: [{ id: playerId("wta", 1), name: "A. Able" }], sets_won: 0 },
  side2: { players: [{ name: "B. Baker" }], sets_won: 0 },
  sets: { 1: { side1: 5, side2: 4 } },
  game: {
    set: 1,
    game: 10,
    point: 5,
    is_tie_break: false,
    points: { side1: "40", side2: "15" },
    server: 2,
    server_player: 1,
    stakes: { side1: "set_point" },
  },
  started_at: "2026-03-01T17:45:02.000Z",
}

export const match: LiveTennisMatch = tennisDocument.fullOf({ document: compact, extras: {}, observedAt: at })

const patch: JsonObject = { momentum: 0.19, game: { point: 6, points: { side2: "30" } } }

/** A delta: a patch of the example match, and the hash of the document after the patch. */
export const change = { patch, hash: stateHash(applyPatch(compact, patch)) }
