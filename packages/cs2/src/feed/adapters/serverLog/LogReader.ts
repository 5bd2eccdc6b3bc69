/**
 * The log lines of one post while they are processed: the position in the match, the players, and the player reports to
 * be sent. Shared by the modules that read rounds, fights and possessions. An instance exists only during one adapter
 * call.
 */
import { fingerprint } from "@matchpoint/game/feed/fingerprint"
import type { PlayerId } from "../../../rules/ids.ts"
import type { PlayerReport } from "../../../rules/live/feedEvents.ts"
import { otherTeam, type TeamIndex } from "../../../rules/live/rules.ts"
import { currentMap, type GameMap, isOutsider, type MatchState, type Player, playerOf } from "../../../rules/live/state.ts"
import { Derivation, type FactBody } from "../Derivation.ts"
import { wasLeftBehind } from "../shownMap.ts"
import { clipped } from "../text.ts"
import { LineCounter, type LineOutcome } from "./LineCounter.ts"
import { type LogMemory, logFactId } from "./LogMemory.ts"
import { NOT_A_PLAYER, NOT_IN_PLAY } from "./lineRules.ts"
import { type LogEvent, playersIn } from "./logLine.ts"
import type { LogPlayer } from "./playerTokens.ts"
import type { NumberedLine } from "./unreadLines.ts"

/** Kills, deaths and assists correct the player's counts; the other fields describe the current state. */
type Report = Omit<PlayerReport, "playerId">

export class LogReader {
  readonly derivation: Derivation
  memory: LogMemory
  readonly counter = new LineCounter()
  /** Epoch milliseconds of the current line. */
  at = 0
  private readonly reports = new Map<PlayerId, Report>()
  private current: { readonly events: number; readonly problems: number; readonly rule: string | undefined } = {
    events: 0,
    problems: 0,
    rule: undefined,
  }

  constructor(state: MatchState, memory: LogMemory, receivedAt: number) {
    this.derivation = new Derivation(state, receivedAt)
    this.memory = memory
  }

  get state(): MatchState {
    return this.derivation.state
  }

  /** Current map, or undefined if new log lines do not count for the match at present. */
  get map(): GameMap | undefined {
    const map = currentMap(this.state)
    return map?.status === "live" && this.memory.strayMap === null && !wasLeftBehind(this.state, this.at) ? map : undefined
  }

  /** Map and round of new facts, or undefined if new log lines do not count for the match at present. */
  get where(): { readonly mapNumber: number; readonly round: number } | undefined {
    const { map } = this
    const round = this.state.round?.number
    return map === undefined || round === undefined ? undefined : { mapNumber: map.number, round }
  }

  /** `kind` makes the ids of several facts of one line unique. */
  addFact(line: NumberedLine, kind: string, body: FactBody): boolean {
    const fact = { id: logFactId(line.at, line.mark, kind), at: line.utc, raw: line.raw, line: line.number }
    return this.derivation.addFact(fact, body)
  }

  begin(line: NumberedLine): void {
    this.at = line.utc
    const { eventCount: events, problemCount: problems } = this.derivation
    this.current = { events, problems, rule: undefined }
    this.derivation.refusal = undefined
  }

  /** Notes that the line is irrelevant, unless it has added a fact. `rule` names the reason. */
  ignore(rule: string): void {
    this.derivation.ignore()
    this.current = { ...this.current, rule }
  }

  /** For lines while no map is in play, or about a person that is not a player. */
  ignoreAbsent(): void {
    this.ignore(this.where === undefined ? NOT_IN_PLAY : NOT_A_PLAYER)
  }

  /** The current line has added a fact. */
  get hasNews(): boolean {
    return this.derivation.eventCount > this.current.events
  }

  /** Outcome of the current line. */
  outcome(): LineOutcome {
    const { problems, rule = this.derivation.refusal } = this.current
    if (this.derivation.problemCount > problems) return { _tag: "Reported" }
    return this.hasNews || rule === undefined ? { _tag: "Understood" } : { _tag: "Irrelevant", rule }
  }

