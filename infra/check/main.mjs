// Checks this project's directions: prints each violation as file:line, the rule, what to do, and ends with 1 if there is one.
import { fileURLToPath } from "node:url"
import { checkDirections } from "./direction.mjs"

const { files, violations } = checkDirections(fileURLToPath(new URL("../..", import.meta.url)))
for (const { file, line, remedy, rule } of violations) process.stdout.write(`${file}:${line}  ${rule}\n    ${remedy}\n`)
process.stdout.write(`${files} files, ${violations.length} violations of the house's directions\n`)
process.exitCode = violations.length === 0 ? 0 : 1
