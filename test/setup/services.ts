/**
 * Vitest's global setup. It finds the external services that some suites need and provides their addresses to tests
 * through `inject("natsUrl")` and so on, `null` if absent. Before and after the run it prints one line per missing
 * service with the suites that are skipped. Under CI=true a missing service fails the run, because a skip there would
 * go unnoticed. It starts no service. The suites that need a service are found by their calls of `inject`.
 */
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, relative, resolve } from "node:path"
import { fileURLToPath } from "node:url"
import { embeddedTemplate, postgresTemplate } from "@matchpoint/testing/templates"
import type { TestProject } from "vitest/node"
import { type Probe, probeDirectory, probeExecutable, probeNats, probePostgres, probeRedis } from "./probes.ts"

declare module "vitest" {
  interface ProvidedContext {
    /** A NATS server with JetStream: `nats://host:port`. */
    natsUrl: string | null
    /** A PostgreSQL database whose user may create databases and schemas for tests. */
    databaseUrl: string | null
    /** A Redis server that tests share: each test uses its own key prefix. */
    redisUrl: string | null
    /** Path of a Chromium or Chrome executable. */
    chromium: string | null
    /** Path of mypy, the type checker of Python. Python 3 is installed with it. */
    mypy: string | null
    /** Path of a Python 3 executable. */
    python: string | null
    /** Path of the go command, version 1.19 or later. */
    go: string | null
    /** Path of yt-dlp. */
    ytDlp: string | null
    /** Path of ffmpeg. ffprobe is installed with it. */
    ffmpeg: string | null
    /** Path of nginx, the proxy of infra/nginx.conf. */
    nginx: string | null
    /** Path of promtool, which checks and tests rules of Prometheus. */
    promtool: string | null
    /** Path of kubectl, which builds kustomizations. No cluster is needed. */
    kubectl: string | null
    /** Path of nats-server. */
    natsServer: string | null
    /** Path of pg_dump. pg_restore and psql are installed with it. */
    pgDump: string | null
    /** Path of espeak-ng, which speaks a text into a WAV file. */
    espeak: string | null
    /** Path of `whisper-server`, a program of whisper.cpp. */
    whisperServer: string | null
    /** Temporary folder of this test run, removed at its end. */
    runDirectory: string
    /** Folder of recorded real data. It is never part of the project. */
    dataDirectory: string | null
  }
}

interface Service {
  readonly key:
    | "natsUrl"
    | "databaseUrl"
    | "redisUrl"
    | "chromium"
    | "mypy"
    | "python"
    | "go"
    | "ytDlp"
    | "ffmpeg"
    | "espeak"
    | "nginx"
    | "promtool"
    | "kubectl"
    | "natsServer"
    | "pgDump"
    | "whisperServer"
    | "dataDirectory"
  readonly name: string
  /** Whether a run under CI=true fails without it. */
  readonly requiredInCi: boolean
  readonly enable: string
  readonly probe: () => Probe | Promise<Probe>
}

const root = fileURLToPath(new URL("../..", import.meta.url))

/** An empty variable counts as not set, because shells and CI systems cannot always unset one. */
const variable = (name: string): string | undefined => process.env[name] || undefined

const probeCommand = (name: string): Probe => {
  const probe = probeExecutable((variable("PATH") ?? "").split(":").map((folder) => join(folder, name)))
  return "found" in probe ? probe : { missing: `PATH has no ${name}` }
}

/** Like `probeCommand`, but also finds programs for administrators, which are not in the PATH of every user. */
const probeProgram = (name: string): Probe => {
  const probe = probeCommand(name)
  return "found" in probe ? probe : probeExecutable([`/usr/sbin/${name}`])
}

