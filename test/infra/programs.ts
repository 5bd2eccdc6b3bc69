/** Runs the programs that check the files in infra/. */
import { spawnSync } from "node:child_process"

export interface Ended {
  readonly code: number | null
  /** What the program printed on both streams. */
  readonly output: string
}

/** Runs a program to its end, at most a minute. */
export const runProgram = (
  program: string,
  args: ReadonlyArray<string>,
  options: { readonly cwd?: string; readonly env?: Readonly<Record<string, string>>; readonly seconds?: number } = {},
): Ended => {
  const { error, status, stderr, stdout } = spawnSync(program, [...args], {
    ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
    env: { ...process.env, ...options.env },
    encoding: "utf8",
    timeout: (options.seconds ?? 60) * 1_000,
    maxBuffer: 64 * 1024 * 1024,
  })
  return { code: status, output: `${stdout}${stderr}${error === undefined ? "" : error.message}` }
}
