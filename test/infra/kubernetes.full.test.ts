/**
 * Validates the manifests in infra/kubernetes: against the schemas of Kubernetes, against the names of its fields, and
 * against the rules for our processes. The overlay is built by kubectl, which needs no cluster for that.
 */
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { Schema } from "effect"
import { Deployment } from "kubernetes-models/apps/v1"
import { HorizontalPodAutoscaler } from "kubernetes-models/autoscaling/v2"
import { Ingress, NetworkPolicy } from "kubernetes-models/networking.k8s.io/v1"
import { PodDisruptionBudget } from "kubernetes-models/policy/v1"
import { ConfigMap, Namespace, Secret, Service } from "kubernetes-models/v1"
import { afterAll, assert, describe, inject, it } from "vitest"
import { root } from "../documents/pages.ts"
import { imageProgram, programHere } from "./imagePrograms.ts"
import { parseYaml, parseYamlDocuments, readInfra } from "./infraFiles.ts"
import { settingNames } from "./names.ts"
import { runProgram } from "./programs.ts"

const kubectl = inject("kubectl") ?? ""

const Manifest = Schema.Struct({
  apiVersion: Schema.String,
  kind: Schema.String,
  metadata: Schema.Struct({ name: Schema.String, namespace: Schema.optional(Schema.String) }),
})
const Labels = Schema.Record(Schema.String, Schema.String)
const Selector = Schema.Struct({ matchLabels: Labels })
const Probe = Schema.Struct({
  httpGet: Schema.Struct({ path: Schema.String, port: Schema.String }),
  periodSeconds: Schema.Number,
  failureThreshold: Schema.Number,
})
const Reference = Schema.Struct({ name: Schema.String, key: Schema.String })
const Variable = Schema.Struct({
  name: Schema.String,
  value: Schema.optional(Schema.String),
  valueFrom: Schema.optional(Schema.Struct({ secretKeyRef: Schema.optional(Reference) })),
})
const Container = Schema.Struct({
  image: Schema.String,
  args: Schema.Array(Schema.String),
  ports: Schema.Array(Schema.Struct({ name: Schema.String, containerPort: Schema.Number })),
  envFrom: Schema.Array(Schema.Struct({ configMapRef: Schema.Struct({ name: Schema.String }) })),
  env: Schema.Array(Variable),
  resources: Schema.Struct({ requests: Labels, limits: Schema.Struct({ memory: Schema.String }) }),
  startupProbe: Probe,
  livenessProbe: Probe,
  readinessProbe: Probe,
  securityContext: Schema.Struct({
    allowPrivilegeEscalation: Schema.Literal(false),
    readOnlyRootFilesystem: Schema.Literal(true),
    capabilities: Schema.Struct({ drop: Schema.Tuple([Schema.Literal("ALL")]) }),
  }),
})
/** The fields that our processes need, with the values that they must have. */
const Process = Schema.Struct({
  metadata: Schema.Struct({ name: Schema.String }),
  spec: Schema.Struct({
    selector: Selector,
    template: Schema.Struct({
      metadata: Schema.Struct({ labels: Labels, annotations: Labels }),
      spec: Schema.Struct({
        terminationGracePeriodSeconds: Schema.Literal(30),
        automountServiceAccountToken: Schema.Literal(false),
        enableServiceLinks: Schema.Literal(false),
        securityContext: Schema.Struct({ runAsNonRoot: Schema.Literal(true), runAsUser: Schema.Literal(1000) }),
        containers: Schema.Tuple([Container]),
      }),
    }),
  }),
})
const Kustomization = Schema.Struct({ resources: Schema.Array(Schema.String) })
const Budget = Schema.Struct({ spec: Schema.Struct({ selector: Selector }) })
const Configuration = Schema.Struct({ data: Labels })
const ServiceSpec = Schema.Struct({
  spec: Schema.Struct({ selector: Labels, ports: Schema.Array(Schema.Struct({ targetPort: Schema.String })) }),
})

/** Each throws if a manifest is not valid by the schema of its kind. */
const validators: Readonly<Record<string, (manifest: object) => void>> = {
  "apps/v1 Deployment": (manifest) => Object.assign(new Deployment(), manifest).validate(),
  "autoscaling/v2 HorizontalPodAutoscaler": (manifest) => Object.assign(new HorizontalPodAutoscaler(), manifest).validate(),
  "networking.k8s.io/v1 Ingress": (manifest) => Object.assign(new Ingress(), manifest).validate(),
  "networking.k8s.io/v1 NetworkPolicy": (manifest) => Object.assign(new NetworkPolicy(), manifest).validate(),
  "policy/v1 PodDisruptionBudget": (manifest) => Object.assign(new PodDisruptionBudget(), manifest).validate(),
  "v1 ConfigMap": (manifest) => Object.assign(new ConfigMap(), manifest).validate(),
  "v1 Namespace": (manifest) => Object.assign(new Namespace(), manifest).validate(),
  "v1 Secret": (manifest) => Object.assign(new Secret(), manifest).validate(),
  "v1 Service": (manifest) => Object.assign(new Service(), manifest).validate(),
}

