/**
 * The streams on the NATS server: names, settings, bounds and newest records. The settings implement guarantees of the
 * `EventLog` port.
 */
import { DiscardPolicy, JetStreamApiCodes, JetStreamApiError, RetentionPolicy, StorageType, type StreamConfig } from "@nats-io/jetstream"
import { type MsgHdrs, nanos } from "@nats-io/transport-node"
import { Cause, Effect, Option } from "effect"
import { dedupeWindowMillis, type LogError, type LogRecord, type StreamSpec } from "../EventLog.ts"
import { isStreamName } from "../Subject.ts"
import type { NatsConnectionService } from "./NatsConnectionService.ts"

/** Translates names between callers and the server, where they begin with a namespace. */
export interface Names {
  readonly stream: (name: string) => string
  readonly subject: (subject: string) => string
  readonly plain: (subject: string) => string
}

export const namesOf = (namespace: string | undefined): Names =>
  namespace === undefined
    ? { stream: (name) => name, subject: (subject) => subject, plain: (subject) => subject }
    : {
        stream: (name) => `${namespace}_${name}`,
        subject: (subject) => `${namespace}.${subject}`,
        plain: (subject) => subject.slice(namespace.length + 1),
      }

export const namespaceProblem = (namespace: string | undefined): string | undefined =>
  namespace === undefined || isStreamName(namespace) ? undefined : `not a namespace: ${namespace}`

export interface StreamSettings {
  /** Stored in the stream's description, so that an old process does not undo what a new one has configured. */
  readonly version: number
  /** Servers that store the stream. Undefined: unchanged, and 1 for a new stream. */
  readonly replicas: number | undefined
  /** Leaves the size of an existing stream as it is. */
  readonly keepSize: boolean
}

/** Leaves newer settings as they are. Returns true if the stream was created. */
export const ensure = (
  link: NatsConnectionService,
  names: Names,
  spec: StreamSpec,
  { keepSize, replicas, version }: StreamSettings,
): Effect.Effect<boolean, LogError> =>
  Effect.flatMap(
    link.ask("open", spec.name, async (): Promise<"created" | "kept" | number> => {
      const name = names.stream(spec.name)
      const found = await find(link, name)
      if (found === undefined) {
        await link.manager.streams.add(configOf(spec, names, version, replicas ?? 1))
        return "created"
      }
      const foundVersion = versionOf(found)
      if (foundVersion > version) return foundVersion
      const sized = keepSize ? { ...spec, maxBytes: found.max_bytes } : spec
      const wanted = configOf(sized, names, version, replicas ?? found.num_replicas)
      if (!agrees(found, wanted)) await link.manager.streams.update(name, { ...found, ...wanted })
      return "kept"
    }),
    (result) =>
      typeof result === "string"
        ? Effect.succeed(result === "created")
        : Effect.as(
            Effect.logWarning(
              `the stream ${spec.name} has settings of a newer version (${result}; this process has ${version}) and is used as it is`,
            ),
            false,
          ),
  )

const DESCRIPTION = /^Matchpoint, settings (\d{1,9})$/

const descriptionOf = (version: number): string => `Matchpoint, settings ${version}`

/** 0 for a stream created before streams had a version. */
const versionOf = ({ description }: StreamConfig): number => Number(DESCRIPTION.exec(description ?? "")?.[1] ?? 0)

/** Time for the leader's answer. */
const ASK_AGAIN_AFTER_MS = 1_000

/** Questions of one read that the leader gets at the same time. */
const QUESTIONS_AT_ONCE = 8

/**
 * Asks again after a second without an answer: servers do not answer while a stream has no leader, and a new leader does not
 * know earlier questions. The last attempt has the request timeout of the connection.
 */
const askLeader = <A>(question: Effect.Effect<A, LogError>): Effect.Effect<A, LogError> =>
  Effect.timeout(question, ASK_AGAIN_AFTER_MS).pipe(
    Effect.retry({ while: Cause.isTimeoutError, times: 2 }),
    Effect.catchTag("TimeoutError", () => question),
  )

