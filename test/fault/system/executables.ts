/** Finds the programs that the harness runs. A missing program gets an error that says how to install it. */
import { execFileSync } from "node:child_process"
import { accessSync, constants, readdirSync } from "node:fs"
import { delimiter, join } from "node:path"
import { fileURLToPath } from "node:url"

/** A program that a scenario needs is not installed. */
export class MissingProgram extends Error {
  override readonly name = "MissingProgram"
}

/** Root of the project that is tested. */
export const projectRoot = fileURLToPath(new URL("../../..", import.meta.url))

const isExecutable = (path: string): boolean => {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

const findInPath = (name: string): string | undefined =>
  [...(process.env["PATH"] ?? "").split(delimiter), "/usr/sbin", "/sbin"].map((folder) => join(folder, name)).find(isExecutable)

const required = (name: string, found: string | undefined, hint: string): string => {
  if (found === undefined) throw new MissingProgram(`${name} is not installed: ${hint}`)
  return found
}

/** Folder of the newest PostgreSQL programs. `POSTGRES_BIN` names another one. */
export const postgresFolder = (): string => {
  const base = "/usr/lib/postgresql"
  const versions = (): ReadonlyArray<string> => {
    try {
      return readdirSync(base).sort((a, b) => Number(b) - Number(a))
    } catch {
      return []
    }
  }
  const folders = [process.env["POSTGRES_BIN"] ?? "", ...versions().map((version) => join(base, version, "bin"))]
  const found = folders.find((folder) => folder !== "" && isExecutable(join(folder, "initdb")))
  return required(
    "PostgreSQL",
    found,
    "install postgresql (Debian: apt-get install postgresql), or set POSTGRES_BIN to the folder of initdb",
  )
}

/** `NATS_SERVER` names another executable, for example a newer version. */
export const natsServer = (): string =>
  required("nats-server", process.env["NATS_SERVER"] ?? findInPath("nats-server"), "install it, or set NATS_SERVER to its path")

/** Undefined if there is no Redis. The gateways then share their limits through PostgreSQL. */
export const redisServer = (): string | undefined => findInPath("redis-server")

/** Library that shifts the clock of a process. Undefined if the Debian package `faketime` is not installed. */
export const clockLibrary = (): string | undefined => {
  const folders = ["/usr/lib/x86_64-linux-gnu/faketime", "/usr/lib/aarch64-linux-gnu/faketime", "/usr/lib/faketime"]
  return folders
    .map((folder) => join(folder, "libfaketimeMT.so.1"))
    .find((path) => {
      try {
        accessSync(path, constants.R_OK)
        return true
      } catch {
        return false
      }
    })
}

/** User and group that PostgreSQL runs as: `postgres` if this process is root, because PostgreSQL refuses root. */
export const postgresUser = (): { readonly uid: number; readonly gid: number } | undefined => {
  if (process.getuid?.() !== 0) return undefined
  const id = (flag: string): number => Number(execFileSync("id", [flag, "postgres"], { encoding: "utf8", timeout: 5_000 }))
  return { uid: id("-u"), gid: id("-g") }
}