  /** The only reading of a line in which all players have their known names, or undefined. */
  knownReading(readings: ReadonlyArray<LogEvent>): LogEvent | undefined {
    const known = readings.filter((event) => playersIn(event).every((player) => this.isKnownName(player)))
    return known.length === 1 ? known[0] : undefined
  }

  private isKnownName({ id, name }: LogPlayer): boolean {
    return id !== null && playerOf(this.state, id)?.nickname === clipped(name)
  }

  seat(player: LogPlayer): void {
    if (player.id === null || player.side === null || this.memory.seats.get(player.id) === player.side) return
    this.memory = { ...this.memory, seats: new Map([...this.memory.seats, [player.id, player.side]]) }
  }

  unseat(id: PlayerId): void {
    const seats = new Map(this.memory.seats)
    seats.delete(id)
    this.memory = { ...this.memory, seats }
  }

  /**
   * Returns the id of a player, whom it adds to the current map if necessary, and updates name and team. `null` for
   * bots, for people who are not on a complete roster, and for people on neither side who have not played.
   *
   * Until the end of the first round, the player's team is derived from the player's side. After that, players keep
   * their team: a player on the opposite side means that the teams swapped sides, even if the log has no line about it.
   */
  onSheet(line: NumberedLine, player: LogPlayer): PlayerId | null {
    if (player.id === null || isOutsider(this.state, player.id)) return null
    const known = playerOf(this.state, player.id)
    // Of an ambiguous line, only the account is certain. The name and the side may be parts of another name.
    if (line.event._tag === "Ambiguous") return this.map === undefined ? null : (known?.id ?? null)
    this.seat(player)
    if (this.map === undefined) return null
    // A person that watches or is connecting does not play, so the line does not make it join.
    if (player.side === null) return known?.id ?? null
    const isSettled = this.map.roundsPlayed > 0 || this.state.round?.phase === "over"
    const team = (isSettled ? known?.team : undefined) ?? this.teamOnSide(player.side) ?? known?.team
    if (known?.connected === true && known.team === team && known.nickname === clipped(player.name)) return player.id
    return team !== undefined && this.join(line, player.id, player.name, team) ? player.id : null
  }

  private join(line: NumberedLine, playerId: PlayerId, name: string, team: TeamIndex): boolean {
    const payload = { playerId, teamId: this.state.teams[team].id, nickname: clipped(name) }
    return this.addFact(line, `join:${playerId}`, { type: "PlayerJoined", payload })
  }

  /** Later values replace earlier ones. */
  report(playerId: PlayerId, report: Report): void {
    this.reports.set(playerId, { ...this.reports.get(playerId), ...report })
  }

  /** Sends only values that have changed. */
  flushReports(line: NumberedLine): void {
    if (this.reports.size === 0) return
    const players = [...this.reports].flatMap(([playerId, report]) => {
      const player = playerOf(this.state, playerId)
      const news = player === undefined ? {} : newsIn(player, report)
      return Object.keys(news).length === 0 ? [] : [{ playerId, ...news }]
    })
    this.reports.clear()
    const { where } = this
    if (where === undefined || players.length === 0) return
    this.addFact(line, `report:${fingerprint(JSON.stringify(players))}`, { type: "PlayersReported", payload: { ...where, players } })
  }

  private teamOnSide(side: LogPlayer["side"]): TeamIndex | undefined {
    const ctTeam = this.state.round?.ctTeam ?? this.map?.startingCtTeam
    if (side === null || ctTeam === undefined) return undefined
    return side === "CT" ? ctTeam : otherTeam(ctTeam)
  }
}

const newsIn = (player: Player, report: Report): Report => {
  const { assists, deaths, kills, ...moment } = report
  return {
    ...changed(player, moment),
    ...changed(player.tally, {
      ...(kills === undefined ? {} : { kills }),
      ...(assists === undefined ? {} : { assists }),
      ...(deaths === undefined ? {} : { deaths }),
    }),
  }
}

const changed = <T extends object>(known: { readonly [K in keyof T]?: unknown }, reported: T): Partial<T> => {
  const news: Partial<T> = {}
  for (const key in reported) if (reported[key] !== known[key]) news[key] = reported[key]
  return news
}
