/** The notice in responses from a sample archive that is still being written. */
import { API_ROOT } from "@matchpoint/contracts/http/apiRoot"
import type { GameName } from "@matchpoint/domain/ids"

/** Notice by URL path. Undefined if the data are complete. */
export const sampleNotice = (unfinished: () => ReadonlyArray<GameName>) => (path: string) => {
  const game = unfinished().find((one) => path.startsWith(`${API_ROOT}/${one}/`))
  if (game === undefined || independent.test(path.slice(API_ROOT.length))) return undefined
  return `the sample archive of ${game} is being written; its lists are empty or incomplete until that is done`
}

/** Paths whose responses do not come from an archive: live matches, which also leagues have, and webhooks. */
const independent = /^\/\w+\/(?:(?:algs\/|cdl\/|matches\/)?live|webhooks)(?:[/?]|$)/u
