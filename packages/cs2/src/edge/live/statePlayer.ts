/** Row of one player in the responses `state`, `snapshots` and `player-stats`. */
import { weaponIconPath } from "../../contract/http/assetPaths.ts"
import type { StatePlayer } from "../../contract/http/liveModels.ts"
import type { LiveMatch, LivePlayer } from "../../contract/LiveMatch.ts"
import type { IsLegitimateNull } from "./availability.ts"
import { sideOfTeam } from "./sides.ts"

/** Null is legitimate for the weapon of a dead player. */
export const naturalOfPlayer: IsLegitimateNull = (path, holder) =>
  (path === "players.weapon" || path === "players.weaponIconUrl") && holder["alive"] === false

export const statePlayer = (match: LiveMatch, player: LivePlayer): StatePlayer => ({
  playerId: player.id,
  name: player.name,
  nick: player.nickname,
  side: sideOfTeam(match, player.teamId),
  alive: player.alive,
  hp: player.hp,
  money: player.money,
  kills: player.kills,
  assists: player.assists,
  deaths: player.deaths,
  adr: player.adr,
  weapon: player.weapon,
  weaponIconUrl: player.weapon === null ? null : weaponIconPath(player.weapon),
  hasDefuseKit: player.defuseKit,
  kevlar: player.armor === null ? null : player.armor > 0,
  helmet: player.helmet,
})
