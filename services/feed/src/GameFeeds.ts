/** The `GameFeed` of each game of this process. It accepts facts only for matches of these games. */
import type { GameName, MatchId } from "@matchpoint/domain/ids"
import { gameOfMatch } from "@matchpoint/domain/ids"
import type { GameFeed } from "@matchpoint/game/feed/GameFeed"
import { Context, Layer } from "effect"

export class GameFeeds extends Context.Service<
  GameFeeds,
  {
    readonly of: (game: string) => GameFeed | undefined
    readonly ofMatch: (match: MatchId) => GameFeed | undefined
  }
>()("@matchpoint/service-feed/GameFeeds") {
  static readonly layer = (feeds: ReadonlyArray<GameFeed>) => {
    const byGame = new Map<string, GameFeed>(feeds.map((feed) => [feed.rules.game satisfies GameName, feed]))
    return Layer.succeed(GameFeeds, { of: (game) => byGame.get(game), ofMatch: (match) => byGame.get(gameOfMatch(match)) })
  }
}