const services: ReadonlyArray<Service> = [
  {
    key: "natsUrl",
    name: "NATS",
    requiredInCi: true,
    enable: "run `nats-server -js` or set NATS_URL",
    probe: () => probeNats(variable("NATS_URL") ?? "nats://127.0.0.1:4222"),
  },
  {
    key: "databaseUrl",
    name: "PostgreSQL",
    requiredInCi: true,
    enable: "set DATABASE_URL to a database whose user may create databases",
    probe: () => probePostgres(variable("DATABASE_URL") ?? "postgres://postgres@127.0.0.1:5432/postgres"),
  },
  {
    key: "redisUrl",
    name: "Redis",
    requiredInCi: true,
    enable: "run `redis-server` or set REDIS_URL",
    probe: () => probeRedis(variable("REDIS_URL") ?? "redis://127.0.0.1:6379"),
  },
  {
    key: "chromium",
    name: "Chromium",
    requiredInCi: true,
    enable: "install chromium or set CHROMIUM_PATH",
    probe: () => {
      const chosen = variable("CHROMIUM_PATH")
      return probeExecutable(chosen ? [chosen] : ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"])
    },
  },
  {
    key: "mypy",
    name: "mypy",
    requiredInCi: true,
    enable: "install mypy (Debian: apt-get install mypy) or set MYPY_EXECUTABLE to its executable",
    probe: () => {
      const chosen = variable("MYPY_EXECUTABLE")
      return probeExecutable(chosen ? [chosen] : ["/usr/bin/mypy", "/usr/local/bin/mypy"])
    },
  },
  {
    key: "python",
    name: "Python 3",
    requiredInCi: true,
    enable: "install python3 (Debian: apt-get install python3)",
    probe: () => probeCommand("python3"),
  },
  {
    key: "go",
    name: "Go",
    requiredInCi: false,
    enable: "install Go 1.19 or later, so that `go` is in PATH",
    probe: () => probeCommand("go"),
  },
  ...(["yt-dlp", "ffmpeg", "espeak-ng"] as const).map(
    (name): Service => ({
      key: name === "yt-dlp" ? "ytDlp" : name === "ffmpeg" ? "ffmpeg" : "espeak",
      name,
      requiredInCi: true,
      enable: `install ${name} (Debian: apt-get install ${name})`,
      probe: () => probeCommand(name),
    }),
  ),
  {
    key: "nginx",
    name: "nginx",
    requiredInCi: true,
    enable: "install nginx (Debian: apt-get install nginx-light)",
    probe: () => probeProgram("nginx"),
  },
  {
    key: "promtool",
    name: "promtool",
    requiredInCi: true,
    enable: "install Prometheus (Debian: apt-get install prometheus)",
    probe: () => probeProgram("promtool"),
  },
  {
    key: "natsServer",
    name: "nats-server",
    requiredInCi: true,
    enable: "install nats-server (Debian: apt-get install nats-server)",
    probe: () => probeProgram("nats-server"),
  },
  {
    key: "pgDump",
    name: "pg_dump",
    requiredInCi: true,
    enable: "install the client programs of PostgreSQL (Debian: apt-get install postgresql-client)",
    probe: () => probeProgram("pg_dump"),
  },
  {
    key: "kubectl",
    name: "kubectl",
    requiredInCi: false,
    enable: "install kubectl, so that it is in PATH",
    probe: () => probeProgram("kubectl"),
  },
  {
    key: "whisperServer",
    name: "whisper-server",
    requiredInCi: false,
    enable: "build it as docs/operators/transcripts-setup.md says and put it into PATH, or set WHISPER_SERVER",
    probe: () => {
      const chosen = variable("WHISPER_SERVER")
      return chosen ? probeExecutable([chosen]) : probeCommand("whisper-server")
    },
  },
  {
    key: "dataDirectory",
    name: "recorded data",
    requiredInCi: false,
    enable: "set MATCHPOINT_DATA to its folder",
    probe: () => probeDirectory(resolve(root, variable("MATCHPOINT_DATA") ?? "../shared/data")),
  },
]

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { testFiles } = await project.globTestFiles()
  const outcomes = await Promise.all(services.map(async (service) => ({ service, probe: await service.probe() })))
  const absences: Array<string> = []
  const forbidden: Array<string> = []
  for (const { probe, service } of outcomes) {
    project.provide(service.key, "found" in probe ? probe.found : null)
    if ("found" in probe) continue
    absences.push(
      `[${service.name} absent] skipped: ${suitesNeeding(service.key, testFiles, project.getProvidedContext().full)}. ${probe.missing}; to enable: ${service.enable}.`,
    )
    if (service.requiredInCi) forbidden.push(`${service.name}: ${probe.missing}; to enable: ${service.enable}.`)
  }
  if (variable("CI") === "true" && forbidden.length > 0) {
    const error = new Error(`CI=true does not allow skipped suites, and these services are missing:\n  ${forbidden.join("\n  ")}`)
    delete error.stack // the stack does not help the reader
    throw error
  }
  const report = () => {
    for (const line of absences) process.stdout.write(`${line}\n`)
  }
  report()
  const runDirectory = mkdtempSync(join(tmpdir(), "matchpoint-run-"))
  project.provide("runDirectory", runDirectory)
  const dropTemplates = await provideTemplates(project, outcomes)
  return async () => {
    await dropTemplates()
    rmSync(runDirectory, { recursive: true, force: true })
    report()
  }
}

/** Creates the templates that test databases are copied from. Returns a function that drops the PostgreSQL template. */
async function provideTemplates(
  project: TestProject,
  outcomes: ReadonlyArray<{ readonly service: Service; readonly probe: Probe }>,
): Promise<() => Promise<void>> {
  project.provide("embeddedTemplate", await embeddedTemplate(resolve(root, "node_modules/.cache/matchpoint")))
  const database = outcomes.find(({ service }) => service.key === "databaseUrl")?.probe
  if (database === undefined || !("found" in database)) {
    project.provide("postgresTemplate", null)
    return async () => {}
  }
  const { drop, name } = await postgresTemplate(database.found)
  project.provide("postgresTemplate", name)
  return drop
}

/**
 * Returns the test files of this run that need a service. In the full run, suites on the database of the run need
 * PostgreSQL.
 */
function suitesNeeding(key: string, testFiles: ReadonlyArray<string>, full: boolean): string {
  const signs = [`inject("${key}")`, ...(full && key === "databaseUrl" ? ["onDatabaseOfRun("] : [])]
  const files = testFiles.filter((path) => {
    const text = readFileSync(path, "utf8")
    return signs.some((sign) => text.includes(sign))
  })
  return files.length === 0
    ? "no suite of this run"
    : files
        .map((path) => relative(root, path))
        .sort()
        .join(", ")
}
