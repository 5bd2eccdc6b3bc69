/** Takes the credentials out of NATS addresses, because the client of NATS ignores those in a URL. Pure. */
import { Redacted } from "effect"

export interface NatsAddresses {
  /** Each as `host:port`. */
  readonly servers: ReadonlyArray<string>
  readonly user?: { readonly name: string; readonly password: Redacted.Redacted<string> }
  readonly token?: Redacted.Redacted<string>
  /** True if an address begins with `tls://`. */
  readonly isTls: boolean
}

const DEFAULT_PORT = "4222"

/**
 * Parses addresses such as `nats://user:password@host:4222`, `nats://token@host` and `tls://host`. The credentials of
 * the first address that has some are those for all servers, as they belong to one NATS cluster.
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
