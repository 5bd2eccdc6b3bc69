/** The event log on a NATS server, which all processes share. */
import * as EventLogNats from "@matchpoint/bus/EventLogNats"
import { streams } from "@matchpoint/contracts/bus/subjects"

export interface NatsSettings {
  /** Address of the NATS server. It must have JetStream. */
  readonly natsUrl: string
}

export const natsLog = ({ natsUrl }: NatsSettings) => EventLogNats.layer({ servers: natsUrl, streams })
