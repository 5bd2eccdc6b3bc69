import { connect } from "node:net"
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import { assert, it } from "@effect/vitest"
import { isLiteral, routing } from "@matchpoint/process/http/literalPaths"
import { UwsHttpServer } from "@matchpoint/uws/UwsHttpServer"
import { UwsServer } from "@matchpoint/uws/UwsServer"
import { Effect, Layer } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import { FallbackRoutes } from "../../src/http/pages/fallback.ts"
import { ResponseRules } from "../../src/http/responses/ResponseRules.ts"

/** Spellings that routers and proxies may confuse with a route. */
const others = [
  "//admin/v1/keys",
  "/admin//v1/keys",
  "/ADMIN/v1/keys",
  "/%61dmin/v1/keys",
  "/%41DMIN/v1/keys",
  "/admin/v%31/keys",
  "/admin%2Fv1/keys",
  "/admin/v1/keys/",
  "/admin/v1/keys/?x=1",
  "/admin/v1/keys;x",
  "/admin/v1/keys#x",
  "\\admin\\v1\\keys",
  "/./admin/v1/keys",
  "/x/../admin/v1/keys",
]

const served = HttpRouter.serve(
  Layer.mergeAll(
    HttpRouter.add("GET", "/admin/v1/keys", HttpServerResponse.text("keys")),
    HttpRouter.add("GET", "/api/v1/teams/:name", HttpServerResponse.text("team")),
    FallbackRoutes,
    ResponseRules,
  ),
  routing,
).pipe(
  Layer.provide(UwsHttpServer.layer()),
  Layer.provideMerge(UwsServer.layer({ port: 0, host: "127.0.0.1" })),
  Layer.provide(NodeHttpServer.layerHttpServices),
)

/** Sends a request with the path unchanged. Returns the status. */
const statusOf = Effect.fnUntraced(function* (path: string) {
  const { address } = yield* UwsServer
  return yield* Effect.callback<number>((resume) => {
    const socket = connect(address.port, "127.0.0.1", () => {
      socket.write([`GET ${path} HTTP/1.1`, "host: test", "connection: close", "", ""].join("\r\n"))
    })
    socket.on("data", (bytes) => resume(Effect.succeed(Number(bytes.toString("latin1").split(" ", 2)[1]))))
    return Effect.sync(() => socket.destroy())
  })
})

it.layer(served, { excludeTestServices: true })("paths", (it) => {
  it.effect("match literally: other spellings get 404, or 505 if the request line has no path", () =>
    Effect.gen(function* () {
      for (const path of ["/admin/v1/keys", "/admin/v1/keys?x=//y", "/api/v1/teams/x", "/api/v1/teams/x/", "/api/v1/teams/f%C3%BCnf"]) {
        assert.strictEqual(yield* statusOf(path), 200, path)
      }
      for (const path of others) assert.include([404, 505], yield* statusOf(path), path)
    }),
  )
})

it("isLiteral distinguishes the spelling of a route from other spellings", () => {
  for (const path of [
    "/",
    "/docs",
    "/api/v1/teams?name=a%41//",
    "/api/v1/teams/f%C3%BCnf",
    "/api/v1/teams/a%20b",
    "/api/v1/teams/",
    "/rpc",
    "/rpc/",
  ]) {
    assert.isTrue(isLiteral(path), path)
  }
  for (const path of ["//", "/docs/", "/rpc//", "/rpc/ws/", "/rpcs/", "/%2E%2E/x", "/a%5Fb", "/a%7Ab", "/a;b", "/a#b"])
    assert.isFalse(isLiteral(path), path)
})
