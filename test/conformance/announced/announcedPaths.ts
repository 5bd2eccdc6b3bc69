/** The endpoints of announced games of section 4 of the specification, transcribed. Data only. */
export const announcedPaths: Readonly<Record<string, ReadonlyArray<string>>> = {
  valorant: [
    "/matches/live",
    "/matches/{id}",
    "/players/{username}",
    "/tournaments",
    "/tournaments/{id}",
    "/teams",
    "/teams/{id}",
    "/leaderboards/{region}",
  ],
  rocketleague: [
    "/matches/live",
    "/matches/{id}",
    "/players/{username}",
    "/tournaments",
    "/teams",
    "/teams/{id}",
    "/leaderboards/{playlist}",
  ],
}
