/**
 * Queries of the endpoints to the archive's repositories, for checking their plans: without filters, and with each
 * filter that customers may use.
 */
import type { ForeignCursor } from "@matchpoint/store/paging/listReader"
import type { StoreError } from "@matchpoint/store/StoreError"
import { Effect } from "effect"
import { Changelog } from "../../../src/archive/Changelog.ts"
import { EventArchive } from "../../../src/archive/events/EventArchive.ts"
import { Leagues } from "../../../src/archive/events/Leagues.ts"
import { GameArchive } from "../../../src/archive/matches/GameArchive.ts"
import { MatchArchive } from "../../../src/archive/matches/MatchArchive.ts"
import { OddsBook } from "../../../src/archive/odds/OddsBook.ts"
import { PlayerArchive } from "../../../src/archive/players/PlayerArchive.ts"
import { Rankings } from "../../../src/archive/rankings/Rankings.ts"
import { Rosters } from "../../../src/archive/rosters/Rosters.ts"
import { Transfers } from "../../../src/archive/rosters/Transfers.ts"
import { Search } from "../../../src/archive/search/Search.ts"
import { SkinMarket } from "../../../src/archive/skins/SkinMarket.ts"
import { FormerSlugs } from "../../../src/archive/teams/FormerSlugs.ts"
import { TeamArchive } from "../../../src/archive/teams/TeamArchive.ts"
import { Freshness } from "../../../src/archive/upkeep/Freshness.ts"

export type Questions = Readonly<Record<string, Effect.Effect<unknown, StoreError | ForeignCursor>>>

const page = { limit: 50, offset: 0 }
const daysBefore = (now: number, days: number): Date => new Date(now - days * 86_400_000)

/** A match of the large archive that has maps, lines and rounds. */
const DEEP = 500

export const matchQuestions = (now: number) =>
  Effect.gen(function* () {
    const matches = yield* MatchArchive
    const games = yield* GameArchive
    const game = { matchNumber: DEEP, mapNumber: 1 }
    return {
      upcoming: matches.upcoming(page),
      recent: matches.list({ ...page, status: "completed" }),
      "recent, of a month": matches.list({ ...page, status: "completed", from: daysBefore(now, 30) }),
      "all, far back": matches.list({ ...page, offset: 10_000 }),
      "of a team": matches.list({ ...page, team: "team-7" }),
      "of an event": matches.list({ ...page, event: "cup-7" }),
      "of a tier": matches.list({ ...page, tier: "S" }),
      "best of": matches.list({ ...page, bestOf: 3 }),
      "start of one": matches.startOf(DEEP),
      one: matches.find(DEEP),
      demos: matches.demosOf(DEEP),
      "head-to-head": matches.headToHead({ team1: "team-7", team2: "team-9" }),
      "head of a game": games.head(game),
      game: games.find(game),
      games: games.gamesOf(DEEP),
      maps: games.mapsOf(DEEP),
      lines: games.playerStats({ matchNumber: DEEP }, page),
      rounds: games.rounds(game, page),
      events: games.events(game, {}, page),
      kills: games.events(game, { type: "Kill" }, page),
    } satisfies Questions
  })

export const eventQuestions = (now: number) =>
  Effect.gen(function* () {
    const events = yield* EventArchive
    return {
      upcoming: events.list({ ...page, status: "upcoming", order: "soonest" }),
      live: events.list({ ...page, status: "live", order: "endsSoonest" }),
      recent: events.list({ ...page, status: "completed", order: "newestEnd" }),
      "between days": events.list({ ...page, from: daysBefore(now, 30), to: daysBefore(now, 0), order: "newestStart" }),
      text: events.list({ ...page, text: "cup 7", order: "newestStart" }),
      active: events.active({ ...page, upcoming: 10 }),
      found: events.find("cup-7"),
      one: events.one("cup-7"),
      participants: events.participants("cup-7", page),
      matches: events.matches("cup-7", page),
    } satisfies Questions
  })

