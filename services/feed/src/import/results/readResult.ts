/** One match of a results file as the archive tells it. Pure. */
import type { ArchivedMatch } from "@matchpoint/domain/cs2/archive/ArchivedMatch"
import { type ReadRecord, reject } from "../ImportSource.ts"

export const readResult = (record: unknown): ReadRecord<ArchivedMatch> => reject("not read yet", record)
