/**
 * One way of receiving the frames of a room: a message format and a pace. All clients of a channel get the same bytes
 * at the same time, so each frame is passed to the transports once per channel.
 */
import type { Shape } from "@matchpoint/contracts/stream/frames"

/**
 * A number is an interval in milliseconds, whose frames are combined (conflated) into one. `immediate` sends every
 * frame at once; `adaptive` may batch frames when the server is busy.
 */
export type Pace = "adaptive" | "immediate" | number

export class Channel {
  readonly room: string
  readonly shape: Shape
  readonly pace: Pace
  /** The transports publish the channel's messages under it. */
  readonly topic: string
  /** Includes clients that still receive older frames individually before they join the topic. */
  members = 0
  /** Clients subscribed to the topic, by transport. */
  sockets = 0
  streams = 0
  /** Bytes published to the WebSockets of the channel so far. */
  socketBytes = 0

  constructor(room: string, shape: Shape, pace: Pace, tier: string) {
    this.room = room
    this.shape = shape
    this.pace = pace
    this.topic = `${room}|${shape}|${pace}|${tier}`
  }

  get hasClients(): boolean {
    return this.sockets > 0 || this.streams > 0
  }
}
