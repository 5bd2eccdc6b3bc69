// Owns the processes of a measurement: how they are started, asked one question at a time and ended.
// Does not own what is asked.
import { type ChildProcess, fork } from "node:child_process"
import { once } from "node:events"
import { fileURLToPath } from "node:url"

/** `execArgv` are Node's own flags, for example `--cpu-prof`. */
export const start = (file: URL, args: ReadonlyArray<string> = [], execArgv: ReadonlyArray<string> = []): ChildProcess =>
  fork(fileURLToPath(file), [...args], { execArgv: [...execArgv], stdio: "inherit" })

/** The next message of a child. Fails when it ends instead, or stays silent for longer than `timeoutMs`. */
export const receive = async <A>(child: ChildProcess, timeoutMs: number): Promise<A> => {
  const settled = new AbortController()
  const { signal } = settled
  const message = once(child, "message", { signal }).then(([value]): A => value)
  const exit = once(child, "exit", { signal }).then(([code]) => Promise.reject(new Error(`A measured process ended with code ${code}`)))
  const silence = once(AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]), "abort").then(() =>
    Promise.reject(new Error(`A measured process said nothing for ${timeoutMs} ms`)),
  )
  try {
    return await Promise.race([message, exit, silence])
  } finally {
    // The losers of the race are told to stop listening; their rejections have been handled by the race.
    settled.abort()
  }
}

/** One question, one answer; questions to one child must not overlap. */
export const ask = <Question extends object, A>(child: ChildProcess, question: Question, timeoutMs: number): Promise<A> => {
  const answer = receive<A>(child, timeoutMs)
  child.send(question)
  return answer
}

/** Lets a child end in its own way (which writes a CPU profile, if one was asked for), by force after three seconds. */
export const stop = async (child: ChildProcess): Promise<void> => {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exit = once(child, "exit")
  const force = setTimeout(() => child.kill("SIGKILL"), 3_000)
  if (child.connected) child.disconnect()
  await exit
  clearTimeout(force)
}
