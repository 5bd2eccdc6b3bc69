/** Tests requests for teams and players by a former slug: they redirect to the current slug, at no charge. */
import { assert, it } from "@effect/vitest"
import { Matchpoint } from "@matchpoint/client/effect"
import { FORMER_SLUG_STATUS, FormerSlug } from "@matchpoint/contracts/http/FormerSlug"
import { Effect, Redacted, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { inject } from "vitest"
import { ArchiveStack, archiveStacks } from "../../fixtures/archiveStack.ts"

/** Team 1 and player 101 have former slugs. `team-bravo` belonged to team 1 and now belongs to team 2. */
const renamed = () =>
  Effect.asVoid(
    Effect.flatMap(
      SqlClient.SqlClient,
      (sql) => sql`
        INSERT INTO cs2_former_slugs (entity_type, slug, entity_number)
        VALUES ('team', 'old-wolves', 1), ('team', 'team-bravo', 1), ('player', 'old-player', 101), ('team', 'old-player-only', 99)`,
    ),
  )

const decodeMoved = Schema.decodeUnknownSync(Schema.fromJsonString(FormerSlug))

for (const [database, stack] of Object.entries(archiveStacks(inject("databaseUrl"), renamed))) {
  it.layer(stack, { timeout: "60 seconds", excludeTestServices: true })(`former slugs on ${database}`, (it) => {
    const request = Effect.fnUntraced(function* (path: string, method: "GET" | "HEAD" = "GET") {
      const { url } = yield* ArchiveStack
      return yield* Effect.promise(async () => {
        const response = await fetch(url + path, { method, redirect: "manual", headers: { "x-api-key": "mp_test_archive_starter" } })
        return { status: response.status, headers: response.headers, text: await response.text() }
      })
    })

    it.effect("redirects every path of a team or player to the current slug, with its query", () =>
      Effect.gen(function* () {
        const { get, url } = yield* ArchiveStack
        const root = new URL(url).pathname
        const player = (yield* get("/cs2/players/cs2-player-101")).data as { readonly slug: string }
        const paths: ReadonlyArray<readonly [type: "teams" | "players", rest: string]> = [
          ["teams", ""],
          ["teams", "/trends?unit=%71uarter"],
          ["teams", "/trends?unit=quarter"],
          ["teams", "/roster-history?limit=1"],
          ["players", ""],
          ["players", "/stats?map=de_nuke"],
          ["players", "/career"],
          ["players", "/seasons"],
          ["players", "/transfers?status=joined"],
        ]
        for (const [type, rest] of paths) {
          const [former, slug] = type === "teams" ? ["Old-Wolves", "alpha-wolves"] : ["old-player", player.slug]
          const { headers, status, text } = yield* request(`/cs2/${type}/${former}${rest}`)
          const location = `${root}/cs2/${type}/${slug}${rest}`
          assert.deepStrictEqual([status, headers.get("location")], [FORMER_SLUG_STATUS, location])
          assert.deepStrictEqual(decodeMoved(text).data, { slug, location })
          assert.strictEqual(headers.get("cache-control"), "no-store")
          // Callers that follow redirects get the response of the current slug.
          assert.strictEqual((yield* get(`/cs2/${type}/${former}${rest}`)).text, (yield* get(`/cs2/${type}/${slug}${rest}`)).text)
        }
        const head = yield* request("/cs2/teams/old-wolves", "HEAD")
        assert.deepStrictEqual([head.status, head.headers.get("location")], [FORMER_SLUG_STATUS, `${root}/cs2/teams/alpha-wolves`])
      }),
    )

    it.effect("does not redirect ids, current slugs, unknown slugs or filters", () =>
      Effect.gen(function* () {
        const { get } = yield* ArchiveStack
        const statusOf = (path: string) => Effect.map(request(path), ({ status }) => status)
        assert.strictEqual(yield* statusOf("/cs2/teams/cs2-team-1"), 200)
        const bravo = yield* get("/cs2/teams/team-bravo")
        assert.deepInclude(bravo.data as object, { id: "cs2-team-2" })
        assert.strictEqual(yield* statusOf("/cs2/teams/team-bravo"), 200)
        assert.strictEqual(yield* statusOf("/cs2/teams/nothing"), 404)
        assert.strictEqual(yield* statusOf("/cs2/players/old-wolves"), 404)
        assert.strictEqual(yield* statusOf("/cs2/teams/old-player-only"), 404)
        const [former, current] = [yield* get("/cs2/matches?team=old-wolves"), yield* get("/cs2/matches?team=alpha-wolves")]
        assert.isAbove((former.data as ReadonlyArray<unknown>).length, 0)
        assert.strictEqual(former.text, current.text)
      }),
    )

    it.effect("charges nothing for a redirect and one request for its target", () =>
      Effect.gen(function* () {
        const leftAfter = (path: string) =>
          Effect.map(request(path), ({ headers }) => Number(/"month";r=(\d+)/.exec(headers.get("ratelimit") ?? "")?.[1]))
        const before = yield* leftAfter("/cs2/teams/old-wolves")
        assert.isAbove(before, 0)
        assert.strictEqual(yield* leftAfter("/cs2/teams/old-wolves/trends"), before)
        assert.strictEqual(yield* leftAfter("/cs2/teams/alpha-wolves"), before - 1)
      }),
    )

    it.effect("the client follows redirects", () =>
      Effect.gen(function* () {
        const { url } = yield* ArchiveStack
        const { rest } = yield* Effect.provide(
          Matchpoint,
          Matchpoint.layer({ baseUrl: url.slice(0, -"/api/v1".length), apiKey: Redacted.make("mp_test_archive_pro") }),
        )
        const { data } = yield* rest["cs2-teams"].one({ params: { teamIdOrSlug: "old-wolves" } })
        assert.deepStrictEqual([data.id, data.slug], ["cs2-team-1", "alpha-wolves"])
      }),
    )
  })
}
