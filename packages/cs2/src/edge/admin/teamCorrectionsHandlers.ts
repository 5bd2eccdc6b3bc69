/** Each correction is recorded in the archive's changelog and in the audit log. */
import { pagingOf } from "@matchpoint/contracts/http/envelope"
import { Conflict, NotFound } from "@matchpoint/contracts/http/errors"
import { answering, auditActor } from "@matchpoint/game/edge/admin/adminAnswers"
import { auditChange } from "@matchpoint/game/edge/admin/auditChange"
import { pageOf } from "@matchpoint/game/edge/page"
import { AuditLog } from "@matchpoint/store/keys/AuditLog"
import type { StoreError } from "@matchpoint/store/StoreError"
import { Effect } from "effect"
import type { HttpServerRequest } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import { type CorrectionRejected, type CorrectionRow, TeamCorrections } from "../../archive/teams/TeamCorrections.ts"
import { Cs2AdminApi, MAX_CORRECTIONS, type TeamCorrection } from "../../contract/http/admin/TeamCorrectionsApi.ts"
import { teamId } from "../../rules/ids.ts"

export const TeamCorrectionsHandlers = HttpApiBuilder.group(
  Cs2AdminApi,
  "cs2-team-corrections",
  Effect.fn(function* (handlers) {
    const corrections = yield* TeamCorrections
    const audit = yield* AuditLog
    const by = yield* auditActor

    const recorded = Effect.fnUntraced(
      function* (
        request: HttpServerRequest.HttpServerRequest,
        action: "team.merge" | "team.split",
        correct: (actor: string) => Effect.Effect<CorrectionRow, StoreError | CorrectionRejected>,
      ) {
        const operator = yield* by(request)
        const done = yield* audit.recorded(correct(operator.actor), (row) => auditChange(operator, { action, details: shown(row) }))
        return { success: true as const, data: shown(done), meta: {} }
      },
      Effect.catchTag("CorrectionRefused", rejectionText),
    )

    return handlers.handleAll({
      corrections: answering(function* ({ query }) {
        const page = pageOf(query, MAX_CORRECTIONS)
        const { rows, total } = yield* corrections.list(page)
        return { success: true as const, data: rows.map(shown), meta: pagingOf(page, rows.length, total) }
      }),
      merge: answering(function* ({ payload: { into, reason = null, team }, request }) {
        return yield* recorded(request, "team.merge", (actor) => corrections.merge({ team, into }, { actor, reason }))
      }),
      split: answering(function* ({ payload: { from, name, reason = null, team, until }, request }) {
        const period = { from: dateOf(from), until: dateOf(until) }
        return yield* recorded(request, "team.split", (actor) => corrections.split({ team, name, ...period }, { actor, reason }))
      }),
    })
  }),
)

const shown = ({ createdAt, from, number, other, otherName, team, until, ...row }: CorrectionRow): TeamCorrection => ({
  correctionId: number,
  ...row,
  teamId: teamId(team),
  otherTeamId: teamId(other),
  otherTeamName: otherName,
  from: iso(from),
  until: iso(until),
  createdAt: new Date(createdAt).toISOString(),
})

const rejectionText = ({ kind, message }: CorrectionRejected) =>
  Effect.fail(kind === "unknown_team" ? NotFound.of(message) : Conflict.because(message))

const iso = (at: number | null): string | null => (at === null ? null : new Date(at).toISOString())
const dateOf = (instant: string | undefined): Date | null => (instant === undefined ? null : new Date(instant))
