/** Hand-written parser output of three rounds, two against two, after a warmup and a knife round. */

const ids: Readonly<Record<string, string>> = {
  ann: "76561197960265729",
  bob: "76561197960265730",
  dan: "76561197960265731",
  eve: "76561197960265732",
}

type Sides = Readonly<Record<string, number>>
/** 3 means CT, 2 T. */
const firstHalf: Sides = { ann: 3, bob: 3, dan: 2, eve: 2 }
const secondHalf: Sides = { ann: 2, bob: 2, dan: 3, eve: 3 }

const user = (name: string, sides: Sides) => ({ user_steamid: ids[name], user_name: name, user_team_num: sides[name] })
const attacker = (name: string, sides: Sides) => ({ attacker_steamid: ids[name], attacker_team_num: sides[name] })

const death = (tick: number, killer: string, victim: string, sides: Sides, more: object = {}) => ({
  event_name: "player_death",
  tick,
  ...attacker(killer, sides),
  ...user(victim, sides),
  assister_steamid: null,
  weapon: "ak47",
  headshot: false,
  assistedflash: false,
  thrusmoke: false,
  penetrated: 0,
  ...more,
})

const hurt = (tick: number, by: string, victim: string, sides: Sides, dmg_health: number, health: number, weapon = "ak47") => ({
  event_name: "player_hurt",
  tick,
  ...attacker(by, sides),
  ...user(victim, sides),
  weapon,
  dmg_health,
  health,
})

const presentAt = (tick: number, sides: Sides) =>
  Object.keys(ids).map((name) => ({
    tick,
    steamid: ids[name],
    name,
    team_num: sides[name],
    team_clan_name: name === "ann" || name === "bob" ? "Alpha" : "",
    balance: 100,
    cash_spent_this_round: 700,
    current_equip_value: 900,
  }))

export const smallDemo = {
  header: { map_name: "de_nuke", patch_version: "14160", server_name: "test" },
  maxRounds: 24,
  events: [
    { event_name: "round_start", tick: 10, is_warmup_period: true },
    { ...death(20, "dan", "ann", firstHalf), is_warmup_period: true },
    // The knife round does not count.
    { event_name: "round_start", tick: 100 },
    { event_name: "round_freeze_end", tick: 120 },
    death(150, "dan", "ann", firstHalf, { weapon: "knife" }),
    { event_name: "round_end", tick: 200, winner: "T", reason: "ct_killed" },
    { event_name: "begin_new_match", tick: 300 },

    { event_name: "round_start", tick: 310 },
    { event_name: "round_freeze_end", tick: 400 },
    hurt(500, "ann", "dan", firstHalf, 130, 0),
    death(500, "ann", "dan", firstHalf, { headshot: true }),
    hurt(510, "ann", "eve", firstHalf, 70, 30),
    hurt(560, "bob", "eve", firstHalf, 30, 0),
    death(560, "bob", "eve", firstHalf),
    { event_name: "round_end", tick: 561, winner: "CT", reason: "t_killed" },

    { event_name: "round_start", tick: 800 },
    { event_name: "round_freeze_end", tick: 900 },
    { event_name: "weapon_fire", tick: 950, ...user("dan", firstHalf), weapon: "weapon_smokegrenade" },
    death(1000, "eve", "bob", firstHalf),
    { event_name: "bomb_planted", tick: 1100, ...user("dan", firstHalf), user_last_place_name: "BombsiteB" },
    { event_name: "bomb_exploded", tick: 3660, ...user("dan", firstHalf), user_last_place_name: "BombsiteB" },
    { event_name: "round_end", tick: 3661, winner: "T", reason: "bomb_exploded" },

    { event_name: "round_start", tick: 4000 },
    { event_name: "round_freeze_end", tick: 4100 },
    hurt(4150, "bob", "eve", secondHalf, 70, 30),
    hurt(4200, "ann", "eve", secondHalf, 40, 0, "hegrenade"),
    death(4200, "ann", "eve", secondHalf, {
      weapon: "hegrenade",
      assister_steamid: ids["bob"],
      assister_team_num: 2,
      assistedflash: true,
    }),
    death(4300, "ann", "dan", secondHalf),
    { event_name: "round_end", tick: 4301, winner: "T", reason: "ct_killed" },
  ],
  present: [
    ...presentAt(848, firstHalf).map((row) => ({ ...row, tick: 560 })),
    ...presentAt(1348, firstHalf),
    ...presentAt(4301, secondHalf),
  ],
}
