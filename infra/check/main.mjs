// Checks import directions. Prints each violation as `file:line` with the rule and the remedy. Exits with code 1 if
// there is a violation.
import { fileURLToPath } from "node:url"
import { checkDirections } from "./direction.mjs"

const { files, violations } = checkDirections(fileURLToPath(new URL("../..", import.meta.url)))
for (const { file, line, remedy, rule } of violations) process.stdout.write(`${file}:${line}  ${rule}\n    ${remedy}\n`)
process.stdout.write(`${files} files, ${violations.length} violations of the import directions\n`)
process.exitCode = violations.length === 0 ? 0 : 1
