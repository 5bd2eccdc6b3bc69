// Owns the description of the machine that goes with every number.
import { cpus, release } from "node:os"

export const describeMachine = (): string => `${cpus()[0]?.model.trim() ?? "unknown"} x ${cpus().length}, ${process.platform} ${release()}`
