/**
 * Separate program, started by `demoParser.ts`. Parses one demo and prints the data for the importer as one JSON value.
 * It runs in its own process because the native parser terminates the process on some broken files. Usage: node
 * parseDemo.ts <file>. Errors are printed to stderr, with exit code 1.
 */
import { parseEvents, parseHeader, parseTicks } from "@laihoe/demoparser2"

const path = process.argv[2] ?? ""

interface Row {
  readonly event_name?: string
  readonly tick: number
  readonly weapon?: string
}

const gameEvents = [
  "begin_new_match",
  "round_start",
  "round_freeze_end",
  "round_end",
  "player_death",
  "player_hurt",
  "weapon_fire",
  "bomb_planted",
  "bomb_defused",
  "bomb_exploded",
]
const ofPlayers = ["team_num", "is_controlling_bot", "last_place_name"]
const ofPresent = ["team_num", "team_clan_name", "balance", "cash_spent_this_round", "current_equip_value"]

/** Shots would make up most of the output, but grenade throws are needed for statistics. */
const isWanted = ({ event_name, weapon = "" }: Row): boolean =>
  event_name !== "weapon_fire" || /grenade|flashbang|molotov|decoy/.test(weapon)

/** Ticks after freeze time at which money and equipment are read: players can still buy for some seconds. */
const TICKS_TO_BUY = 7 * 64

try {
  const header: unknown = parseHeader(path)
  const rules: ReadonlyArray<{ readonly name: string; readonly value: unknown }> = parseEvents(path, ["server_cvar"])
  const rows: ReadonlyArray<Row> = parseEvents(path, gameEvents, ofPlayers, ["is_warmup_period"])
  const frozen = rows.filter((row) => row.event_name === "round_freeze_end")
  const ends = rows.filter((row) => row.event_name === "round_end").map((row) => row.tick)
  const bought = frozen.map(({ tick }) => Math.min(tick + TICKS_TO_BUY, ends.find((end) => end > tick) ?? tick))
  const present: unknown = bought.length === 0 ? [] : parseTicks(path, ofPresent, bought)
  const maxRounds = rules.findLast(({ name }) => name === "mp_maxrounds")?.value
  process.stdout.write(JSON.stringify({ header, maxRounds: Number(maxRounds) || null, events: rows.filter(isWanted), present }))
} catch (cause) {
  process.stderr.write(cause instanceof Error ? cause.message : String(cause))
  process.exitCode = 1
}
