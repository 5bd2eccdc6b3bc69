/** Every benchmark prints its usage for `--help` without measuring, and accepts `--json`. */
import { execFile } from "node:child_process"
import { existsSync, readdirSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { assert, describe, it } from "vitest"

const folder = fileURLToPath(new URL("..", import.meta.url))
const folders = readdirSync(folder).filter((name) => existsSync(join(folder, name, "main.ts")))

interface Ended {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

const run = (name: string, ...args: ReadonlyArray<string>) =>
  new Promise<Ended>((resolve) => {
    execFile(process.execPath, [join(folder, name, "main.ts"), ...args], { timeout: 90_000 }, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : 1, stdout, stderr }),
    )
  })

describe("the flags of every benchmark", () => {
  it("more than ten benchmarks exist", () => assert.isAbove(folders.length, 10))

  for (const name of folders) {
    const command = name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
    it.concurrent(`${command} prints its usage for --help without measuring, accepts --json and rejects unknown flags`, async () => {
      const help = await run(name, "--help")
      assert.strictEqual(help.code, 0, help.stderr)
      assert.match(help.stdout, new RegExp(`^npm run bench -- ${command} `))
      assert.match(help.stdout, /^ {2}--json +\S/m)
      // Options are parsed in order, and the error names the first unknown one.
      const unknown = await run(name, "--json", "--nonsense")
      assert.strictEqual(unknown.code, 1)
      assert.include(unknown.stderr, "'--nonsense'")
    }, 200_000)
  }

  it("engine --json prints its report as JSON", async () => {
    const small = ["--matches", "2", "--events", "20", "--warm-up", "5", "--rate", "50", "--seconds", "1", "--checkpoints", "none"]
    const { code, stderr, stdout } = await run("engine", ...small, "--json")
    assert.strictEqual(code, 0, stderr)
    assert.strictEqual(JSON.parse(stdout).bench, "engine")
  }, 120_000)
})
