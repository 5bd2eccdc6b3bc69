/** `infra/install.mjs` on an empty project, with a command in the place of npx. */
import { spawn, spawnSync } from "node:child_process"
import { once } from "node:events"
import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { delimiter, join } from "node:path"
import { fileURLToPath } from "node:url"
import { afterEach, assert, beforeEach, describe, it } from "vitest"

let project: string

beforeEach(() => {
  project = mkdtempSync(join(tmpdir(), "matchpoint-install-"))
  for (const folder of ["infra", "packages", "services", "bin", ".data"]) mkdirSync(join(project, folder))
  cpSync(fileURLToPath(new URL("../../infra/install.mjs", import.meta.url)), join(project, "infra/install.mjs"))
  write("package.json", '{ "packageManager": "pnpm@1.2.3" }')
  write("pnpm-lock.yaml", "")
})

afterEach(() => rmSync(project, { recursive: true, force: true }))

const write = (file: string, text: string): void => writeFileSync(join(project, file), text)

/** Replaces npx. Each run of it writes a line to `runs`. */
const npx = (commands: string): void => {
  write("bin/npx", `#!/bin/sh\necho "$@" >> runs\n${commands}\n`)
  chmodSync(join(project, "bin/npx"), 0o755)
}

const installing = "sleep 0.5; mkdir -p node_modules/node"

/** Runs `ensureInstalled` in a process of its own. */
const ensureInstalled = async () => {
  const env = { ...process.env, PATH: `${join(project, "bin")}${delimiter}${process.env.PATH}` }
  const script = "import { ensureInstalled } from './infra/install.mjs'; await ensureInstalled()"
  const child = spawn(process.execPath, ["--input-type=module", "--eval", script], { cwd: project, env })
  let output = ""
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding("utf8").on("data", (text) => (output += text))
  const [code] = await once(child, "close")
  return { code, output }
}

const installs = (): number =>
  existsSync(join(project, "runs")) ? readFileSync(join(project, "runs"), "utf8").trim().split("\n").length : 0

describe.skipIf(process.platform === "win32")("ensureInstalled", () => {
  it("installs once, and again after a manifest has changed", async () => {
    npx(installing)
    assert.strictEqual((await ensureInstalled()).code, 0)
    assert.include(readFileSync(join(project, "runs"), "utf8"), "pnpm@1.2.3 install --frozen-lockfile")
    await ensureInstalled()
    assert.strictEqual(installs(), 1)
    write("pnpm-lock.yaml", "another")
    await ensureInstalled()
    assert.strictEqual(installs(), 2)
  })

  it("lets one of several processes install, and takes over the lock of a process that no longer runs", async () => {
    npx(installing)
    write(".data/install.lock", String(spawnSync(process.execPath, ["--version"]).pid))
    const all = await Promise.all(Array.from({ length: 5 }, ensureInstalled))
    assert.deepStrictEqual(
      all.map(({ code }) => code),
      [0, 0, 0, 0, 0],
    )
    assert.strictEqual(installs(), 1)
    assert.deepStrictEqual(readdirSync(join(project, ".data")), [])
  })

  it("waits while another process holds the lock", async () => {
    npx(installing)
    write(".data/install.lock", String(process.pid))
    const waiting = ensureInstalled()
    await new Promise((resolve) => setTimeout(resolve, 1_500))
    assert.strictEqual(installs(), 0)
    rmSync(join(project, ".data/install.lock"))
    const { code, output } = await waiting
    assert.deepStrictEqual([code, installs()], [0, 1])
    assert.include(output, "Waiting for an install by another process")
  })

  it("says what to do if the registry cannot be reached, and tries again the next time", async () => {
    npx("echo ENOTFOUND; exit 1")
    const { code, output } = await ensureInstalled()
    assert.strictEqual(code, 1)
    assert.include(output, "npm can't reach its registry")
    npx(installing)
    assert.strictEqual((await ensureInstalled()).code, 0)
  })
})