export interface Bounds {
  readonly first: number
  readonly last: number
  /** Creation time as the server writes it. A stream with another time is another log. */
  readonly created: string
}

/** Bounds as the `EventLog` port defines them. NATS reports 0 as the first sequence of a new stream. */
export const bounds = (
  link: NatsConnectionService,
  names: Names,
  operation: LogError["operation"],
  stream: string,
): Effect.Effect<Bounds, LogError> =>
  Effect.map(askLeader(link.ask(operation, stream, () => link.manager.streams.info(names.stream(stream)))), ({ created, state }) => ({
    first: state.messages === 0 ? state.last_seq + 1 : state.first_seq,
    last: state.last_seq,
    created,
  }))

/** Reads from the stream's leader, so that it includes every acknowledged append. */
export const last = (
  link: NatsConnectionService,
  names: Names,
  stream: string,
  filter: string,
): Effect.Effect<Option.Option<LogRecord>, LogError> =>
  Effect.map(newestMessage(link, names, "last", stream, filter), (found) =>
    found === null
      ? Option.none()
      : Option.some({
          subject: names.plain(found.subject),
          id: idOf(found.header),
          sequence: found.seq,
          data: found.data,
          appendedAt: found.time.getTime(),
        }),
  )

/** Sequence of the newest record that matches one of the filters, or 0. Asks the stream's leader, like `last`. */
export const newest = (
  link: NatsConnectionService,
  names: Names,
  operation: LogError["operation"],
  stream: string,
  filters: ReadonlyArray<string>,
): Effect.Effect<number, LogError> =>
  Effect.map(
    Effect.forEach(filters, (filter) => newestMessage(link, names, operation, stream, filter), { concurrency: QUESTIONS_AT_ONCE }),
    (found) => Math.max(0, ...found.map((message) => message?.seq ?? 0)),
  )

const newestMessage = (link: NatsConnectionService, names: Names, operation: LogError["operation"], stream: string, filter: string) =>
  askLeader(
    link.ask(operation, stream, () => link.manager.streams.getMessage(names.stream(stream), { last_by_subj: names.subject(filter) })),
  )

export const TRACE_HEADER = "traceparent"

export const idOf = (headers: MsgHdrs | undefined): string => headers?.get("Nats-Msg-Id") ?? ""

const configOf = (spec: StreamSpec, names: Names, version: number, replicas: number) =>
  ({
    name: names.stream(spec.name),
    description: descriptionOf(version),
    subjects: spec.subjects.map(names.subject),
    storage: StorageType.File,
    retention: RetentionPolicy.Limits,
    discard: DiscardPolicy.Old,
    max_bytes: spec.maxBytes,
    max_age: spec.maxAgeMs === undefined ? 0 : nanos(spec.maxAgeMs),
    duplicate_window: nanos(dedupeWindowMillis),
    num_replicas: replicas,
    deny_delete: false,
  }) satisfies Partial<StreamConfig>

const find = async (link: NatsConnectionService, name: string): Promise<StreamConfig | undefined> => {
  try {
    return (await link.manager.streams.info(name)).config
  } catch (cause) {
    if (cause instanceof JetStreamApiError && cause.code === JetStreamApiCodes.StreamNotFound) return undefined
    throw cause
  }
}

const agrees = (found: StreamConfig, wanted: ReturnType<typeof configOf>): boolean =>
  found.subjects.length === wanted.subjects.length &&
  wanted.subjects.every((subject) => found.subjects.includes(subject)) &&
  found.description === wanted.description &&
  found.storage === wanted.storage &&
  found.retention === wanted.retention &&
  found.discard === wanted.discard &&
  found.max_bytes === wanted.max_bytes &&
  found.max_age === wanted.max_age &&
  found.duplicate_window === wanted.duplicate_window &&
  found.num_replicas === wanted.num_replicas &&
  !found.deny_delete
