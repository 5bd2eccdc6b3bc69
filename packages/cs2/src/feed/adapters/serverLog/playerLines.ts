/**
 * Forms of log lines about players: what follows the player. Only free text (names, chat) may contain quotes, so every
 * other part of a form excludes them. No name or message can then complete a form that it has begun.
 */
import type { LogEvent } from "./logLine.ts"
import { type LogPlayer, playersAt, sideOf } from "./playerTokens.ts"

const PLACE = String.raw` \[-?\d+ -?\d+ -?\d+\]`
const NUMBER = String.raw`"(-?\d+)"`
const QUOTED = `"([^"]*)"`
const NOTES = String.raw`(?: \([^"()]*\))*`

/** Texts before text of the player's choice. A line in which one may follow a player is read as nothing else. */
const freeTexts: ReadonlyArray<readonly [start: string, rule: string]> = [
  [' say "', "chat"],
  [' say_team "', "chat"],
  [' changed name to "', "rename"],
  [' triggered "clantag" (value "', "clan_tag"],
]

type Groups = ReadonlyArray<string | undefined>

interface Form {
  /** The text after the player, or between both players. */
  readonly pattern: RegExp
  readonly read: (player: LogPlayer, groups: Groups) => LogEvent
}

interface DuelForm {
  readonly pattern: RegExp
  readonly rest: RegExp
  readonly read: (player: LogPlayer, other: LogPlayer, groups: Groups) => LogEvent
}

const form = (pattern: string, read: Form["read"]): Form => ({ pattern: new RegExp(`^${pattern}$`), read })

const duel = (pattern: string, rest: string, read: DuelForm["read"]): DuelForm => ({
  pattern: new RegExp(`^${pattern}(?=")`),
  rest: new RegExp(`^${rest}$`),
  read,
})

/** No match event, but shows that the player is present and on which side. */
const seen = (rule: string, pattern: string): Form => form(pattern, (player) => ({ _tag: "Seen", player, rule }))

/** Most frequent first. */
const forms: ReadonlyArray<Form> = [
  seen("item", ` (?:picked up|purchased|dropped) ${QUOTED}`),
  form(` money change -?\\d+[+-]\\d+ = \\$(\\d{1,9}) \\(tracked\\)${NOTES}`, (player, [money]) => ({
    _tag: "Money",
    player,
    money: Number(money),
  })),
  form(String.raw` left buyzone with \[ ?([^"\]]*?) ?\]`, (player, [items = ""]) => ({
    _tag: "LeftBuyzone",
    player,
    items: items.split(" ").filter((item) => item !== ""),
  })),
  form(` triggered "([A-Za-z_]+)"(?: at bombsite ([AB]))?`, (player, [what = "", site]) => ({
    _tag: "Triggered",
    player,
    what,
    site: site === "A" || site === "B" ? site : null,
  })),
  form(" switched from team <[A-Za-z]*> to <([A-Za-z]*)>", (player, [side]) => ({
    _tag: "Switched",
    player: { ...player, side: sideOf(side) },
  })),
  form(` disconnected(?: \\(reason ${QUOTED}\\))?`, (player) => ({ _tag: "Left", player })),
  form(`${PLACE} committed suicide with ${QUOTED}${NOTES}`, (player, [weapon = ""]) => ({ _tag: "Suicide", player, weapon })),
  form(`${PLACE} was killed by the bomb\\.?`, (player) => ({ _tag: "KilledByBomb", player })),
  seen("grenade", ` threw [a-z_]+${PLACE}(?: flashbang entindex \\d+\\)?)?`),
  seen("grenade", String.raw` sv_throw_[a-z_]+(?: -?\d+(?:\.\d+)?)+`),
  seen("object", `${PLACE} killed other ${QUOTED}${PLACE} with ${QUOTED}${NOTES}`),
  seen("connection", ` connected, address ${QUOTED}`),
  seen("connection", " entered the game"),
  seen("connection", " STEAM USERID validated"),
  seen("connection", ` joined team ${QUOTED}`),
]

const duels: ReadonlyArray<DuelForm> = [
  duel(
    `${PLACE} attacked `,
    `${PLACE} with ${QUOTED} \\(damage ${NUMBER}\\) \\(damage_armor ${NUMBER}\\) \\(health ${NUMBER}\\) \\(armor ${NUMBER}\\)(?: \\(hitgroup ${QUOTED}\\))?`,
    (attacker, victim, [weapon = "", damage, armorDamage, hpLeft, armorLeft]) => ({
      _tag: "Attacked",
      attacker,
      victim,
      weapon,
      damage: Number(damage),
      armorDamage: Number(armorDamage),
      hpLeft: Number(hpLeft),
      armorLeft: Number(armorLeft),
    }),
  ),
  duel(`${PLACE} killed `, `${PLACE} with ${QUOTED}(?: \\(([a-z ]*)\\))?`, (killer, victim, [weapon = "", how = ""]) => ({
    _tag: "Killed",
    killer,
    victim,
    weapon,
    how,
  })),
  duel(" assisted killing ", "", (assister, victim) => ({ _tag: "Assisted", assister, victim, flash: false })),
  duel(" flash-assisted killing ", "", (assister, victim) => ({ _tag: "Assisted", assister, victim, flash: true })),
  duel(String.raw` blinded for \d+(?:\.\d+)? by `, String.raw` from flashbang entindex \d+ ?`, (player) => ({
    _tag: "Seen",
    player,
    rule: "grenade",
  })),
]

/**
 * Undefined if the line does not begin with a player. A line that can be read in more than one way, because a name
 * looks like a part of a line, is returned with all its readings.
 */
export const playerEvent = (text: string): LogEvent | undefined => {
  const players = playersAt(text, 0)
  if (players.length === 0) return undefined
  const readings: Array<LogEvent> = []
  for (const { end, player } of players) {
    const free = freeTexts.find(([start]) => text.startsWith(start, end))
    if (free !== undefined) {
      // Either the earlier reading is a part of a name, or this text is. The line does not show which.
      return readings.length === 0 ? { _tag: "Irrelevant", rule: free[1] } : { _tag: "Ambiguous", readings: [] }
    }
    for (const reading of readingsOf(text, player, end)) readings.push(reading)
  }
  const [only] = readings
  if (only === undefined) return { _tag: "Unknown" }
  return readings.length === 1 ? only : { _tag: "Ambiguous", readings }
}

const readingsOf = (text: string, player: LogPlayer, end: number): ReadonlyArray<LogEvent> => {
  const rest = text.slice(end)
  for (const { pattern, read } of forms) {
    const match = pattern.exec(rest)
    if (match !== null) return [read(player, match.slice(1))]
  }
  for (const { pattern, read, rest: after } of duels) {
    const match = pattern.exec(rest)
    if (match === null) continue
    return playersAt(text, end + match[0].length).flatMap((other) => {
      const last = after.exec(text.slice(other.end))
      return last === null ? [] : [read(player, other.player, last.slice(1))]
    })
  }
  return []
}
