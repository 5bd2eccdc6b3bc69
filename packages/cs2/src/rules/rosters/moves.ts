/**
 * Derives roster changes (joined, left, benched, became a coach) and transfers from the periods that a player spent
 * with teams (stays). Times are epoch milliseconds.
 *
 * If a stay starts within 60 days of the end of the previous stay, the change is a transfer between the two teams. If
 * it starts later, the player had no team in between. `from` is null if the archive has no previous team. A change has
 * the same confidence as its stay, with two exceptions: it is one level lower if the date of the change is uncertain by
 * more than 60 days, and at most medium if the only evidence is that the player was missing from lineups.
 */
import type { Confidence, RosterRole, Stay } from "./stays.ts"

export interface RosterMove {
  readonly type: "join" | "leave" | "coach" | "bench"
  readonly team: number
  readonly from: number | null
  readonly to: number | null
  readonly roleBefore: RosterRole | "bench" | null
  readonly roleAfter: RosterRole | "bench" | null
  readonly effectiveAt: number
  readonly detectedAt: number
  readonly confidence: Confidence
}

export interface Move {
  readonly status: "joined" | "left" | "transferred"
  readonly from: number | null
  readonly to: number | null
  readonly role: RosterRole
  readonly transferredAt: number
  readonly joinedAt: number | null
  readonly leftAt: number | null
  readonly detectedAt: number
}

export interface Moves {
  readonly changes: ReadonlyArray<RosterMove>
  readonly transfers: ReadonlyArray<Move>
}

const OPEN_MS = 60 * 86_400_000

/** Returns moves in chronological order. `spells` are the stays of one player, as returned by `spellsOf`. */
export const movesOf = (spells: ReadonlyArray<Stay>): Moves => {
  const changes: Array<RosterMove> = []
  const transfers: Array<Move> = []
  for (let index = 0; index <= spells.length; index++) {
    const [before, spell] = [spells[index - 1], spells[index]]
    if (before !== undefined && spell !== undefined && isDirect(before, spell)) {
      if (before.team !== spell.team) {
        changes.push(leaving(before, spell.team))
        transfers.push({
          status: "transferred",
          from: before.team,
          to: spell.team,
          role: spell.role,
          transferredAt: spell.firstMatchAt,
          joinedAt: spell.firstMatchAt,
          leftAt: before.leftAt,
          detectedAt: spell.secondMatchAt,
        })
      }
      changes.push(joining(spell, before))
      continue
    }
    if (before !== undefined && before.leftAt !== null) {
      changes.push(leaving(before, null))
      transfers.push({
        status: "left",
        from: before.team,
        to: null,
        role: before.role,
        transferredAt: before.leftAt,
        joinedAt: null,
        leftAt: before.leftAt,
        detectedAt: before.leftDetectedAt ?? before.leftAt,
      })
    }
    if (before !== undefined && before.benchedAt !== null) changes.push(benching(before, before.benchedAt))
    if (spell === undefined || spell.joinedAt === null) continue
    changes.push(joining(spell, undefined))
    transfers.push({
      status: "joined",
      from: null,
      to: spell.team,
      role: spell.role,
      transferredAt: spell.joinedAt,
      joinedAt: spell.joinedAt,
      leftAt: null,
      detectedAt: spell.secondMatchAt,
    })
  }
  return { changes, transfers }
}

const isDirect = (before: Stay, after: Stay): boolean => {
  const gone = before.leftAt ?? after.firstMatchAt
  return (before.team !== after.team || before.role !== after.role) && after.firstMatchAt - gone <= OPEN_MS
}

const joining = (spell: Stay, before: Stay | undefined): RosterMove => ({
  type: spell.role === "coach" ? "coach" : "join",
  team: spell.team,
  from: before?.team ?? null,
  to: spell.team,
  roleBefore: before?.role ?? null,
  roleAfter: spell.role,
  effectiveAt: spell.firstMatchAt,
  detectedAt: spell.secondMatchAt,
  confidence: before !== undefined && spell.firstMatchAt - before.lastMatchAt > OPEN_MS ? lower(spell.confidence) : spell.confidence,
})

const leaving = (spell: Stay, to: number | null): RosterMove => {
  const effectiveAt = spell.leftAt ?? spell.lastMatchAt
  const sure = to === null ? atMostMedium(spell.confidence) : spell.confidence
  return {
    type: "leave",
    team: spell.team,
    from: spell.team,
    to,
    roleBefore: spell.role,
    roleAfter: null,
    effectiveAt,
    detectedAt: spell.leftDetectedAt ?? effectiveAt,
    confidence: effectiveAt - spell.lastMatchAt > OPEN_MS ? lower(sure) : sure,
  }
}

const benching = (spell: Stay, at: number): RosterMove => ({
  type: "bench",
  team: spell.team,
  from: spell.team,
  to: spell.team,
  roleBefore: spell.role,
  roleAfter: "bench",
  effectiveAt: at,
  detectedAt: spell.benchDetectedAt ?? at,
  confidence: atMostMedium(spell.confidence),
})

const lower = (confidence: Confidence): Confidence => (confidence === "high" ? "medium" : "low")
const atMostMedium = (confidence: Confidence): Confidence => (confidence === "high" ? "medium" : confidence)
