/** Simulated seasons that fill empty archives, in the order in which they are written. */
import { seriesSample } from "@matchpoint/apex/sample/seriesSample"
import { leagueSample } from "@matchpoint/cod/sample/leagueSample"
import { seasonSample } from "@matchpoint/cs2/sample/seasonSample"
import { tourSample } from "@matchpoint/tennis/sample/tourSample"

export const samples = [seasonSample, leagueSample, seriesSample, tourSample]
