/**
 * `npm run import -- <game> [<source>] <path> [--database postgres://... | --data .data]` imports files into the
 * archive. Exit code 0: at least one file was read, even if records were rejected. 1: no file could be read, or the
 * database did not respond. 130: stopped with Ctrl-C; the next run continues at the same point.
 */
import { join } from "node:path"
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { importSections } from "@matchpoint/games/imports"
import { Migrations } from "@matchpoint/games/Migrations"
import { Repositories } from "@matchpoint/games/Repositories"
import { dataSettings } from "@matchpoint/process/settings/catalog"
import { Embedded } from "@matchpoint/store/database/Embedded"
import { Postgres } from "@matchpoint/store/database/Postgres"
import { Config, Console, Effect, Layer, Option, type Redacted } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { runImport, type Selected, selectAll } from "./import/run.ts"

/** Writing a batch takes longer than a usual query, but a lost connection must still be detected. */
const STATEMENT_TIMEOUT = "2 minutes"
/** The command takes minutes, so it need not fail fast, and a busy machine takes longer to connect. */
const CONNECT_TIMEOUT = "1 minute"

type Section = (typeof importSections)[number]
type Services = Layer.Success<typeof Repositories.layer>

const commandOf = (section: Section) => {
  if (section.wholeFolder === true) {
    const path = Argument.String("path").pipe(Argument.withDescription("A folder; its subfolders are searched too"))
    return described(
      section,
      Command.make(
        section.game,
        { path, ...flags },
        Effect.fn("import.folder")(function* ({ path: root, ...given }) {
          yield* importInto(section, yield* selectAll(section.sources, root), given)
        }),
      ),
    )
  }
  return described(
    section,
    Command.make(
      section.game,
      {
        source: Argument.Literals("source", [...section.sources.map(({ source }) => source.name), "all"]).pipe(
          Argument.withDescription(
            `Source to import; all: every source in a folder with the subfolders ${[...new Set(section.sources.map(({ folder }) => folder))].join(", ")}\n` +
              section.sources.map(({ source }) => `  ${source.name}: ${source.summary}`).join("\n"),
          ),
        ),
        path: Argument.String("path").pipe(Argument.withDescription("A file, packed or not, or a folder of files")),
        ...flags,
      },
      Effect.fn("import.game")(function* ({ path, source, ...given }) {
        const selected =
          source === "all"
            ? yield* selectAll(section.sources, path)
            : section.sources.filter((known) => known.source.name === source).map((known) => ({ source: known.source, path }))
        yield* importInto(section, selected, given)
      }),
    ),
  )
}

const described = <Name extends string, Input, ContextInput, E, R>(
  section: Section,
  command: Command.Command<Name, Input, ContextInput, E, R>,
) => command.pipe(Command.withDescription(`Imports ${section.summary}`))

const flags = {
  database: Flag.Redacted("database").pipe(
    Flag.withDescription("postgres://user:password@host:port/name; default DATABASE_URL"),
    Flag.optional,
  ),
  data: Flag.String("data").pipe(
    Flag.withDescription("Data directory of a standalone server, which must not be running; default MATCHPOINT_DATA_DIRECTORY, else .data"),
    Flag.optional,
  ),
  rejects: Flag.String("rejects").pipe(
    Flag.withDescription("File for rejected records, one line of JSON each; default import-rejects.ndjson in the data directory"),
    Flag.optional,
  ),
  again: Flag.Boolean("again").pipe(Flag.withDescription("Import files again even if they have not changed"), Flag.withDefault(false)),
}

interface Given {
  readonly again: boolean
  readonly data: Option.Option<string>
  readonly database: Settings["databaseUrl"]
  readonly rejects: Option.Option<string>
}

const importInto = Effect.fnUntraced(function* (
  section: Section,
  selected: ReadonlyArray<Selected<Services>>,
  { again, data, database, rejects }: Given,
) {
  const settings = yield* settingsOf(database, data)
  yield* runImport(section, selected, {
    again,
    isTerminal: process.stdout.isTTY === true,
    rejects: Option.getOrElse(rejects, () => join(settings.dataDirectory, "import-rejects.ndjson")),
  }).pipe(Effect.provide(storeLayer(settings)))
})

const command = Command.make("import").pipe(
  Command.withDescription(
    "Imports files into the archive. Importing the same file again changes nothing; an interrupted import resumes where it stopped.",
  ),
  Command.withSubcommands(importSections.map(commandOf)),
)

interface Settings {
  readonly dataDirectory: string
  readonly databaseUrl: Option.Option<Redacted.Redacted<string>>
}

/** The command line takes precedence over the environment, whose variables are those of the standalone server. */
const settingsOf = Effect.fnUntraced(function* (database: Settings["databaseUrl"], data: Option.Option<string>) {
  const configured = yield* Config.all({
    ...dataSettings,
    databaseUrl: Config.option(Config.Redacted("DATABASE_URL")),
  })
  return {
    dataDirectory: Option.getOrElse(data, () => configured.dataDirectory),
    databaseUrl: Option.isSome(database) || Option.isSome(data) ? database : configured.databaseUrl,
  } satisfies Settings
})

const storeLayer = ({ databaseUrl, dataDirectory }: Settings) =>
  Repositories.layer.pipe(
    Layer.provide(Migrations.layer),
    Layer.provideMerge(
      Option.match(databaseUrl, {
        onSome: (url) =>
          Postgres.layer({
            url,
            maxConnections: 4,
            connectTimeout: CONNECT_TIMEOUT,
            statementTimeout: STATEMENT_TIMEOUT,
            idleTransactionTimeout: STATEMENT_TIMEOUT,
          }),
        onNone: () => Embedded.layer({ directory: join(dataDirectory, "database"), statementTimeout: STATEMENT_TIMEOUT }),
      }),
    ),
  )

/** Prints an error that the user can act on without a stack trace. */
const explain = <E extends { readonly message: string }>(error: E) => Effect.andThen(Console.error(error.message), Effect.fail(error))

Command.run(command, { version: "0.1.0" }).pipe(
  Effect.catchTags({ NothingImported: explain, StoreError: explain, DirectoryLocked: explain, ConfigError: explain }),
  Effect.tapDefect((defect) => Console.error(defect)),
  Effect.provide(NodeServices.layer),
  NodeRuntime.runMain({ disableErrorReporting: true }),
)
