import { tmpdir } from "node:os"
import { DEFAULT_TRANSCRIPT_THREADS, transcriptSettings, webhookSettings } from "@matchpoint/process/settings/catalog"
import type { AddressPolicySettings } from "@matchpoint/webhooks/addressPolicy"
import { Config, Context, Option } from "effect"

export interface TranscriberSettings {
  /** File in the format of whisper.cpp. Without it there are no transcripts. */
  readonly weights: Option.Option<string>
  /** The server program of whisper.cpp, or the npm package `@fugood/whisper.node`. */
  readonly engine: "whisper-server" | "whisper-node"
  /** Threads of the speech engine. */
  readonly threads: number
  /** Directories with yt-dlp, ffmpeg, ffprobe and whisper-server, separated by colons. */
  readonly searchPath: string
  /** Parent directory of the private directories of jobs. */
  readonly temporaryDirectory: string
  /** Addresses that downloads may reach. */
  readonly addresses: AddressPolicySettings
  /** Extractors of yt-dlp in addition to those of the platform. Only tests set it: `generic` accepts any page. */
  readonly extraExtractors: ReadonlyArray<string>
}

export class TranscriberConfig extends Context.Reference<TranscriberSettings>("@matchpoint/service-transcripts/TranscriberConfig", {
  defaultValue: () => ({
    weights: Option.none(),
    engine: "whisper-server",
    threads: DEFAULT_TRANSCRIPT_THREADS,
    searchPath: DEFAULT_SEARCH_PATH,
    temporaryDirectory: tmpdir(),
    addresses: PUBLIC_ADDRESSES,
    extraExtractors: [],
  }),
}) {}

/** Some platforms still redirect from http. */
const PUBLIC_ADDRESSES: AddressPolicySettings = { allowedNetworks: [], allowHttp: true }
const DEFAULT_SEARCH_PATH = "/usr/local/bin:/usr/bin:/bin"

/** Environment variables for the standalone process and the check. */
export const transcriberConfigs = {
  ...transcriptSettings,
  transcriptsWeights: Config.option(transcriptSettings.transcriptsWeights),
  transcriptsPath: transcriptSettings.transcriptsPath.pipe(
    Config.orElse(() => Config.NonEmptyString("PATH")),
    Config.withDefault(DEFAULT_SEARCH_PATH),
  ),
  nat64Prefixes: webhookSettings.nat64Prefixes,
}

export interface OperatorSettings {
  readonly transcriptsWeights: Option.Option<string>
  readonly transcriptsEngine: TranscriberSettings["engine"]
  readonly transcriptsThreads: number
  readonly transcriptsPath: string
  readonly nat64Prefixes: Option.Option<ReadonlyArray<string>>
}

export const settingsOf = (given: OperatorSettings): TranscriberSettings => ({
  weights: given.transcriptsWeights,
  engine: given.transcriptsEngine,
  threads: given.transcriptsThreads,
  searchPath: given.transcriptsPath,
  temporaryDirectory: tmpdir(),
  addresses: { ...PUBLIC_ADDRESSES, nat64Prefixes: Option.getOrElse(given.nat64Prefixes, () => []) },
  extraExtractors: [],
})
