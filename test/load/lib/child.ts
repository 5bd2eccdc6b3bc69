// Owns the processes of a measurement: how they are started, asked one question at a time and stopped. Does not own the
// questions.
import { type ChildProcess, fork } from "node:child_process"
import { once } from "node:events"
import { fileURLToPath } from "node:url"

/** Starts a child process. `execArgv` are Node's own flags, for example `--cpu-prof`. */
export const start = (file: URL, args: ReadonlyArray<string> = [], execArgv: ReadonlyArray<string> = []): ChildProcess =>
  fork(fileURLToPath(file), [...args], { execArgv: [...execArgv], stdio: "inherit" })

/** Resolves to the next message of a child. Fails if the child exits instead, or sends nothing for `timeoutMs`. */
export const receive = async <A>(child: ChildProcess, timeoutMs: number): Promise<A> => {
  const settled = new AbortController()
  const { signal } = settled
  const message = once(child, "message", { signal }).then(([value]): A => value)
  const exit = once(child, "exit", { signal }).then(([code]) => Promise.reject(new Error(`A measured process exited with code ${code}`)))
  const silence = once(AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]), "abort").then(() =>
    Promise.reject(new Error(`A measured process sent nothing for ${timeoutMs} ms`)),
  )
  try {
    return await Promise.race([message, exit, silence])
  } finally {
    // Stops the other listeners. The race has handled their rejections.
    settled.abort()
  }
}

/** Sends one question and resolves to its answer. Questions to one child must not overlap. */
export const ask = <Question extends object, A>(child: ChildProcess, question: Question, timeoutMs: number): Promise<A> => {
  const answer = receive<A>(child, timeoutMs)
  child.send(question)
  return answer
}

/** Lets a child exit by itself, which writes a CPU profile if requested. Kills it after three seconds. */
export const stop = async (child: ChildProcess): Promise<void> => {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exit = once(child, "exit")
  const force = setTimeout(() => child.kill("SIGKILL"), 3_000)
  if (child.connected) child.disconnect()
  await exit
  clearTimeout(force)
}