const check = (manifest: unknown): void => {
  const { apiVersion, kind, metadata } = Schema.decodeUnknownSync(Manifest)(manifest)
  const validate = validators[`${apiVersion} ${kind}`] ?? assert.fail(`no schema for ${apiVersion} ${kind}`)
  try {
    validate(Object(kind === "Secret" ? withoutSpace(manifest) : manifest))
  } catch (error) {
    assert.fail(`${kind} ${metadata.name}: ${String(error)}`)
  }
}

/** kubectl breaks the lines of long secrets, which Kubernetes permits and the schema does not. */
const withoutSpace = (manifest: unknown): unknown =>
  JSON.parse(JSON.stringify(manifest), (_, value) => (typeof value === "string" ? value.replaceAll(/\s/g, "") : value))

/** Names of all fields of Kubernetes. Its schemas permit unknown fields, so they do not find a misspelled name. */
const fieldNames = (): ReadonlySet<string> => {
  const groups = ["v1", "apps/v1", "autoscaling/v2", "networking.k8s.io/v1", "policy/v1"]
  const folders = groups.map((group) => dirname(fileURLToPath(import.meta.resolve(`kubernetes-models/${group}`))))
  const texts = folders.flatMap((folder) =>
    readdirSync(folder).flatMap((name) => (name.endsWith(".d.ts") ? [readFileSync(join(folder, name), "utf8")] : [])),
  )
  // Those of the metadata and of selectors are declared in another package.
  const shared = ["name", "namespace", "labels", "annotations", "matchLabels", "matchExpressions", "key", "operator", "values"]
  return new Set([...shared, ...texts.flatMap((text) => Array.from(text.matchAll(/^ {4}"(\w+)"\??:/gm), ([, name = ""]) => name))])
}

/** Fields whose keys are chosen by us. */
const free = new Set(["labels", "annotations", "matchLabels", "data", "requests", "limits"])

const fieldsOf = (value: unknown): ReadonlyArray<string> =>
  Array.isArray(value)
    ? value.flatMap(fieldsOf)
    : typeof value === "object" && value !== null
      ? Object.entries(value).flatMap(([key, inner]) =>
          free.has(key) || (key === "selector" && !("matchLabels" in Object(inner))) ? [key] : [key, ...fieldsOf(inner)],
        )
      : []

const { resources } = Schema.decodeUnknownSync(Kustomization)(parseYaml(readInfra("kubernetes/base/kustomization.yaml")))
const manifests = resources.flatMap((file) => parseYamlDocuments(readInfra(`kubernetes/base/${file}`)))
const ofKind = (kind: string) => manifests.filter((manifest) => Schema.decodeUnknownSync(Manifest)(manifest).kind === kind)
const processes = ofKind("Deployment").map((manifest) => Schema.decodeUnknownSync(Process)(manifest))
const roles = ["gateway", "feed", "match", "webhooks"]
const secrets = Array.from(readInfra("kubernetes/example/secrets.env.example").matchAll(/^(\w+)=/gm), ([, name = ""]) => name)

