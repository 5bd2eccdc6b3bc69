/**
 * Facts about players from Game State Integration posts: who is present, the players' state, and the kills that must
 * have happened since the last post.
 */
import { fingerprint } from "@matchpoint/game/feed/fingerprint"
import type { PlayerId } from "../../../rules/ids.ts"
import type { PlayerReport } from "../../../rules/live/feedEvents.ts"
import { otherTeam } from "../../../rules/live/rules.ts"
import { isOutsider, type Player, playerOf } from "../../../rules/live/state.ts"
import { clipped } from "../text.ts"
import { weaponOfGame } from "../weapons.ts"
import type { GamePost } from "./GamePost.ts"
import type { PlayerState, SeenPlayer } from "./payload.ts"

/** For unknown weapons. Not "world", because a kill with it subtracts a kill from the victim, and not the bomb's name. */
const UNKNOWN_WEAPON = "unknown"

export const seatPeople = (game: GamePost): void => {
  if (game.liveMap === undefined) return
  const { ctTeam } = game
  for (const { id, player, side } of game.post.people) {
    if (isOutsider(game.state, id)) continue
    const team = side === "CT" ? ctTeam : otherTeam(ctTeam)
    const nickname = clipped(player.name ?? id)
    const known = playerOf(game.state, id)
    if (known?.connected === true && known.team === team && known.nickname === nickname) continue
    game.addObservation(`join:${id}`, { type: "PlayerJoined", payload: { playerId: id, teamId: game.state.teams[team].id, nickname } })
  }
}

/**
 * Kills inferred for one player from one post: the opposing team has only five players. If the kill count increased by
 * more, it is corrected without reporting kills.
 */
const MOST_KILLS = 5

/**
 * Each player whose death count increased is paired with an enemy whose kill count increased. If there were two kills
 * at once, the pairs are a guess, but the counts are right. A kill has no victim if the post does not show it, because
 * a player's post shows only one player.
 */
export const inferKills = (game: GamePost): void => {
  const { round } = game.state
  const map = game.liveMap
  if (map === undefined || round === null || round.number !== game.roundInPlay || !game.memory.synced) return
  const where = { mapNumber: map.number, round: round.number }
  const changes = game.post.people.flatMap((seen) => changeOf(game, seen))
  const killers = changes.flatMap((change) => (change.kills > 0 && change.kills <= MOST_KILLS ? [{ ...change, left: change.kills }] : []))
  const heads = new Map(game.memory.headshots)
  const headshot = (killer: PlayerId, seen: PlayerState): boolean => {
    const before = heads.get(killer) ?? 0
    const isHeadshot = (seen.state?.round_killhs ?? 0) > before
    if (isHeadshot) heads.set(killer, before + 1)
    return isHeadshot
  }
  const assister = changes.filter((change) => change.assists === 1)
  for (const victim of changes) {
    if (victim.deaths !== 1 || victim.player.round.died) continue
    const killer = killers.find((entry) => entry.left > 0 && entry.player.team !== victim.player.team)
    if (killer !== undefined) killer.left -= 1
    const helper = assister.find((entry) => entry.player.id !== killer?.player.id && entry.player.team !== victim.player.team)
    if (helper !== undefined) assister.splice(assister.indexOf(helper), 1)
    game.addFact(`r${round.number}:kill:${victim.player.id}`, {
      type: "PlayerKilled",
      payload: {
        ...where,
        killerId: killer?.player.id ?? null,
        victimId: victim.player.id,
        assisterId: helper?.player.id ?? null,
        weapon: killer === undefined ? UNKNOWN_WEAPON : (weaponInHand(killer.seen) ?? UNKNOWN_WEAPON),
        headshot: killer === undefined ? false : headshot(killer.player.id, killer.seen),
      },
    })
  }
  for (const killer of killers) {
    for (; killer.left > 0; killer.left--) {
      const nth = killer.seen.match_stats?.kills ?? 0
      game.addFact(`r${round.number}:kill-by:${killer.player.id}:${nth - killer.left + 1}`, {
        type: "PlayerKilled",
        payload: {
          ...where,
          killerId: killer.player.id,
          victimId: null,
          assisterId: null,
          weapon: weaponInHand(killer.seen) ?? UNKNOWN_WEAPON,
          headshot: headshot(killer.player.id, killer.seen),
        },
      })
    }
  }
}

/** All differences to the known player states, in one fact. With a server log, only values that logs lack. */
export const reportPeople = (game: GamePost): void => {
  const { round } = game.state
  const map = game.liveMap
  if (map === undefined || round === null || round.number !== game.roundInPlay) return
  const players = game.post.people.flatMap(({ id, player: seen }): ReadonlyArray<PlayerReport> => {
    const known = playerOf(game.state, id)
    const news = known === undefined ? {} : newsOf(known, seen, game.withLog)
    return Object.keys(news).length === 0 ? [] : [{ playerId: id, ...news }]
  })
  if (players.length === 0) return
  const id = `report:${fingerprint(JSON.stringify(players))}`
  game.addObservation(id, { type: "PlayersReported", payload: { mapNumber: map.number, round: round.number, players } })
}

interface Change {
  readonly player: Player
  readonly seen: PlayerState
  readonly kills: number
  readonly deaths: number
  readonly assists: number
}

const changeOf = (game: GamePost, { id, player: seen }: SeenPlayer): ReadonlyArray<Change> => {
  const player = playerOf(game.state, id)
  const stats = seen.match_stats
  if (player === undefined || stats === undefined) return []
  const { assists, deaths, kills } = player.tally
  const more = (seenCount: number | undefined, count: number) => (seenCount === undefined ? 0 : seenCount - count)
  return [{ player, seen, kills: more(stats.kills, kills), deaths: more(stats.deaths, deaths), assists: more(stats.assists, assists) }]
}

const newsOf = (known: Player, seen: PlayerState, withLog: boolean): Omit<PlayerReport, "playerId"> => {
  const { match_stats: stats, state } = seen
  const weapon = weaponInHand(seen)
  const news: { -readonly [K in keyof Omit<PlayerReport, "playerId">]: PlayerReport[K] } = {}
  if (state !== undefined) {
    const { armor, defusekit = false, equip_value: equipment, health, helmet, money } = state
    if (!withLog && health !== undefined && points(health) !== known.hp) news.hp = points(health)
    if (armor !== undefined && points(armor) !== known.armor) news.armor = points(armor)
    if (helmet !== undefined && helmet !== known.helmet) news.helmet = helmet
    if (defusekit !== known.defuseKit) news.defuseKit = defusekit
    if (money !== undefined && amount(money) !== known.money) news.money = amount(money)
    if (equipment !== undefined && amount(equipment) !== known.equipmentValue) news.equipmentValue = amount(equipment)
  }
  if (seen.weapons !== undefined && weapon !== known.weapon) news.weapon = weapon
  if (stats !== undefined && !withLog) {
    const { assists, deaths, kills } = stats
    if (kills !== undefined && kills !== known.tally.kills) news.kills = kills
    if (deaths !== undefined && amount(deaths) !== known.tally.deaths) news.deaths = amount(deaths)
    if (assists !== undefined && amount(assists) !== known.tally.assists) news.assists = amount(assists)
  }
  return news
}

const weaponInHand = ({ weapons }: PlayerState): string | null => {
  for (const { name, state } of Object.values(weapons ?? {})) {
    if (name !== undefined && state !== undefined && state !== "holstered") return weaponOfGame(name)
  }
  return null
}

const points = (value: number): number => Math.min(100, Math.max(0, value))
const amount = (value: number): number => Math.min(1_000_000, Math.max(0, value))
