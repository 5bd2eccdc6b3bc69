/** Import source `player-images`: one JSON object with the URL of an image for each handle. The images are not downloaded. */
import { jsonAs } from "@matchpoint/game/feed/import/files"
import { defineSource } from "@matchpoint/game/feed/import/ImportSource"
import { Effect, Result, Schema, Stream } from "effect"
import type { ArchiveRows } from "../../rules/archive/rows.ts"
import { playerRow } from "./named.ts"
import { recordOf, writeRows } from "./records.ts"

const LONGEST_URL = 2_000

const readImage = (handle: string, url: unknown): Result.Result<ArchiveRows, string> => {
  if (typeof url !== "string" || url.length > LONGEST_URL || !URL.canParse(url) || new URL(url).protocol !== "https:") {
    return Result.fail(`the value is not a URL that starts with https:// and has at most ${LONGEST_URL} characters`)
  }
  return Result.map(playerRow(handle, url), (player) => ({ players: [player] }))
}

export const playerImages = defineSource({
  name: "player-images",
  summary: "URLs of player images by handle: player_images.json",
  version: 1,
  takes: (name) => /(?:^|\/)player_images\.json(?:\.gz|\.xz)?$/u.test(name),
  read: (file) =>
    Stream.unwrap(
      Effect.map(jsonAs(file, Schema.Record(Schema.String, Schema.Unknown)), (images) =>
        Stream.fromIterable(Object.entries(images).map(([handle, url]) => recordOf(readImage(handle, url), { [handle]: url }))),
      ),
    ),
  write: writeRows,
})
