/** Schemas, because a session may be in another process. */
import { MatchId } from "@matchpoint/domain/ids"
import { Schema } from "effect"

/** The match is not registered, or its events do not come through the intake. */
export class UnknownMatch extends Schema.TaggedError<UnknownMatch>()("UnknownMatch", { matchId: MatchId }) {}

/** The match cannot take the request now, for example because too many wait. The sender should retry later. */
export class SessionBusy extends Schema.TaggedError<SessionBusy>()("SessionBusy", { matchId: MatchId, message: Schema.String }) {}

/** A retry does not help. The process that runs the match has logged the error. */
export class IntakeFailed extends Schema.TaggedError<IntakeFailed>()("IntakeFailed", { matchId: MatchId }) {}
