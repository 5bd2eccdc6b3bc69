/** The event log on NATS servers, which all processes share. */
import { readFileSync } from "node:fs"
import * as NodeFileSystem from "@effect/platform-node/NodeFileSystem"
import { EventLog, LogError, type StreamSpec } from "@matchpoint/bus/EventLog"
import * as EventLogNats from "@matchpoint/bus/EventLogNats"
import { currentSubject, ENTRIES, FEED, formerFeed, LIVE, STREAMS_VERSION, streams } from "@matchpoint/contracts/bus/subjects"
import { Effect, FileSystem, Layer, Option, Redacted } from "effect"
import { InvalidSettings } from "../settings/InvalidSettings.ts"
import { natsAddresses } from "./natsAddresses.ts"

export interface NatsSettings {
  /** Servers of one NATS cluster with JetStream. */
  readonly natsUrl: ReadonlyArray<string>
  /** Path of a `.creds` file. */
  readonly natsCredentials: Option.Option<string>
  /** PEM files: trusted authorities, and the certificate of this process with its key. */
  readonly natsCa: Option.Option<string>
  readonly natsCert: Option.Option<string>
  readonly natsKey: Option.Option<string>
  /** Servers that store each stream. None: unchanged, and 1 for new streams. */
  readonly natsReplicas: Option.Option<number>
  /** MB of FEED and of LIVE; ENTRIES gets an eighth of it. None: unchanged, and the default for new streams. */
  readonly logMegabytes: Option.Option<number>
}

const MB = 1024 * 1024

/** Streams whose size depends on the number of live matches, with their share of the configured size. */
const growing: ReadonlyMap<string, number> = new Map([
  [FEED, 1],
  [LIVE, 1],
  [ENTRIES, 1 / 8],
])

const sized = (spec: StreamSpec, megabytes: number): StreamSpec => {
  const share = growing.get(spec.name)
  return share === undefined ? spec : { ...spec, maxBytes: Math.ceil(megabytes * share) * MB }
}

/**
 * Heartbeats of readers. A reader whose consumer ended with a server continues after three missed ones. An idle reader
 * costs one small message per interval.
 */
const HEARTBEAT_MS = 1_000

/** Fails with `InvalidSettings` if a file cannot be read, or a certificate has no key. */
export const natsLog = (settings: NatsSettings) =>
  Layer.unwrap(Effect.map(optionsOf(settings), EventLogNats.layer)).pipe(
    Layer.provide(NodeFileSystem.layer),
    Layer.catchTag("LogError", (error) => Layer.effect(EventLog, Effect.fail(inWords(error)))),
  )

/** Names the setting, because an operator does not know which server an error of the start means. */
const inWords = (error: LogError): LogError => {
  const { cause, detail, operation, reason, retryable, target } = error
  return reason === "Unavailable" || reason === "Denied"
    ? new LogError({
        operation,
        target,
        reason,
        retryable,
        cause,
        detail: `NATS does not accept the connection (${detail}); check that it runs, and NATS_URL`,
      })
    : error
}

const optionsOf = Effect.fnUntraced(function* (settings: NatsSettings) {
  const { logMegabytes, natsCa, natsCert, natsCredentials, natsKey, natsReplicas, natsUrl } = settings
  if (Option.isSome(natsCert) !== Option.isSome(natsKey)) {
    return yield* new InvalidSettings({ problems: ["NATS_CERT and NATS_KEY must be set together"] })
  }
  const ca = yield* contentOf("NATS_CA", natsCa)
  const cert = yield* contentOf("NATS_CERT", natsCert)
  const key = yield* contentOf("NATS_KEY", natsKey)
  yield* contentOf("NATS_CREDENTIALS", natsCredentials)
  const { isTls, ...addresses } = natsAddresses(natsUrl)
  const tls = { ...(ca === undefined ? {} : { ca }), ...(cert === undefined ? {} : { cert }), ...(key === undefined ? {} : { key }) }
  const options: EventLogNats.Options = {
    ...addresses,
    formerSubjects: [{ stream: FEED, filter: formerFeed, currentSubject }],
    streams: Option.match(logMegabytes, {
      onNone: () => streams,
      onSome: (megabytes) => streams.map((spec) => sized(spec, megabytes)),
    }),
    keepSizes: Option.isNone(logMegabytes),
    heartbeat: HEARTBEAT_MS,
    settingsVersion: STREAMS_VERSION,
    ...(Option.isSome(natsCredentials) ? { credentials: () => Redacted.make(readFileSync(natsCredentials.value, "utf8")) } : {}),
    ...(isTls || ca !== undefined || cert !== undefined ? { tls } : {}),
    ...(Option.isSome(natsReplicas) ? { replicas: natsReplicas.value } : {}),
  }
  return options
})

const contentOf = Effect.fnUntraced(function* (name: string, path: Option.Option<string>) {
  if (Option.isNone(path)) return undefined
  const files = yield* FileSystem.FileSystem
  return yield* files
    .readFileString(path.value)
    .pipe(
      Effect.mapError(
        (error) => new InvalidSettings({ problems: [`${name}: the file ${path.value} cannot be read (${error.reason._tag})`] }),
      ),
    )
})
