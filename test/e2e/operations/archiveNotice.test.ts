/** Tests which responses state that a sample archive is still being written: those that may lack data for this reason. */
import { assert, layer } from "@effect/vitest"
import * as EventLogMemory from "@matchpoint/bus/EventLogMemory"
import { streams } from "@matchpoint/contracts/bus/subjects"
import { API_ROOT } from "@matchpoint/contracts/http/apiRoot"
import { GameName } from "@matchpoint/domain/ids"
import { ArchiveNotice } from "@matchpoint/service-gateway/http/responses/ArchiveNotice"
import { sampleNotice } from "@matchpoint/service-standalone/sampleNotice"
import { embeddedMemory } from "@matchpoint/testing/databases"
import { Effect, Layer } from "effect"
import { KEY, Stack, stack } from "../../fixtures/stack.ts"
import { ask } from "../../fixtures/twoGateways.ts"

const unfinished = ["cs2", "tennis", "cod"].map((game) => GameName.make(game))
const notice = Layer.succeed(
  ArchiveNotice,
  sampleNotice(() => unfinished),
)

const noticeOf = Effect.fnUntraced(function* (path: string, headers: Record<string, string> = { "x-api-key": KEY }) {
  const { url } = yield* Stack
  const response = yield* ask(`${url}${path}`, headers)
  return [response.status, response.headers.get("x-matchpoint-notice")] as const
})

const text = (game: string) => `the sample archive of ${game} is being written; its lists are empty or incomplete until that is done`

layer(stack(EventLogMemory.layer({ streams }), embeddedMemory).pipe(Layer.provide(notice)), {
  timeout: "60 seconds",
  excludeTestServices: true,
})("responses while sample archives are being written", (it) => {
  it.effect("have the notice if they come from such an archive", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* noticeOf("/cs2/matches"), [200, text("cs2")])
      assert.deepStrictEqual(yield* noticeOf("/cs2/events/live"), [200, text("cs2")])
      assert.deepStrictEqual(yield* noticeOf("/tennis/players/atp_1"), [404, text("tennis")])
      assert.deepStrictEqual(yield* noticeOf("/cod/schedule"), [200, text("cod")])
    }),
  )

  it.effect("do not have it if they need no archive, if theirs is complete, or if they are other errors", () =>
    Effect.gen(function* () {
      const live = ["/cs2/live", "/tennis/live", "/tennis/matches/live?tour=ATP", "/cod/cdl/live", "/cod/matches/live", "/cod/live"]
      for (const path of [...live, "/cs2/webhooks", "/apex/algs/matches", "/live"]) {
        assert.deepStrictEqual(yield* noticeOf(path), [200, null], path)
      }
      assert.deepStrictEqual(yield* noticeOf("/tennis/matches/live/tennis-match-1"), [404, null])
      assert.deepStrictEqual(yield* noticeOf("/cs2/matches?limit=abc"), [400, null])
      assert.deepStrictEqual(yield* noticeOf("/cs2/matches", {}), [401, null])
    }),
  )

  it("of live matches are those of the paths that are named live, and events are no live matches", () => {
    const of = sampleNotice(() => [GameName.make("cs2")])
    assert.isUndefined(of(`${API_ROOT}/cs2/live/cs2-match-1001/scoreboard?shape=v2`))
    assert.isDefined(of(`${API_ROOT}/cs2/tournaments/live`))
    assert.isDefined(of(`${API_ROOT}/cs2/matches?status=live`))
  })
})
