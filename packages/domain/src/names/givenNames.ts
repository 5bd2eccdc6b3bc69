/**
 * Groups of given names that replace each other. The search finds a player by the other names of a group, below players
 * that have the typed name. Each line is one group of folded names.
 */
const groups: ReadonlyArray<string> = [
  "alexander alexandre alejandro aleksandr aleksandar alex sascha sasha sacha xander sandro",
  "alexandra aleksandra alex sasha sacha sandra alexa",
  "andrew andy drew",
  "andrei andrey andrej andreas",
  "anastasia anastasija nastya",
  "angelique angelica angie",
  "anthony antonio toni tony anton",
  "benjamin ben",
  "catherine katherine kathryn katarina katerina ekaterina kate katie cathy kathy",
  "christopher christoph chris kris",
  "christine christina kristina chris chrissie",
  "daniel dan danny daniil danila",
  "daria darya dasha",
  "david dave",
  "dominic dominik dominique dom domi",
  "edward eduard eduardo ed eddie",
  "elena yelena jelena helena",
  "elizabeth elisabeth eliza liz lisa betty beth",
  "felix feliks",
  "francisco fran paco pancho frances frank",
  "frederick frederik fred freddy",
  "gabriel gabi gabe",
  "gabriela gabriella gaby gabi",
  "gregory grigor greg",
  "guillermo william willy",
  "gustavo guga gus",
  "ivan vanya",
  "james jim jimmy jamie",
  "jennifer jenny jen",
  "john johnny jon jonathan jack",
  "joseph jose josef joe joey pepe",
  "karolina carolina caroline caro",
  "kenneth ken kenny",
  "lawrence laurence larry",
  "leonardo leo",
  "magdalena magda",
  "margaret maggie meg peggy",
  "maria mariya marija masha mary",
  "martin marty",
  "matthew matteo mateo matt matty",
  "maximilian maxime max",
  "michael mike mikhail misha mischa michel mickey",
  "nicholas nicolas nikolas nikolay nikola nick nico niko kolya",
  "nicole nikki niki",
  "patrick pat paddy",
  "paul pablo pavel",
  "peter pete petr piotr",
  "philip philipp philippe phil",
  "richard ricardo rich rick dick richie",
  "robert roberto rob robbie bob bobby robin",
  "rodney rod",
  "rafael raphael rafa raf",
  "samuel sam sammy",
  "samantha sam",
  "serena rena",
  "sergei sergey sergiy serhiy serge",
  "stanislas stanislav stan",
  "stephanie stefanie steffi steffie stef",
  "steven stephen stefan stefano stefanos steve",
  "svetlana sveta",
  "thomas tomas tommy tom",
  "timothy tim",
  "victoria viktoria viktoriya vika vicky",
  "vladimir vova",
  "william will bill billy",
  "yevgeny evgeny evgeni eugene zhenya",
]

/** The other names of the groups of a folded given name. */
export const otherGivenNames = (name: string): ReadonlyArray<string> => others.get(name) ?? []

const others: ReadonlyMap<string, ReadonlyArray<string>> = (() => {
  const found = new Map<string, Set<string>>()
  for (const group of groups.map((line) => line.split(" "))) {
    for (const name of group) {
      const known = found.get(name) ?? new Set()
      for (const other of group) if (other !== name) known.add(other)
      found.set(name, known)
    }
  }
  return new Map([...found].map(([name, known]) => [name, [...known]]))
})()
