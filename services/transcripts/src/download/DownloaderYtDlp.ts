/**
 * Each run of yt-dlp has an egress proxy of its own, in the environment and not on the command line, which other users
 * can read. A watch of the directory stops streams that never end.
 */
import { mkdir, readdir, stat, symlink } from "node:fs/promises"
import { join } from "node:path"
import { makeAddressPolicy } from "@matchpoint/webhooks/addressPolicy"
import { Effect, Layer, Schedule } from "effect"
import { programComponent } from "../sandbox/programComponent.ts"
import { Sandbox } from "../sandbox/Sandbox.ts"
import { DownloadFailed, TranscriptionTimeout, TranscriptionUnavailable, VideoTooLarge } from "../TranscribeFailure.ts"
import { TranscriberConfig } from "../TranscriberConfig.ts"
import { Downloader, type DownloadRequest } from "./Downloader.ts"
import { startEgress } from "./EgressProxy.ts"
import { fractionOf, MEDIA_FILE, ytDlpArguments } from "./ytDlpArguments.ts"
import { ytDlpFailure } from "./ytDlpFailure.ts"

const PROGRAM = "yt-dlp"
const MEMORY_BYTES = 1024 ** 3
const MAX_OUTPUT_BYTES = 1024 ** 2
const WATCH_INTERVAL = "250 millis"
/** Allowance for pages and playlists around the video. */
const OVERHEAD_BYTES = 20_000_000

export const layer = Layer.effect(
  Downloader,
  Effect.gen(function* () {
    const sandbox = yield* Sandbox
    const { addresses, extraExtractors } = yield* TranscriberConfig
    const policy = yield* Effect.fromResult(makeAddressPolicy(addresses))

    const download = Effect.fn("Downloader.download")(function* ({ directory, limits, onProgress, platform, url }: DownloadRequest) {
      const egress = yield* startEgress({ policy, maxBytes: limits.maxBytes + OVERHEAD_BYTES })
      yield* linkPython(sandbox, directory)
      let latest = 0
      const result = yield* sandbox
        .run({
          program: PROGRAM,
          args: ytDlpArguments({ extraExtractors, limits, platform, url }),
          directory,
          environment: { ...PYTHON, http_proxy: egress.url, https_proxy: egress.url },
          limits: { cpuSeconds: limits.maxWallSeconds, memoryBytes: MEMORY_BYTES, fileBytes: limits.maxBytes },
          timeoutMs: limits.maxWallSeconds * 1_000,
          maxOutputBytes: MAX_OUTPUT_BYTES,
          onLine: (line) => {
            const fraction = fractionOf(line)
            if (fraction === undefined || fraction <= latest) return Effect.void
            latest = fraction
            return onProgress(fraction)
          },
        })
        .pipe(
          Effect.raceFirst(watchSize(directory, limits.maxBytes)),
          Effect.catchTags({
            ProgramMissing: ({ message }) => Effect.fail(new TranscriptionUnavailable({ detail: message })),
            ProgramTimeout: ({ message }) =>
              Effect.fail(new TranscriptionTimeout({ maxWallSeconds: limits.maxWallSeconds, detail: message })),
            OutputTooLong: ({ message }) => Effect.fail(new DownloadFailed({ detail: message })),
          }),
        )
      const path = join(directory, MEDIA_FILE)
      const size = yield* sizeOf(path)
      const isTooLarge = egress.isExhausted() || size >= limits.maxBytes
      if (result.exitCode === 0 && size > 0 && !isTooLarge) return path
      const output = `${result.stdout.slice(-8_000)}\n${result.stderr}`
      return yield* ytDlpFailure({
        ...{ exitCode: result.exitCode, output, limits },
        ...{ refused: egress.refused(), isTooLarge },
      })
    }, Effect.scoped)

    return Downloader.of({
      download,
      component: programComponent(sandbox, {
        program: PROGRAM,
        args: ["--ignore-config", "--version"],
        advice: "Debian: apt-get install yt-dlp. Current versions: pipx install yt-dlp",
      }),
    })
  }),
)

/** No plugins, no packages of the user, no bytecode files, and modules only from the installation. */
const PYTHON = { YTDLP_NO_PLUGINS: "1", PYTHONNOUSERSITE: "1", PYTHONDONTWRITEBYTECODE: "1", PYTHONSAFEPATH: "1" }

/**
 * Links python3 as the only program of yt-dlp's PATH, so that it finds neither ffmpeg nor other downloaders, whose
 * requests could avoid the proxy.
 */
const linkPython = Effect.fnUntraced(function* (sandbox: Sandbox["Service"], directory: string) {
  const python = yield* Effect.option(sandbox.find("python3"))
  if (python._tag === "None") return
  yield* Effect.promise(() => mkdir(join(directory, "bin")).then(() => symlink(python.value, join(directory, "bin", "python3"))))
})

/** Never succeeds. Fails when the files together exceed the limit. */
const watchSize = (directory: string, maxBytes: number) =>
  Effect.promise(async () => {
    const names = await readdir(directory)
    const sizes = await Promise.all(names.map((name) => bytesOf(join(directory, name))))
    return sizes.reduce((sum, size) => sum + size, 0)
  }).pipe(
    Effect.flatMap((bytes) =>
      bytes > maxBytes ? Effect.fail(new VideoTooLarge({ maxBytes, detail: `${bytes} bytes in the directory` })) : Effect.void,
    ),
    Effect.repeat(Schedule.spaced(WATCH_INTERVAL)),
    Effect.andThen(Effect.never),
  )

const sizeOf = (path: string) => Effect.promise(() => bytesOf(path))

/** 0 if the file does not exist or is no file. */
const bytesOf = async (path: string): Promise<number> => {
  try {
    const found = await stat(path)
    return found.isFile() ? found.size : 0
  } catch {
    return 0
  }
}
