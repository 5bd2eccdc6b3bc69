/**
 * KAST: the share of a player's rounds in which the player had a kill or an assist, survived, or died and was traded
 * (HLTV's definition). The details follow cs-demo-analyzer (`Player.KAST`):
 *
 * - Kills and assists while controlling a bot count.
 * - Death by a team mate or by oneself counts as survival, because no enemy won the duel. Death by the bomb or a fall
 *   does not.
 * - A round in which the player did not take part does not count. This differs from cs-demo-analyzer, which counts such
 *   a round as survived.
 */
import { isOfEnemy, type Trades } from "./duels.ts"
import type { KillRecord, PlayerKey, RoundRecord } from "./MapRecord.ts"

export const earnsKast = (round: RoundRecord, trades: Trades, player: PlayerKey): boolean => {
  let died = false
  for (const kill of round.kills) {
    if (ownSideDidIt(kill)) continue
    if (kill.assister?.player === player) return true
    if (kill.killer.player === player && isOfEnemy(kill)) return true
    if (kill.victim.player !== player) continue
    if (trades.avenged.has(kill)) return true
    died = true
  }
  return !died
}

const ownSideDidIt = ({ killer, victim }: KillRecord): boolean => killer.side !== null && killer.side === victim.side
