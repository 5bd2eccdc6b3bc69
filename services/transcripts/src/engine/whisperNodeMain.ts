/**
 * Runs `@fugood/whisper.node`: `node whisperNodeMain.ts <weights> <threads>`. Answers windows from standard input on
 * standard output. Ends when standard input ends. A crash of the native code ends this process only.
 */
import { createRequire } from "node:module"
import { createInterface } from "node:readline"
import { Schema } from "effect"
import { ANSWER, AnswerLine, READY, WindowLine } from "./whisperNodeProtocol.ts"

/** The used part of the package. Its own types do not compile under the settings of this repository. */
interface WhisperNodePackage {
  readonly initWhisper: (options: { readonly filePath: string; readonly useGpu: boolean }) => Promise<{
    readonly transcribeData: (
      samples: ArrayBuffer,
      options: {
        readonly language: string
        readonly maxThreads: number
        readonly temperature: number
        readonly temperatureInc: number
      },
    ) => { readonly promise: Promise<Omit<typeof AnswerLine.Type, "id">> }
  }>
}

const { initWhisper }: WhisperNodePackage = createRequire(import.meta.url)("@fugood/whisper.node")
const [weights = "", threads = "1"] = process.argv.slice(2)
const decode = Schema.decodeUnknownSync(WindowLine)
const encode = Schema.encodeSync(AnswerLine)

const whisper = await initWhisper({ filePath: weights, useGpu: false })
process.stdout.write(`${READY}\n`)

for await (const line of createInterface({ input: process.stdin })) {
  const { id, language, samples } = decode(line)
  const options = { language: language ?? "auto", maxThreads: Number(threads), temperature: 0, temperatureInc: 0 }
  const result = await whisper.transcribeData(new Uint8Array(Buffer.from(samples, "base64")).buffer, options).promise
  process.stdout.write(`${ANSWER}${encode({ ...result, id })}\n`)
}
process.exit(0)
