/**
 * Roles of a word in a name: one lookup gives all roles as bits.
 * Promises a fixed table made at load; does not look at neighbors. Tested through names.test.ts.
 */
import { ambiguousWords } from './ambiguous-words.ts'
import { commonWords } from './common-words.ts'
import { followers, labels, particles, suffixes, titles } from './cues.ts'
import { familyWest } from './family-west.ts'
import { familyWorld } from './family-world.ts'
import { fold } from './fold.ts'
import { givenEast } from './given-east.ts'
import { givenWest } from './given-west.ts'
import { givenWorld } from './given-world.ts'
import { familyScripts, givenScripts } from './scripts.ts'
import { organizationWords, placePrefixes, stopWords } from './stop-words.ts'

export const role = {
  given: 1,
  family: 2,
  /** Also an ordinary word, a place or a product. */
  ambiguous: 4,
  stop: 8,
  organization: 16,
  place: 32,
  title: 64,
  label: 128,
  particle: 256,
  follower: 512,
  suffix: 1024,
  /** Ending of a family name that no list holds (-ović, -sson). */
  shaped: 2048,
  /** Ending of an abstract noun: no name unless a strong cue or a sure name stands beside it. */
  abstract: 4096,
} as const

const table = new Map<string, number>()
const words = (list: string): string[] => list.split(/\s+/).filter((word) => word !== '')
const add = (list: readonly string[], bit: number): void => {
  for (const word of list) {
    for (const key of spellings(word)) table.set(key, (table.get(key) ?? 0) | bit)
  }
}

const umlauts: Readonly<Record<string, string>> = { ä: 'ae', ö: 'oe', ü: 'ue', ø: 'oe', å: 'aa' }
/** Jürgen is also written Juergen and Jurgen. */
function spellings(word: string): string[] {
  const lower = word.toLowerCase()
  const spelled = lower.replace(/[äöüøå]/g, (letter) => umlauts[letter] ?? letter)
  return spelled === lower ? [fold(lower)] : [fold(lower), fold(spelled)]
}

// English function words that are also short Asian names: too frequent to begin a name.
const functionWords = words(
  'he so in an am do no my we us to on or of at by if is it be me as up go all any can not man han hon ai ya',
)

function build(): void {
  for (const list of [givenWest, givenEast, givenWorld, givenScripts]) add(words(list), role.given)
  for (const list of [familyWest, familyWorld, familyScripts]) add(words(list), role.family)
  for (const list of [ambiguousWords, commonWords, stopWords]) markOrdinary(words(list))
  for (const word of functionWords) table.set(word, role.stop)
  add(words(organizationWords), role.organization)
  add(words(placePrefixes), role.place)
  add(titles, role.title)
  add(labels, role.label)
  add(particles, role.particle)
  add(followers, role.follower)
  add(suffixes, role.suffix)
}

/** An ordinary word that is also a name stays a possible name; any other ends one. */
function markOrdinary(list: readonly string[]): void {
  for (const word of list) {
    const key = fold(word)
    const known = table.get(key) ?? 0
    table.set(key, known | (known & (role.given | role.family) ? role.ambiguous : role.stop))
  }
}

build()

const wordsWith = (bit: number): ReadonlySet<string> =>
  new Set([...table].flatMap(([word, roles]) => ((roles & bit) !== 0 ? [word] : [])))
const particleWords = wordsWith(role.particle)
const followerWords = wordsWith(role.follower)

/** Whether a folded word has the role of a particle; the few there are lie nearer than all the names. */
export const isParticle = (word: string): boolean => particleWords.has(word)

/** Whether a folded word has the role of a follower. */
export const isFollower = (word: string): boolean => followerWords.has(word)

const ordinaryEndings = words(
  'able ably ally ance ances cao cion ciones coes dad dade ement ence ences ful gesetz heit ible ical ics ing ings ism ist ite ities ity ive ized izer karte keit less lich ment mente ments ness nis nummer ology ous punkt recht schaft ship sion sions stelle steuer strasse taet tag tat tion tions tum ung ungen ware zeit zione zioni',
)
const familyEndings = words(
  'acci adov adova adze aev aeva aite aitis akis anov anova arov arova ashvili asov asova auskas avicius bauer baum berg chenko chuk ckis czak czyk deep dottir eanu ellini elov elova enko escu esen etti evic evich evicius evna evsky ewicz ewska ewski feld fsen gaard hauser iadis idis iene iewicz imov imova inen insh inska inskas inski isen kalns kiewicz kova kumar ldsen lova lsen maier mann mayer meier meyer msen murthy nathan nejad nkov nova nsen oglu opoulou ovic ovich ovna ovsky owicz owska owski poor poulos pour preet quist qvist rova rsen sdottir shvili singh skaya skis skyi sma ssen sson stein stra strom swamy tsen ucci ullah usov usova wala yan yev yeva yte zade zadeh ακης ιδης ιδου οπουλος вич ев ева енко ин ина ић кин ов ова ская скии чук шин',
)
// Family endings win: Nordqvist is no abstract noun in -ist.
const endings = new Map([
  ...ordinaryEndings.map((ending): [string, number] => [ending, role.abstract]),
  ...familyEndings.map((ending): [string, number] => [ending, role.shaped]),
])
const longestEnding = 8
const lastTwo = (word: string): number => (word.charCodeAt(word.length - 2) << 16) | word.charCodeAt(word.length - 1)
const endingPairs = new Set([...endings.keys()].map(lastTwo))

/** Role by the longest known ending with at least two letters before it, three before an ending of two. */
function roleByEnding(word: string): number {
  if (!endingPairs.has(lastTwo(word))) return 0
  for (let length = Math.min(longestEnding, word.length - 2); length > 1; length -= 1) {
    const found = endings.get(word.slice(-length))
    if (found !== undefined && (length > 2 || word.length > 4)) return found
  }
  return 0
}

/** Roles of a folded word as bits of `role`; 0 for an unknown word. */
export function rolesOf(word: string): number {
  const known = table.get(word)
  if (known !== undefined) return known
  return word.length < 4 ? 0 : roleByEnding(word)
}