describe("infra/kubernetes/base", () => {
  it("is valid by the schemas of Kubernetes", () => {
    assert.isAbove(manifests.length, 12)
    for (const manifest of manifests) check(manifest)
  })

  it("has no misspelled fields", () => {
    const known = fieldNames()
    assert.isAbove(known.size, 500)
    for (const field of manifests.flatMap(fieldsOf)) assert.isTrue(known.has(field), field)
  })

  it("lists every file of its folder", () => {
    const files = readdirSync(join(root, "infra/kubernetes/base")).filter((name) => name !== "kustomization.yaml")
    assert.sameMembers([...resources], files)
  })

  it("starts each role once, with a program that exists", async () => {
    assert.sameMembers(
      processes.map(({ metadata }) => metadata.name),
      roles.map((role) => `matchpoint-${role}`),
    )
    for (const { metadata, spec } of processes) {
      const [{ args, image }] = spec.template.spec.containers
      assert.strictEqual(image, "matchpoint")
      assert.deepStrictEqual(args, [await imageProgram(metadata.name.replace("matchpoint-", ""))])
      assert.isTrue(existsSync(programHere(args[0] ?? "")), args[0])
    }
  })

  it("sets only variables that the processes read, and takes secrets that the sample has", () => {
    const { data } = Schema.decodeUnknownSync(Configuration)(ofKind("ConfigMap")[0])
    for (const name of [...Object.keys(data), ...secrets]) assert.isTrue(settingNames.has(name), name)
    // Addresses of servers may contain passwords, and a ConfigMap is not secret.
    for (const file of ["base/configuration.yaml", "example/settings.yaml"]) {
      assert.notMatch(readInfra(`kubernetes/${file}`), /(DATABASE|NATS|REDIS)_URL|_(TOKEN|KEY|PASSWORD):/, file)
    }
    for (const { metadata, spec } of processes) {
      const [{ env }] = spec.template.spec.containers
      for (const { name, valueFrom } of env) {
        assert.isTrue(settingNames.has(name), `${metadata.name}: ${name}`)
        if (valueFrom?.secretKeyRef !== undefined) assert.include(secrets, valueFrom.secretKeyRef.key)
      }
    }
    const used = processes.flatMap(({ spec }) =>
      spec.template.spec.containers[0].env.flatMap(({ valueFrom }) => valueFrom?.secretKeyRef?.key ?? []),
    )
    assert.sameMembers([...new Set(used)], secrets)
  })

  it("asks for health and reads metrics on the admin port, which is that of the image", () => {
    const image = readInfra("Dockerfile")
    for (const { spec } of processes) {
      const [{ livenessProbe, ports, readinessProbe, startupProbe }] = spec.template.spec.containers
      assert.deepStrictEqual(livenessProbe.httpGet, { path: "/health/live", port: "admin" })
      assert.deepStrictEqual(startupProbe.httpGet, { path: "/health/live", port: "admin" })
      assert.deepStrictEqual(readinessProbe.httpGet, { path: "/health/ready", port: "admin" })
      const admin = ports.find(({ name }) => name === "admin")?.containerPort
      assert.include(image, `MATCHPOINT_ADMIN_PORT=${admin}`)
      assert.strictEqual(spec.template.metadata.annotations["prometheus.io/port"], String(admin))
      const http = ports.find(({ name }) => name === "http")
      if (http !== undefined) assert.include(image, ` PORT=${http.containerPort}`)
    }
  })

  it("selects the pods of each role by the same labels everywhere", () => {
    for (const { spec } of processes) assert.deepStrictEqual(spec.selector.matchLabels, spec.template.metadata.labels)
    const budgets = ofKind("PodDisruptionBudget").map((manifest) => Schema.decodeUnknownSync(Budget)(manifest).spec.selector.matchLabels)
    assert.deepStrictEqual(
      budgets,
      processes.map(({ spec }) => spec.selector.matchLabels),
    )
    for (const { spec } of ofKind("Service").map((manifest) => Schema.decodeUnknownSync(ServiceSpec)(manifest))) {
      const target = processes.find(
        (one) => one.spec.selector.matchLabels["app.kubernetes.io/component"] === spec.selector["app.kubernetes.io/component"],
      )
      const names = target?.spec.template.spec.containers[0].ports.map(({ name }) => name) ?? []
      assert.include(names, spec.ports[0]?.targetPort ?? "")
    }
  })
})

describe.skipIf(kubectl === "")("infra/kubernetes/example", () => {
  const folder = mkdtempSync(join(tmpdir(), "matchpoint-kubernetes-"))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  it("builds with kubectl into valid manifests of one namespace, image and secret", () => {
    cpSync(join(root, "infra/kubernetes"), folder, { recursive: true })
    cpSync(join(folder, "example/secrets.env.example"), join(folder, "example/secrets.env"))
    const { code, output } = runProgram(kubectl, ["kustomize", join(folder, "example")])
    assert.strictEqual(code, 0, output)
    const built = parseYamlDocuments(output)
    assert.strictEqual(built.length, manifests.length + 3)
    for (const manifest of built) {
      check(manifest)
      const { kind, metadata } = Schema.decodeUnknownSync(Manifest)(manifest)
      if (kind !== "Namespace") assert.strictEqual(metadata.namespace, "matchpoint", metadata.name)
    }
    const names = new Set<string>()
    for (const manifest of built) {
      if (Schema.decodeUnknownSync(Manifest)(manifest).kind !== "Deployment") continue
      const [{ env, image }] = Schema.decodeUnknownSync(Process)(manifest).spec.template.spec.containers
      assert.strictEqual(image, "registry.example.com/matchpoint:0.1.0")
      for (const { valueFrom } of env) if (valueFrom?.secretKeyRef !== undefined) names.add(valueFrom.secretKeyRef.name)
    }
    assert.strictEqual(names.size, 1)
    assert.match([...names][0] ?? "", /^matchpoint-\w+$/)
  })
})
