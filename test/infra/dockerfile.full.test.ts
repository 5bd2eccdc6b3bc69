/**
 * Validates infra/Dockerfile, and does what it does in a temporary folder: copies the files, runs the installation, and
 * starts a program with production dependencies only.
 */
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync } from "node:fs"
import { createServer } from "node:http"
import { tmpdir } from "node:os"
import { basename, dirname, join, relative } from "node:path"
import { validate } from "dockerfile-utils"
import { Schema } from "effect"
import { afterAll, assert, describe, it, onTestFinished } from "vitest"
import { allocatorSettings, nodeFlags } from "../../infra/nodeFlags.mjs"
import { root } from "../documents/pages.ts"
import { parseYaml, readInfra } from "./infraFiles.ts"
import { settingNames } from "./names.ts"
import { runProgram } from "./programs.ts"

const text = readInfra("Dockerfile")
const instructions = text
  .replaceAll(/^#.*\n/gm, "")
  .replaceAll(/\\\n\s*/g, "")
  .split("\n")
  .filter((line) => line !== "")
const argumentsOf = (name: string): ReadonlyArray<string> =>
  instructions.flatMap((line) => (line.startsWith(`${name} `) ? [line.slice(name.length + 1)] : []))

const secondStage = instructions.findIndex((line, index) => line.startsWith("FROM ") && index > instructions.findIndex(isFrom))
function isFrom(line: string): boolean {
  return line.startsWith("FROM ")
}
const buildStage = instructions.slice(0, secondStage)

/** Sources and target of each COPY from the build context. */
const copies = instructions.flatMap((line) => {
  if (!line.startsWith("COPY ") || line.includes("--from=")) return []
  const paths = line.slice(5).split(" ")
  return [{ sources: paths.slice(0, -1), target: paths.at(-1) ?? "" }]
})

const ignoreRules = readFileSync(join(root, ".dockerignore"), "utf8")
  .split("\n")
  .filter((line) => line !== "" && !line.startsWith("#"))
/** Names that are left out wherever they are, such as `node_modules`, and endings, such as `.md`. */
const anywhere = ignoreRules.flatMap((rule) => (rule.startsWith("**/") ? [rule.slice(3)] : []))
const inContext = ignoreRules.flatMap((rule) => (rule.startsWith("!") ? [rule.slice(1)] : []))
const isIgnored = (path: string): boolean =>
  ignoreRules.includes(path) || anywhere.some((rule) => (rule.startsWith("*") ? path.endsWith(rule.slice(1)) : basename(path) === rule))

const Workspace = Schema.Struct({ catalog: Schema.Record(Schema.String, Schema.String) })
const Manifest = Schema.Struct({ version: Schema.String })
const nodeVersion = Schema.decodeUnknownSync(Workspace)(parseYaml(readFileSync(join(root, "pnpm-workspace.yaml"), "utf8"))).catalog.node

describe("infra/Dockerfile", () => {
  it("is valid", () => {
    assert.deepStrictEqual(
      validate(text).map(({ message, range }) => `line ${range.start.line + 1}: ${message}`),
      [],
    )
  })

  it("uses the pinned version of Node, its flags and the settings of the allocator", () => {
    assert.include(argumentsOf("ARG"), `NODE_IMAGE=node:${nodeVersion}-bookworm-slim`)
    assert.deepStrictEqual(JSON.parse(argumentsOf("ENTRYPOINT")[0] ?? ""), ["node", ...nodeFlags])
    for (const [name, value] of Object.entries(allocatorSettings)) assert.include(argumentsOf("ENV")[0], `${name}=${value}`)
    const { version } = Schema.decodeUnknownSync(Manifest)(JSON.parse(readFileSync(join(root, "package.json"), "utf8")))
    assert.include(argumentsOf("ARG"), `VERSION=${version}`)
  })

  it("runs as a user that is not root, and sets only variables that exist", () => {
    assert.deepStrictEqual(argumentsOf("USER"), ["1000:1000"])
    for (const [, name = ""] of (argumentsOf("ENV")[0] ?? "").matchAll(/(?:^| )(\w+)=/g)) {
      assert.isTrue(settingNames.has(name) || name in allocatorSettings || name === "NODE_ENV", name)
    }
    assert.deepStrictEqual(argumentsOf("EXPOSE"), ["8080 9090"])
    assert.include(argumentsOf("ENV")[0], "PORT=8080 MATCHPOINT_ADMIN_HOST=0.0.0.0 MATCHPOINT_ADMIN_PORT=9090")
  })

  it("copies files that exist and that .dockerignore lets through", () => {
    const sources = copies.flatMap((copy) => copy.sources)
    for (const source of sources) assert.isTrue(existsSync(join(root, source)), source)
    assert.sameMembers([...new Set(sources)], inContext)
  })

  it("checks health with a program that ends with 0 for a live process and 1 otherwise", async () => {
    assert.include(argumentsOf("HEALTHCHECK")[0], 'CMD ["node", "infra/healthcheck.mjs"]')
    let status = 200
    const asked: Array<string> = []
    const server = createServer((request, response) => {
      asked.push(request.url ?? "")
      response.writeHead(status).end()
    })
    onTestFinished(() => {
      server.close()
    })
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
    const address = server.address()
    const port = String(typeof address === "object" ? address?.port : address)
    const check = (env: Readonly<Record<string, string>>) => runHealthcheck({ PORT: "", MATCHPOINT_ADMIN_PORT: "", ...env })
    assert.strictEqual(await check({ MATCHPOINT_ADMIN_PORT: port, PORT: "1" }), 0)
    assert.strictEqual(await check({ PORT: port }), 0)
    status = 503
    assert.strictEqual(await check({ MATCHPOINT_ADMIN_PORT: port }), 1)
    assert.strictEqual(await check({ MATCHPOINT_ADMIN_PORT: "1" }), 1)
    assert.deepStrictEqual([...new Set(asked)], ["/health/live"])
  })
})

/** Runs the health check without blocking this process, which answers it. Resolves with the exit code. */
const runHealthcheck = async (env: Readonly<Record<string, string>>): Promise<number | null> => {
  const { spawn } = await import("node:child_process")
  const child = spawn(process.execPath, ["infra/healthcheck.mjs"], { cwd: root, env: { ...process.env, ...env }, stdio: "ignore" })
  return new Promise((resolve) => child.once("close", resolve))
}

describe("the build stage of infra/Dockerfile, run in a folder", () => {
  const folder = mkdtempSync(join(tmpdir(), "matchpoint-image-"))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  it("installs production dependencies, with which each program starts", { timeout: 300_000 }, () => {
    for (const line of buildStage) {
      if (line.startsWith("COPY ")) copyIntoFolder(folder, line)
      if (!line.startsWith("RUN ")) continue
      const { code, output } = runProgram("sh", ["-c", line.slice(4)], { cwd: folder, seconds: 240 })
      assert.strictEqual(code, 0, `${line}\n${output}`)
    }
    for (const line of instructions.slice(secondStage)) {
      if (line.startsWith("COPY ") && !line.includes("--from=")) copyIntoFolder(folder, line)
    }
    // The image has the lockfile in its first stage only.
    rmSync(join(folder, "pnpm-lock.yaml"))
    // Nothing answers at this port, which shows that the command runs and which address it uses.
    const admin = runProgram(process.execPath, ["infra/run.mjs", "admin", "accounts", "list"], {
      cwd: folder,
      env: { MATCHPOINT_ADMIN_PORT: "1" },
    })
    assert.strictEqual(admin.code, 1, admin.output)
    assert.include(admin.output, "no server answers at http://localhost:1")
    for (const name of ["vitest", "@biomejs", "typescript"]) assert.isFalse(existsSync(join(folder, "node_modules", name)), name)
    const programs = ["feed", "gateway", "match", "standalone", "webhooks"].map((name) => `bundle/services.${name}.main.js`)
    for (const program of programs) {
      // The addresses are replaced, so that nothing is started if the setting is not rejected.
      const env = { MATCHPOINT_LOG: "none", DATABASE_URL: "", NATS_URL: "", REDIS_URL: "" }
      const { code, output } = runProgram(process.execPath, [...nodeFlags, program], { cwd: folder, env })
      assert.strictEqual(code, 1, `${program}\n${output}`)
      assert.include(output, 'MATCHPOINT_LOG must be text or json, not "none"', program)
    }
  })
})

const copyIntoFolder = (folder: string, line: string): void => {
  const paths = line.slice(5).split(" ")
  for (const source of paths.slice(0, -1)) {
    const target = join(folder, source)
    mkdirSync(dirname(target), { recursive: true })
    cpSync(join(root, source), target, {
      recursive: true,
      filter: (path) => !isIgnored(relative(root, path)) || !statSync(path, { throwIfNoEntry: false }),
    })
  }
}
