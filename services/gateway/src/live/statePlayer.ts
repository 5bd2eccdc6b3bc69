/** A player as `state`, `snapshots` and `player-stats` show him. */
import type { StatePlayer } from "@matchpoint/contracts/http/cs2/liveModels"
import type { LivePlayer } from "@matchpoint/contracts/stream/LiveMatch"

export const statePlayer = (player: LivePlayer): StatePlayer => ({
  playerId: player.id,
  name: player.name,
  nick: player.nickname,
  side: player.side,
  alive: player.alive,
  hp: player.hp,
  money: player.money,
  kills: player.kills,
  assists: player.assists,
  deaths: player.deaths,
  adr: player.adr,
  weapon: player.weapon,
  weaponIconUrl: null,
  hasDefuseKit: player.defuseKit,
  kevlar: player.armor === null ? null : player.armor > 0,
  helmet: player.helmet,
})
