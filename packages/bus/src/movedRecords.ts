/** Ids of records that a log has moved to other subjects. They contain the former sequence. */
import type { LogRecord } from "./EventLog.ts"

export const movedId = (id: string, sequence: number): string => `${id}:moved:${sequence}`

/** Undefined if the record was not moved. */
export const formerSequenceOf = ({ id }: LogRecord): number | undefined => {
  const [, sequence] = moved.exec(id) ?? []
  return sequence === undefined ? undefined : Number(sequence)
}

const moved = /:moved:([0-9]{1,15})$/
