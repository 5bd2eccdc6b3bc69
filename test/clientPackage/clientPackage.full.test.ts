/**
 * Tests the client as customers install it: built, packed with npm, and installed into new projects outside the
 * workspace. A Vite project with React type-checks and bundles the example of docs/customers/client.md. A Node 18 project
 * type-checks, verifies webhooks and follows matches on a real server. A project with Effect type-checks and follows matches through the
 * Effect entry. The test needs a package registry, so `npm run test:full` runs it and `npm test` does not.
 */
import { execFile } from "node:child_process"
import { cp, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { gzipSync } from "node:zlib"
import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import { buildClient } from "../../packages/client/build.mjs"
import { codeBlocks } from "../documents/codeBlocks.ts"
import { DEV_KEY, Standalone } from "../fixtures/Standalone.ts"

const root = fileURLToPath(new URL("../..", import.meta.url))
const MINUTES = 60_000

interface Ended {
  readonly code: number
  readonly output: string
}

const run = (command: string, args: ReadonlyArray<string>, cwd: string, env: Readonly<Record<string, string>> = {}) =>
  Effect.callback<Ended>((resume) => {
    const options = { cwd, env: { ...process.env, ...env }, maxBuffer: 16_000_000, timeout: 4 * MINUTES }
    const child = execFile(command, [...args], options, (error, stdout, stderr) => {
      const code = error === null ? 0 : typeof error.code === "number" ? error.code : 1
      resume(Effect.succeed({ code, output: `${stdout}${stderr}` }))
    })
    return Effect.sync(() => child.kill())
  })

/** Runs a command, fails if it exits with an error, and returns its output. */
const succeed = Effect.fnUntraced(function* (command: string, args: ReadonlyArray<string>, cwd: string, env?: Record<string, string>) {
  const { code, output } = yield* run(command, args, cwd, env)
  assert.strictEqual(code, 0, `${command} ${args.join(" ")}:\n${output}`)
  return output
})

const temporaryDirectory = Effect.acquireRelease(
  Effect.promise(() => mkdtemp(join(tmpdir(), "matchpoint-client-"))),
  (path) => Effect.promise(() => rm(path, { recursive: true, force: true, maxRetries: 5 })),
)

/** Path of the packed package, and the size of its browser entry in bytes after minification and gzip. */
class Tarball extends Context.Service<Tarball, { readonly path: string; readonly bytes: number }>()(
  "@matchpoint/test/clientPackage/clientPackage.full.test/Tarball",
) {
  static readonly layer = Layer.effect(
    Tarball,
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      const { bytes } = yield* Effect.promise(() => buildClient(join(directory, "dist")))
      yield* succeed("npm", ["pack", "--pack-destination", directory], join(directory, "dist"))
      const name = (yield* Effect.promise(() => readdir(directory))).find((file) => file.endsWith(".tgz"))
      assert.isDefined(name)
      return { path: join(directory, String(name)), bytes }
    }),
  )
}

/** Creates a project from a folder beside this file, with the tarball as a dependency, and installs it. */
const project = Effect.fnUntraced(function* (name: string) {
  const directory = yield* temporaryDirectory
  yield* Effect.promise(() => cp(join(root, "test/clientPackage/projects", name), directory, { recursive: true }))
  const { path } = yield* Tarball
  const manifest = join(directory, "package.json")
  const text = yield* Effect.promise(() => readFile(manifest, "utf8"))
  yield* Effect.promise(() => writeFile(manifest, text.replace("<tarball>", `file:${path}`)))
  yield* succeed("npm", ["install", "--no-audit", "--no-fund", "--loglevel=error"], directory)
  return directory
})

/** Parses the lines of JSON in a program's output. */
const linesOf = (output: string): ReadonlyArray<{ readonly matchId: string; readonly seq: number; readonly base?: number }> =>
  output.split("\n").flatMap((line) => (line.startsWith("{") ? [JSON.parse(line)] : []))

/** Asserts that each change is based on the previous change of its match. */
const assertFollows = (output: string) => {
  const changes = linesOf(output)
  assert.isAtLeast(changes.length, 5, output)
  const last = new Map<string, number>()
  for (const { base, matchId, seq } of changes) {
    if (last.has(matchId)) assert.strictEqual(base, last.get(matchId), output)
    last.set(matchId, seq)
  }
}

describe("the packed client", () => {
  it.layer(Layer.merge(Tarball.layer, Standalone.layer({ matches: 4, speed: 10 })), {
    excludeTestServices: true,
    timeout: 5 * MINUTES,
  })("installed outside the workspace", (it) => {
    it.effect(
      "type-checks and bundles in a Vite project with React, without Effect",
      () =>
        Effect.gen(function* () {
          assert.isAtMost((yield* Tarball).bytes, 20_000)
          const directory = yield* project("vite-react")
          const text = yield* Effect.promise(() => readFile(join(root, "docs/customers/client.md"), "utf8"))
          const example = codeBlocks("docs/customers/client.md", text).find(({ language }) => language === "tsx")?.text ?? ""
          yield* Effect.promise(() => writeFile(join(directory, "src/Score.tsx"), example))
          yield* succeed("npx", ["tsc", "--noEmit"], directory)
          // Vitest sets NODE_ENV, which would make Vite bundle the development build of React.
          yield* succeed("npx", ["vite", "build"], directory, { NODE_ENV: "production" })
          assert.notInclude(yield* Effect.promise(() => readdir(join(directory, "node_modules"))), "effect")
          const assets = join(directory, "dist/assets")
          const [script = ""] = (yield* Effect.promise(() => readdir(assets))).filter((name) => name.endsWith(".js"))
          const bundle = yield* Effect.promise(() => readFile(join(assets, script), "utf8"))
          assert.include(bundle, "/live/ws")
          // The bundle holds React and the client.
          assert.isBelow(gzipSync(bundle).length, 90_000)
        }),
      5 * MINUTES,
    )

    it.effect(
      "type-checks in a Node 18 project, verifies webhooks, and follows matches on a real server",
      () =>
        Effect.gen(function* () {
          const { url } = yield* Standalone
          const directory = yield* project("node-18")
          const node = join(directory, "node_modules/node/bin/node")
          assert.match(yield* succeed(node, ["--version"], directory), /^v18\./)
          yield* succeed("npx", ["tsc"], directory)
          const verified = yield* succeed(node, ["dist/verify.js"], directory)
          assert.strictEqual(verified, "match.ended 2026-11-24T10:00:00.000Z Alpha\nwrong_signature\n")
          const env = { MATCHPOINT_URL: url, MATCHPOINT_KEY: DEV_KEY }
          for (const transport of ["websocket", "sse"]) {
            assertFollows(yield* succeed(node, ["dist/follow.js", transport], directory, env))
          }
          const without = yield* run(node, ["dist/follow.js", "none"], directory, env)
          assert.strictEqual(without.code, 3, without.output)
          assert.match(without.output, /NoWebSocket: .*pass the option `webSocket`/)
        }),
      5 * MINUTES,
    )

    it.effect(
      "type-checks and follows matches through its Effect entry",
      () =>
        Effect.gen(function* () {
          const { url } = yield* Standalone
          const directory = yield* project("effect")
          yield* succeed("npx", ["tsc"], directory)
          const env = { MATCHPOINT_URL: url, MATCHPOINT_KEY: DEV_KEY }
          assertFollows(yield* succeed(process.execPath, ["dist/follow.js"], directory, env))
        }),
      5 * MINUTES,
    )
  })
})
