/**
 * KAST: the share of a player's rounds in which he got a kill, an assist, survived, or was traded (HLTV's definition; rules of detail
 * as in cs-demo-analyzer, `Player.KAST`):
 * - kills and assists in a bot's body count here;
 * - being killed by a mate or by oneself counts as surviving, because no enemy got the better of him; the bomb and falls do not;
 * - a round that the player was not there for earns nothing. cs-demo-analyzer counts it as survived.
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
