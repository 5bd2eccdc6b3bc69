/**
 * Nicknames by which players are searched. Each stands for one player, by the full name in the archive. Names that are
 * just a part of the player's name are not listed, because the search finds them anyway.
 */
import { foldName } from "@matchpoint/domain/names/foldName"
import type { Tour } from "./archiveRows.ts"

interface Nicknamed {
  readonly tour: Tour
  readonly name: string
  readonly nicknames: ReadonlyArray<string>
}

const atp = (name: string, ...nicknames: ReadonlyArray<string>): Nicknamed => ({ tour: "atp", name, nicknames })
const wta = (name: string, ...nicknames: ReadonlyArray<string>): Nicknamed => ({ tour: "wta", name, nicknames })

export const nicknamedPlayers: ReadonlyArray<Nicknamed> = [
  atp("Roger Federer", "Fed", "Fedex", "Fed Express", "The Maestro", "King Roger", "Rogelio"),
  atp("Rafael Nadal", "Rafa", "King of Clay", "The Matador"),
  atp("Novak Djokovic", "Nole", "Djoker", "The Djoker", "The Joker"),
  atp("Andy Murray", "Muzza", "Sir Andy"),
  atp("Stan Wawrinka", "Stan the Man", "Stanimal", "Stanislas Wawrinka"),
  atp("Juan Martin del Potro", "Delpo", "Tower of Tandil", "JMDP"),
  atp("Jo Wilfried Tsonga", "Jo Willy"),
  atp("Gael Monfils", "La Monf", "Lamonf"),
  atp("David Ferrer", "Ferru", "The Wall"),
  atp("Kei Nishikori", "Special K"),
  atp("Grigor Dimitrov", "Baby Fed"),
  atp("Alexander Zverev", "Sascha Zverev"),
  atp("Daniil Medvedev", "The Octopus"),
  atp("Stefanos Tsitsipas", "Tsitsi"),
  atp("Carlos Alcaraz", "Carlitos"),
  atp("Alex de Minaur", "Demon", "The Demon"),
  atp("Felix Auger Aliassime", "FAA"),
  atp("Denis Shapovalov", "Shapo"),
  atp("Thanasi Kokkinakis", "The Kokk"),
  atp("Diego Schwartzman", "El Peque"),
  atp("Dominic Thiem", "Domi", "Dominator"),
  atp("Andy Roddick", "A Rod", "ARod"),
  atp("Lleyton Hewitt", "Rusty"),
  atp("Marat Safin", "Safinator"),
  atp("Gustavo Kuerten", "Guga"),
  atp("Pete Sampras", "Pistol Pete", "Sweet Pete"),
  atp("Andre Agassi", "The Punisher"),
  atp("Boris Becker", "Boom Boom"),
  atp("John McEnroe", "Superbrat", "Johnny Mac", "JMac"),
  atp("Jimmy Connors", "Jimbo"),
  atp("Bjorn Borg", "Ice Man", "Iceman", "Iceborg"),
  atp("Ilie Nastase", "Nasty", "Bucharest Buffoon"),
  atp("Guillermo Vilas", "Willy Vilas", "Bull of the Pampas"),
  atp("Ivan Lendl", "Ivan the Terrible"),
  atp("Rod Laver", "Rocket", "Rockhampton Rocket", "The Rocket"),
  atp("Ken Rosewall", "Muscles"),
  atp("John Newcombe", "Newk"),
  atp("Roy Emerson", "Emmo"),
  atp("Pancho Gonzales", "Gorgo"),
  atp("Henri Leconte", "Riton"),
  atp("Fabrice Santoro", "The Magician"),
  atp("Mikhail Youzhny", "Misha", "The Colonel"),
  atp("Nikolay Davydenko", "Kolya", "PlayStation"),
  atp("Ivo Karlovic", "Dr Ivo", "Doctor Ivo"),
  atp("Jean Rene Lacoste", "The Crocodile", "Le Crocodile"),
  atp("Jean Borotra", "Bounding Basque"),
  atp("Bill Tilden", "Big Bill"),
  atp("Frances Tiafoe", "Big Foe"),
  wta("Steffi Graf", "Fraulein Forehand", "Stefanie Graf"),
  wta("Martina Navratilova", "The Great Wide Hope"),
  wta("Martina Hingis", "Swiss Miss", "Can't Miss Swiss"),
  wta("Chris Evert", "Chrissie", "Ice Maiden", "Ice Princess", "Chris Evert Lloyd"),
  wta("Billie Jean King", "BJK", "Billie Jean Moffitt"),
  wta("Maria Sharapova", "Masha", "Shazza"),
  wta("Justine Henin", "Juju", "Queen of Clay", "Justine Henin Hardenne"),
  wta("Kim Clijsters", "Aussie Kim", "Kimmie"),
  wta("Amelie Mauresmo", "Momo"),
  wta("Caroline Wozniacki", "Sunshine"),
  wta("Victoria Azarenka", "Vika"),
  wta("Agnieszka Radwanska", "Aga", "The Ninja"),
  wta("Svetlana Kuznetsova", "Kuzy", "Sveta"),
  wta("Anastasia Pavlyuchenkova", "Pavs"),
  wta("Garbine Muguruza", "Mugu"),
  wta("Angelique Kerber", "Angie"),
  wta("Ashleigh Barty", "Ash Barty"),
  wta("Aryna Sabalenka", "The Tiger"),
  wta("Jelena Ostapenko", "Penko", "Aljona", "Alyona Ostapenko"),
  wta("Coco Gauff", "Cori Gauff"),
  wta("Bianca Andreescu", "Bibi"),
  wta("Li Na", "Na Li", "Big Sister Na"),
  wta("Gabriela Sabatini", "Gaby", "Pearl of the Pampas"),
  wta("Arantxa Sanchez Vicario", "Barcelona Bumblebee", "ASV"),
  wta("Evonne Goolagong", "Sunshine Supergirl", "Evonne Goolagong Cawley"),
  wta("Maureen Connolly", "Little Mo"),
  wta("Helen Wills", "Little Miss Poker Face", "Helen Wills Moody"),
  wta("Suzanne Lenglen", "La Divine", "The Goddess"),
  wta("Alison Riske Amritraj", "Alison Riske"),
  wta("Margaret Court", "Margaret Smith", "The Arm"),
]

export interface NicknameHit {
  readonly tour: Tour
  /** Full name as search words. */
  readonly words: string
  /** False if the text is only the beginning of the nickname. */
  readonly isWhole: boolean
}

const known = nicknamedPlayers.flatMap(({ name, nicknames, tour }) =>
  nicknames.map((nickname) => ({ tour, words: foldName(name), nickname: foldName(nickname) })),
)

/** Shortest text that finds a nickname by its beginning. */
const SHORTEST_BEGINNING = 3

/** Players with a nickname that is `words` or begins with it, whole nicknames first. */
export const playersByNickname = (words: ReadonlyArray<string>): ReadonlyArray<NicknameHit> => {
  const text = words.join(" ")
  const found = new Map<string, NicknameHit>()
  for (const isWhole of [true, false]) {
    for (const one of known) {
      const fits = isWhole ? one.nickname === text : text.length >= SHORTEST_BEGINNING && one.nickname.startsWith(text)
      const key = `${one.tour} ${one.words}`
      if (fits && !found.has(key)) found.set(key, { tour: one.tour, words: one.words, isWhole })
    }
  }
  return [...found.values()]
}
