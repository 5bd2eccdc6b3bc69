/**
 * Creates the tables for market prices: betting odds and their history, and skins and their prices. Part of migration
 * 0003; requires the trigram extension.
 */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export const cs2Markets = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  yield* sql`
    CREATE TABLE cs2_odds_markets (
      market_number  bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      source         text NOT NULL,
      source_key     text NOT NULL,
      -- Null while the match is not in the archive; the names are kept.
      match_number   bigint REFERENCES cs2_series,
      kind           text NOT NULL CHECK (kind IN ('series_winner', 'map_winner')),
      map_number     integer,
      title          text NOT NULL,
      team1_name     text NOT NULL,
      team2_name     text NOT NULL,
      state          text NOT NULL CHECK (state IN ('open', 'suspended', 'closed')),
      winner         integer CHECK (winner IN (1, 2)),
      starts_at      timestamptz,
      opened_at      timestamptz,
      -- When the map or series was decided. The market never opens again after it.
      decided_at     timestamptz,
      closed_at      timestamptz,
      last_synced_at timestamptz NOT NULL DEFAULT now(),
      UNIQUE (source, source_key),
      CHECK ((kind = 'map_winner') = (map_number IS NOT NULL))
    )`
  yield* sql`CREATE INDEX cs2_odds_markets_match ON cs2_odds_markets (match_number, map_number)`
  yield* sql`CREATE INDEX cs2_odds_markets_undecided ON cs2_odds_markets (match_number) WHERE decided_at IS NULL AND state <> 'closed'`
  yield* sql`CREATE INDEX cs2_odds_markets_state ON cs2_odds_markets (state, starts_at)`
  yield* sql`
    CREATE INDEX cs2_odds_markets_listed ON cs2_odds_markets (((state <> 'open')::integer), starts_at DESC NULLS LAST, market_number)`

  // History of betting odds, as decimal odds. A row is added whenever a price or the state of the market changes.
  yield* sql`
    CREATE TABLE cs2_odds_prices (
      market_number bigint NOT NULL REFERENCES cs2_odds_markets ON DELETE CASCADE,
      priced_at     timestamptz NOT NULL,
      team1_price   double precision CHECK (team1_price >= 1),
      team2_price   double precision CHECK (team2_price >= 1),
      state         text NOT NULL CHECK (state IN ('open', 'suspended', 'closed')),
      PRIMARY KEY (market_number, priced_at)
    )`

  yield* sql`
    CREATE TABLE cs2_skins (
      skin_number    bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      -- Name of the item on the market, with wear.
      market_name    text NOT NULL UNIQUE,
      slug           text NOT NULL UNIQUE,
      words          text NOT NULL,
      weapon         text,
      skin_name      text,
      wear           text,
      stat_trak      boolean NOT NULL DEFAULT false,
      souvenir       boolean NOT NULL DEFAULT false,
      category       text,
      rarity         text,
      collection     text,
      introduced_on  date,
      source         text NOT NULL,
      last_synced_at timestamptz NOT NULL DEFAULT now()
    )`
  yield* sql`CREATE INDEX cs2_skins_words ON cs2_skins USING gin (words gin_trgm_ops)`
  yield* sql`CREATE INDEX cs2_skins_weapon ON cs2_skins (weapon, market_name)`
  // The index includes the primary key, so that finding a page at a large offset needs only an index-only scan.
  yield* sql`CREATE INDEX cs2_skins_name ON cs2_skins (market_name, skin_number)`

  // Prices of skins, in minor units of `currency` (such as cents).
  yield* sql`
    CREATE TABLE cs2_skin_prices (
      skin_number bigint NOT NULL REFERENCES cs2_skins ON DELETE CASCADE,
      priced_on   date NOT NULL,
      currency    text NOT NULL,
      minor_units bigint NOT NULL CHECK (minor_units >= 0),
      PRIMARY KEY (skin_number, currency, priced_on)
    )`
})
