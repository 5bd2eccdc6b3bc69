import { parseArgs } from "node:util"

export const usage = `npm run webhook-receiver -- [flags]

Prints each webhook delivery that arrives on 127.0.0.1, and whether its signature is correct.

  --port <port>      Port to listen on. Default 8787; 0 chooses a free one.
  --secret <secret>  Secret of the webhook. Default: the variable MATCHPOINT_WEBHOOK_SECRET.
  --status <status>  Status of the responses to verified deliveries, 200 to 599. Default 200.
  --help             Prints this text.

Deliveries that do not verify are answered with 400. Without a secret, no delivery is verified.
`

export interface ReceiverFlags {
  readonly port: number
  readonly secret: string | undefined
  readonly status: number
  readonly help: boolean
}

/** A flag is unknown or out of range. */
export class WrongFlag extends Error {
  override readonly name = "WrongFlag"
}

/** Throws `WrongFlag`. `secret` is used without `--secret`. */
export const readFlags = (args: ReadonlyArray<string>, secret: string | undefined): ReceiverFlags => {
  const values = parse(args)
  return {
    port: integer("port", values.port, 0, 65_535),
    secret: values.secret ?? secret,
    status: integer("status", values.status, 200, 599),
    help: values.help,
  }
}

const parse = (args: ReadonlyArray<string>) => {
  try {
    return parseArgs({
      args: [...args],
      options: {
        port: { type: "string", default: "8787" },
        secret: { type: "string" },
        status: { type: "string", default: "200" },
        help: { type: "boolean", short: "h", default: false },
      },
    }).values
  } catch (cause) {
    throw new WrongFlag(cause instanceof Error ? cause.message : String(cause), { cause })
  }
}

const integer = (flag: string, text: string, minimum: number, maximum: number): number => {
  const value = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN
  if (value >= minimum && value <= maximum) return value
  throw new WrongFlag(`--${flag} must be an integer from ${minimum} to ${maximum}, not "${text}".`)
}
