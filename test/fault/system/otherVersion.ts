/** Another version of the project beside this one: the files of a commit in the folder of the run, with dependencies. */
import { execFile } from "node:child_process"
import { promisify } from "node:util"
import { Effect } from "effect"
import { MissingProgram, projectRoot } from "./executables.ts"
import type { Workspace } from "./Workspace.ts"

const EXTRACT_WITHIN_MS = 60_000
const INSTALL_WITHIN_MS = 300_000

const run = promisify(execFile)

/** Returns the folder of the version. Dies with a message if the commit is not available, for example without a Git repository. */
export const otherVersion = (workspace: Workspace, commit: string): Effect.Effect<string> =>
  Effect.promise(async () => {
    const folder = workspace.folder("other-version")
    const archive = `${folder}.tar`
    try {
      await run("git", ["archive", "--format=tar", "-o", archive, commit], { cwd: projectRoot, timeout: EXTRACT_WITHIN_MS })
    } catch (cause) {
      throw new MissingProgram(`the files of ${commit} are not available; --version names a commit of this repository`, { cause })
    }
    await run("tar", ["-xf", archive, "-C", folder], { timeout: EXTRACT_WITHIN_MS })
    const install = 'import("./infra/install.mjs").then(({ ensureInstalled }) => ensureInstalled())'
    await run(process.execPath, ["-e", install], { cwd: folder, timeout: INSTALL_WITHIN_MS })
    return folder
  })