export const peopleQuestions = (now: number) =>
  Effect.gen(function* () {
    const teams = yield* TeamArchive
    const formerSlugs = yield* FormerSlugs
    const players = yield* PlayerArchive
    const since = daysBefore(now, 90)
    return {
      teams: teams.list({ ...page, order: "ranking" }),
      "teams by name": teams.list({ ...page, text: "team 7", order: "name" }),
      "former slug of a team": formerSlugs.currentOf("team", "team-7-once"),
      "former slug of a player": formerSlugs.currentOf("player", "player-7-once"),
      team: teams.profile("team-7"),
      "team of late": teams.profile("team-7", since),
      trends: teams.trends("team-7", "month", { from: since }),
      players: players.list({ ...page, order: "maps" }),
      "players by name": players.list({ ...page, text: "p7", order: "name" }),
      "players by rating": players.list({ ...page, order: "rating" }),
      player: players.profile("p17"),
      "his lines": players.stats("p17", page),
      "his lines of late": players.stats("p17", { ...page, from: since, map: "de_mirage" }),
      career: players.career("p17"),
      seasons: players.seasons("p17"),
    } satisfies Questions
  })

export const sceneQuestions = (now: number) =>
  Effect.gen(function* () {
    const rankings = yield* Rankings
    const rosters = yield* Rosters
    const transfers = yield* Transfers
    const from = daysBefore(now, 30)
    const all = { ...page, computed: true, undated: true, oldestFirst: false }
    return {
      vrs: rankings.ranking({ ...page, source: "vrs", region: "global" }),
      world: rankings.ranking({ ...page, source: "world", region: "europe", at: daysBefore(now, 90) }),
      "of a team": rankings.ranking({ ...page, source: "vrs", region: "global", team: "team-7" }),
      changes: rosters.changes(page),
      "changes of a month": rosters.changes({ ...page, from }),
      "changes of a player": rosters.changes({ ...page, player: "p17" }),
      "changes of a team": rosters.changes({ ...page, team: "team-7" }),
      "roster over time": rosters.ofTeam("team-7", page),
      transfers: transfers.transfers(all),
      "transfers, dated": transfers.transfers({ ...all, undated: false, from }),
      "transfers of a team": transfers.transfers({ ...all, team: "team-7" }),
      "transfers from a team": transfers.transfers({ ...all, fromTeam: "team-7" }),
      "transfers of a player": transfers.ofPlayer("p17", all),
    } satisfies Questions
  })

export const referenceQuestions = (now: number) =>
  Effect.gen(function* () {
    const search = yield* Search
    const changelog = yield* Changelog
    const odds = yield* OddsBook
    const skins = yield* SkinMarket
    const freshness = yield* Freshness
    const leagues = yield* Leagues
    const changes = { ...page, full: false }
    return {
      search: search.find({ text: "team 17", limit: 10, since: undefined }),
      "search of late": search.find({ text: "team 17 vs team 18", limit: 10, since: daysBefore(now, 30) }),
      changelog: changelog.changes(changes),
      "changelog of an entity, far back": changelog.changes({ ...changes, entityId: "cs2-team-7", offset: 10 }),
      "changelog of an entity": changelog.changes({ ...changes, entityId: "cs2-team-7" }),
      "changelog of an action": changelog.changes({ ...changes, action: "merge_rejected" }),
      odds: odds.markets(page),
      "line of a market, far back": odds.line(17, { ...page, offset: 500 }),
      "open odds": odds.markets({ ...page, state: "open" }),
      "odds of a match": odds.ofMatch(DEEP),
      "line of a market": odds.line(17, page),
      coverage: freshness.coverage,
      "health of the synchronisation": freshness.health,
      leagues: leagues.list(page),
      skins: skins.list(page),
      "one skin": skins.find("skin-17"),
      "prices of a skin": skins.prices("cs2-skin-17", page),
      "prices of a month": skins.prices("skin-17", { ...page, from: daysBefore(now, 30) }),
      "skins of a weapon": skins.list({ ...page, weapon: "awp" }),
      "skins by name": skins.list({ ...page, q: "skin 17" }),
    } satisfies Questions
  })
