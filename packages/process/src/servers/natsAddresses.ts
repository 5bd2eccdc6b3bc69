/** Takes the credentials out of NATS addresses, because the client of NATS ignores those in a URL. */
import { Redacted } from "effect"

export interface NatsAddresses {
  /** `host:port`. */
  readonly servers: ReadonlyArray<string>
  readonly user?: { readonly name: string; readonly password: Redacted.Redacted<string> }
  readonly token?: Redacted.Redacted<string>
  readonly isTls: boolean
}

const DEFAULT_PORT = "4222"

/**
 * Parses `nats://user:password@host:4222`, `nats://token@host` and `tls://host`. The first credentials are those of all
 * servers, as they belong to one NATS cluster.
 */
export const natsAddresses = (texts: ReadonlyArray<string>): NatsAddresses => {
  const urls = texts.map((text) => new URL(text))
  const { password, username } = urls.find((url) => url.username !== "") ?? { username: "", password: "" }
  const name = decodeURIComponent(username)
  return {
    servers: urls.map(({ hostname, port }) => `${hostname}:${port === "" ? DEFAULT_PORT : port}`),
    ...(name !== "" && password !== "" && { user: { name, password: Redacted.make(decodeURIComponent(password)) } }),
    ...(name !== "" && password === "" && { token: Redacted.make(name) }),
    isTls: urls.some(({ protocol }) => protocol === "tls:"),
  }
}
