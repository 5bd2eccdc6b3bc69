/** Ids of records that a log has moved to other subjects. They contain the sequence that the record had before. */
import type { LogRecord } from "./EventLog.ts"

export const movedId = (id: string, sequence: number): string => `${id}:moved:${sequence}`

/** Returns the sequence that a record had before it was moved, or undefined if it was not moved. */
export const formerSequenceOf = ({ id }: LogRecord): number | undefined => {
  const [, sequence] = moved.exec(id) ?? []
  return sequence === undefined ? undefined : Number(sequence)
}

const moved = /:moved:([0-9]{1,15})$/
