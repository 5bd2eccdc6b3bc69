/** Catalog of the CS2 weapons. Their ids are the names that server logs, feeds and the simulator use. */

export type WeaponCategory = "pistol" | "smg" | "shotgun" | "rifle" | "sniper" | "machine-gun" | "grenade" | "equipment" | "knife"

export interface ShownWeapon {
  /** As in server logs, without the prefix `weapon_`. */
  readonly id: string
  readonly slug: string
  readonly name: string
  readonly category: WeaponCategory
}

const weapon = (id: string, slug: string, name: string, category: WeaponCategory): ShownWeapon => ({ id, slug, name, category })

export const weapons: ReadonlyArray<ShownWeapon> = [
  weapon("ak47", "ak-47", "AK-47", "rifle"),
  weapon("m4a1", "m4a4", "M4A4", "rifle"),
  weapon("m4a1_silencer", "m4a1-s", "M4A1-S", "rifle"),
  weapon("galilar", "galil-ar", "Galil AR", "rifle"),
  weapon("famas", "famas", "FAMAS", "rifle"),
  weapon("sg556", "sg-553", "SG 553", "rifle"),
  weapon("aug", "aug", "AUG", "rifle"),
  weapon("awp", "awp", "AWP", "sniper"),
  weapon("ssg08", "ssg-08", "SSG 08", "sniper"),
  weapon("g3sg1", "g3sg1", "G3SG1", "sniper"),
  weapon("scar20", "scar-20", "SCAR-20", "sniper"),
  weapon("glock", "glock-18", "Glock-18", "pistol"),
  weapon("usp_silencer", "usp-s", "USP-S", "pistol"),
  weapon("hkp2000", "p2000", "P2000", "pistol"),
  weapon("elite", "dual-berettas", "Dual Berettas", "pistol"),
  weapon("p250", "p250", "P250", "pistol"),
  weapon("tec9", "tec-9", "Tec-9", "pistol"),
  weapon("fiveseven", "five-seven", "Five-SeveN", "pistol"),
  weapon("cz75a", "cz75-auto", "CZ75-Auto", "pistol"),
  weapon("deagle", "desert-eagle", "Desert Eagle", "pistol"),
  weapon("revolver", "r8-revolver", "R8 Revolver", "pistol"),
  weapon("mac10", "mac-10", "MAC-10", "smg"),
  weapon("mp9", "mp9", "MP9", "smg"),
  weapon("mp7", "mp7", "MP7", "smg"),
  weapon("mp5sd", "mp5-sd", "MP5-SD", "smg"),
  weapon("ump45", "ump-45", "UMP-45", "smg"),
  weapon("bizon", "pp-bizon", "PP-Bizon", "smg"),
  weapon("p90", "p90", "P90", "smg"),
  weapon("nova", "nova", "Nova", "shotgun"),
  weapon("xm1014", "xm1014", "XM1014", "shotgun"),
  weapon("mag7", "mag-7", "MAG-7", "shotgun"),
  weapon("sawedoff", "sawed-off", "Sawed-Off", "shotgun"),
  weapon("negev", "negev", "Negev", "machine-gun"),
  weapon("m249", "m249", "M249", "machine-gun"),
  weapon("hegrenade", "he-grenade", "HE Grenade", "grenade"),
  weapon("flashbang", "flashbang", "Flashbang", "grenade"),
  weapon("smokegrenade", "smoke-grenade", "Smoke Grenade", "grenade"),
  weapon("decoy", "decoy-grenade", "Decoy Grenade", "grenade"),
  weapon("molotov", "molotov", "Molotov", "grenade"),
  weapon("incgrenade", "incendiary-grenade", "Incendiary Grenade", "grenade"),
  // Fire of molotovs and incendiary grenades. Server logs report it as the weapon when fire kills a player.
  weapon("inferno", "fire", "Fire", "grenade"),
  weapon("taser", "zeus-x27", "Zeus x27", "equipment"),
  weapon("c4", "c4", "C4", "equipment"),
  weapon("knife", "knife", "Knife", "knife"),
]
