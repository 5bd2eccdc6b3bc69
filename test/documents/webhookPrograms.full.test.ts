/** Runs each receiver shown in docs/customers/webhooks-verify.md as it is, on another port, and sends it deliveries. */
import { spawn } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { findFreePort } from "@matchpoint/testing/freePorts"
import { newSecret, signatureHeaders } from "@matchpoint/webhooks/signatures"
import { assert, describe, inject, it, onTestFinished, vi } from "vitest"
import { type CodeBlock, codeBlocks } from "./codeBlocks.ts"
import { root } from "./pages.ts"

const FILE = "docs/customers/webhooks-verify.md"
const pythonPath = inject("python")
const goPath = inject("go")

const programs = codeBlocks(FILE, readFileSync(join(root, FILE), "utf8")).filter(({ language }) =>
  ["js", "python", "go"].includes(language),
)

/** Returns the executable of a language and its arguments, or undefined if it is not installed. */
const interpreterOf = (language: string, text: string, folder: string): readonly [string, ReadonlyArray<string>] | undefined => {
  if (language === "js") return [process.execPath, ["--disable-warning=ExperimentalWarning", "--input-type=module", "-e", text]]
  if (language === "python") return pythonPath === null ? undefined : [pythonPath, ["-c", text]]
  if (goPath === null) return undefined
  writeFileSync(join(folder, "main.go"), text)
  return [goPath, ["run", join(folder, "main.go")]]
}

const secret = newSecret()
const previous = newSecret()
const id = "evt_cs2-match-1001.1.7.match.ended"
const body = `{"id":"${id}","event":"match.ended","created_at":"2026-11-24T10:00:00.000Z","data":{"winner":"Größe ☃"}}`

const sign = (ageSeconds: number, secrets: readonly [string, ...ReadonlyArray<string>]) =>
  signatureHeaders({ id, timestampSeconds: Math.floor(Date.now() / 1_000) - ageSeconds, body, secrets })

/** Starts the program. Returns the address of its receiver and what it has printed. */
const start = async ({ language, text }: CodeBlock) => {
  const port = await findFreePort()
  const folder = mkdtempSync(join(tmpdir(), "matchpoint-webhooks-"))
  const [executable, args] = interpreterOf(language, text.replace("8787", String(port)), folder) ?? ["", []]
  const child = spawn(executable, [...args], {
    cwd: join(root, "test"),
    env: { ...process.env, GOCACHE: join(folder, "cache"), MATCHPOINT_WEBHOOK_SECRET: secret },
    stdio: ["ignore", "pipe", "pipe"],
    detached: true,
  })
  const closed = new Promise((resolve) => child.once("close", resolve))
  onTestFinished(async () => {
    // Kills the process group, because `go run` starts a child process.
    if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, "SIGKILL")
    await closed
    rmSync(folder, { recursive: true, force: true })
  })
  const printed = { output: "" }
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (chunk: string) => {
      printed.output += chunk
    })
  }
  const url = `http://127.0.0.1:${port}/`
  await vi.waitFor(
    () => {
      if (child.exitCode !== null) assert.fail(printed.output)
      return fetch(url)
    },
    { timeout: 100_000, interval: 100 },
  )
  return { url, printed }
}

describe("the receivers of docs/customers/webhooks-verify.md", () => {
  it("are written in JavaScript, Python and Go", () => {
    assert.deepStrictEqual(
      programs.map(({ language }) => language),
      ["js", "js", "python", "go"],
    )
  })

  for (const program of programs) {
    const isMissing = (program.language === "python" && pythonPath === null) || (program.language === "go" && goPath === null)
    it.skipIf(isMissing)(
      `${program.at}: accepts signed deliveries and rejects changed, old and unsigned ones`,
      async () => {
        const { printed, url } = await start(program)
        const post = async (text: string, headers: Readonly<Record<string, string>>) =>
          (await fetch(url, { method: "POST", body: text, headers })).status
        assert.strictEqual(await post(body, sign(0, [secret])), 204, printed.output)
        await vi.waitFor(() => assert.include(printed.output, `match.ended ${id}`))
        assert.strictEqual(await post(body, sign(290, [newSecret(), secret])), 204, printed.output)
        assert.strictEqual(await post(body, sign(0, [secret, previous])), 204, printed.output)
        const rejected: ReadonlyArray<readonly [title: string, text: string, headers: Readonly<Record<string, string>>]> = [
          ["changed", body.replace("Größe", "other"), sign(0, [secret])],
          ["another secret", body, sign(0, [previous])],
          ["old", body, sign(600, [secret])],
          ["future", body, sign(-600, [secret])],
          ["old with a new time", body, { ...sign(600, [secret]), "webhook-timestamp": String(Math.floor(Date.now() / 1_000)) }],
          ["unsigned", body, {}],
          ["no number", body, { ...sign(0, [secret]), "webhook-timestamp": "now" }],
        ]
        for (const [title, text, headers] of rejected) assert.strictEqual(await post(text, headers), 400, title)
      },
      120_000,
    )
  }
})
