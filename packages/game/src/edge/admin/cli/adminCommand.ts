/** The command `admin`, the flags that its subcommands share, and their calls of the admin API. */
import { userInfo } from "node:os"
import { ADMIN_ACTOR_HEADER, ADMIN_TOKEN_HEADER, AdminApi, MAX_ACTOR_LENGTH } from "@matchpoint/contracts/http/admin/AdminApi"
import { StorableText } from "@matchpoint/domain/storableText"
import { Effect, Option, Redacted, Result, Schema } from "effect"
import { Command, Flag } from "effect/cli"
import { HttpClient, HttpClientError, HttpClientRequest } from "effect/http"
import { type HttpApi, HttpApiClient, type HttpApiGroup } from "effect/http-api"
import { adminToken, ownUrl } from "./AdminCliConfig.ts"
import { AdminCliError } from "./AdminCliError.ts"

const ANSWER_WITHIN = "20 seconds"

const ServerUrl = Schema.String.check(
  Schema.makeFilter((text: string) =>
    /^https?:\/\//.test(text) && URL.canParse(text) ? undefined : "expected an address such as http://localhost:8080",
  ),
)

export const admin = Command.make("admin").pipe(
  Command.withSharedFlags({
    url: Flag.String("url").pipe(
      Flag.withDescription("URL of the server; default: this machine, at MATCHPOINT_ADMIN_PORT, PORT or 8080"),
      Flag.withSchema(ServerUrl),
      Flag.optional,
    ),
    as: Flag.String("as").pipe(
      Flag.withDescription("Your name in the audit log; default: the system user"),
      Flag.withDefault(userOfThisMachine()),
      Flag.withSchema(StorableText.check(Schema.isTrimmed(), Schema.isMinLength(1), Schema.isMaxLength(MAX_ACTOR_LENGTH))),
    ),
    json: Flag.Boolean("json").pipe(Flag.withDescription("Print JSON"), Flag.withDefault(false)),
  }),
  Command.withDescription(
    "Manage accounts, keys, usage, feed tokens, parked writes and the audit log of a running server. The admin token is read from MATCHPOINT_ADMIN_TOKEN. " +
      "If it is not set, the development token is used for a server on this machine.",
  ),
)

/** Calls the group of accounts, keys, usage, feed tokens, parked writes (data that the database rejected) and the audit log. */
export const callAdminApi = <A, E>(call: (api: HttpApiClient.ForApi<typeof AdminApi>["admin"]) => Effect.Effect<A, E>) =>
  callOperatorApi(AdminApi, (api) => call(api.admin))

/** Calls an admin API, that of all games or that of one game, on the server chosen by the flags. */
export const callOperatorApi = Effect.fn("admin.callOperatorApi")(function* <
  Id extends string,
  Groups extends HttpApiGroup.Constraint,
  A,
  E,
>(admins: HttpApi.HttpApi<Id, Groups>, call: (api: HttpApiClient.Client<Groups>) => Effect.Effect<A, E>) {
  const { as, url: given } = yield* admin
  const url = Option.isSome(given) ? given.value : yield* ownUrl
  const token = yield* adminToken(url)
  const api = yield* HttpApiClient.make(admins, {
    baseUrl: url.replace(/\/+$/, ""),
    transformClient: HttpClient.mapRequest((request) =>
      HttpClientRequest.setHeaders(request, {
        [ADMIN_TOKEN_HEADER]: Redacted.value(token),
        [ADMIN_ACTOR_HEADER]: encodeURIComponent(as),
      }),
    ),
  })
  return yield* call(api).pipe(
    Effect.timeout(ANSWER_WITHIN),
    Effect.mapError((cause) => new AdminCliError({ message: failureText(cause, url), cause })),
  )
})

const Refusal = Schema.Struct({
  error: Schema.Struct({ code: Schema.String, message: Schema.String, details: Schema.optionalKey(Schema.Unknown) }),
})
const isRefusal = Schema.is(Refusal)

const failureText = (cause: unknown, url: string): string => {
  if (isRefusal(cause)) {
    const { code, details, message } = cause.error
    if (code === "INVALID_ADMIN_TOKEN") return `${url} rejected the admin token; set MATCHPOINT_ADMIN_TOKEN to the server's admin token`
    return details === undefined ? message : `${message}\n${JSON.stringify(details)}`
  }
  // The client validates requests before sending them, so a schema error means invalid input.
  if (Schema.isSchemaError(cause)) return `invalid input: ${cause.message}`
  if (HttpClientError.isHttpClientError(cause)) {
    if (cause.response === undefined) return `no server answers at ${url}; start one with \`npm start\`, or choose another one with --url`
    if (cause.response.status === 404)
      return `${url} does not serve the admin API; set MATCHPOINT_ADMIN_TOKEN for the server and restart it`
    return `unexpected response ${cause.response.status} from ${url}; check that it is a Matchpoint server of the same release`
  }
  return `unexpected response from ${url}: ${cause instanceof Error ? cause.message : String(cause)}`
}

/** `operator` if the system user has no name, as in some containers. */
function userOfThisMachine(): string {
  return Result.getOrElse(
    Result.try(() => userInfo().username),
    () => "operator",
  )
}
