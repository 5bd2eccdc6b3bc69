/** Generates `docs/operators/settings.md` and `.env.example`. */
import { writeFile } from "node:fs/promises"
import { fileURLToPath } from "node:url"
import { settingGroups } from "@matchpoint/process/settings/catalog"
import { environmentExample, settingsPage } from "@matchpoint/process/settings/settingsDocuments"

const at = (path: string): string => fileURLToPath(new URL(`../../../../${path}`, import.meta.url))

await writeFile(at("docs/operators/settings.md"), settingsPage(settingGroups))
await writeFile(at(".env.example"), environmentExample(settingGroups))
