import type { Signals } from '../../text/normalize/normalize.ts'
import type { ViewKind } from '../../text/view/view.ts'
import { type Family, families } from '../rules/rule.ts'
import { suspicionOf } from './places.ts'
import type { Span } from './rarity.ts'
import type { TextScores } from './windows.ts'

/** A place where a rule or the structure of the text speaks for an attack. */
export interface Hit {
  readonly id: string
  readonly family: Family
  readonly certain: boolean
  /** Range in the normalized text (UTF-16). */
  readonly start: number
  readonly end: number
  /** 0..1, after guards. */
  readonly weight: number
}

export interface ReadingFacts {
  /** A text that a person does not see is suspect in itself. */
  readonly kind: ViewKind
  readonly depth: number
  /** Length of the normalized text in characters. */
  readonly characters: number
  readonly scores: TextScores
  readonly hits: readonly Hit[]
  /** Whether the text speaks to the model: a document that asks it for something is suspect, a user is not. */
  readonly addressed: boolean
  readonly disguises: Signals
}

/** Facts that several measures use are judged once. */
interface JudgedFacts extends ReadingFacts {
  readonly worstPlace: number
}

interface Measure {
  readonly name: string
  /** 1: more of it can only raise the logit; -1: only lower it; 0: the trees do not see it. */
  readonly direction: 1 | -1 | 0
  readonly of: (facts: JudgedFacts) => number
}

const headAt = (scores: TextScores, scale: number, head: number): number => scores.best[scale]?.heads[head] ?? 0

const rareHead =
  (span: 'sentence' | 'passage', head: number) =>
  ({ scores }: ReadingFacts): number =>
    scores.rare[span].heads[head] ?? 0

/** The evidence that counts beside the trees too. */
export const longPlace = 'worst place of a long text'

/** How far a text is beyond what people write to a model, 0 to 1. */
export const longShare = 'share of a long text'

const flag = (value: boolean): number => (value ? 1 : 0)

const measures: readonly Measure[] = [
  { name: 'attack, whole text', direction: 1, of: ({ scores }) => scores.whole },
  { name: 'attack, best 160 characters', direction: 1, of: ({ scores }) => headAt(scores, 0, 0) },
  { name: 'attack, best 320 characters', direction: 1, of: ({ scores }) => headAt(scores, 1, 0) },
  { name: 'attack, best 800 characters', direction: 1, of: ({ scores }) => headAt(scores, 2, 0) },
  { name: 'attack, best sentence', direction: 1, of: ({ scores }) => scores.sentence.heads[0] ?? 0 },
  { name: 'sentence apart from the text around', direction: 1, of: ({ scores }) => sentenceContrast(scores) },
  { name: 'leak, best sentence', direction: 1, of: ({ scores }) => scores.sentence.heads[1] ?? 0 },
  { name: 'contrast to the text around', direction: 1, of: ({ scores }) => contrast(scores) },
  { name: 'leak, best 160 characters', direction: 1, of: ({ scores }) => headAt(scores, 0, 1) },
  { name: 'leak, best 320 characters', direction: 1, of: ({ scores }) => headAt(scores, 1, 1) },
  { name: 'jailbreak, best 320 characters', direction: 1, of: ({ scores }) => headAt(scores, 1, 2) },
  { name: 'jailbreak, best 800 characters', direction: 1, of: ({ scores }) => headAt(scores, 2, 2) },
  { name: 'indirect, best 160 characters', direction: 1, of: ({ scores }) => headAt(scores, 0, 3) },
  { name: 'indirect, best 320 characters', direction: 1, of: ({ scores }) => headAt(scores, 1, 3) },
  { name: 'about security, best 320 characters', direction: -1, of: ({ scores }) => headAt(scores, 1, 4) },
  {
    name: 'request in a document',
    direction: 1,
    of: ({ addressed, scores }) => (addressed ? -20 : scores.request.best),
  },
  {
    name: 'request apart from the document',
    direction: 1,
    of: ({ addressed, scores }) => (addressed ? -2 : scores.request.contrast),
  },
  { name: 'rules, together', direction: 1, of: ({ hits }) => strengthOf(hits) },
  { name: 'rule families', direction: 1, of: ({ hits }) => new Set(hits.map(({ family }) => family)).size },
  { name: 'rules in the best window', direction: 1, of: inBestWindow },
  { name: 'certain rule', direction: 1, of: ({ hits }) => flag(hits.some(({ certain }) => certain)) },
  { name: 'encoded text', direction: 1, of: ({ kind, depth }) => (kind === 'decoded' ? depth : 0) },
  { name: 'hidden text', direction: 1, of: ({ kind }) => flag(kind === 'hidden') },
  { name: 'tag characters', direction: 1, of: ({ disguises }) => Math.min(64, disguises.tags) },
  { name: 'invisible characters', direction: 1, of: ({ disguises }) => Math.min(64, disguises.invisible) },
  { name: 'direction overrides', direction: 1, of: ({ disguises }) => Math.min(8, disguises.bidi) },
  { name: 'look-alike letters', direction: 1, of: ({ disguises }) => Math.min(16, disguises.folded) },
  { name: 'stacked marks', direction: 1, of: ({ disguises }) => flag(disguises.zalgo) },
  { name: 'spaced-out words', direction: 1, of: ({ disguises }) => Math.min(16, disguises.spaced) },
  { name: 'sentence apart from the next place', direction: 1, of: ({ scores }) => scores.standOut.attack.next },
  { name: 'sentence apart from the fourth place', direction: 1, of: ({ scores }) => scores.standOut.attack.fourth },
  { name: 'request apart from the next place', direction: 1, of: ({ scores }) => scores.standOut.request.next },
  { name: 'request apart from the fourth place', direction: 1, of: ({ scores }) => scores.standOut.request.fourth },
  { name: 'jailbreak, best sentence', direction: 1, of: ({ scores }) => scores.sentence.heads[2] ?? 0 },
  { name: 'indirect, best sentence', direction: 1, of: ({ scores }) => scores.sentence.heads[3] ?? 0 },
  { name: 'about security, best sentence', direction: -1, of: ({ scores }) => scores.sentence.heads[4] ?? 0 },
  { name: 'request, best sentence', direction: 1, of: ({ scores }) => scores.sentence.heads[5] ?? 0 },
  { name: 'request, best 320 characters', direction: 1, of: ({ scores }) => headAt(scores, 1, 5) },
  { name: 'attack, rarest sentence', direction: 1, of: ({ scores }) => scores.rare.sentence.logit },
  { name: 'rarest sentence apart from the text around', direction: 1, of: ({ scores }) => rareContrast(scores) },
  {
    name: 'rarest sentence apart from the next place',
    direction: 1,
    of: ({ scores }) => scores.standOut.rareSentence.next,
  },
  {
    name: 'rarest sentence apart from the fourth place',
    direction: 1,
    of: ({ scores }) => scores.standOut.rareSentence.fourth,
  },
  { name: 'attack at the rarest sentence', direction: 1, of: rareHead('sentence', 0) },
  { name: 'leak at the rarest sentence', direction: 1, of: rareHead('sentence', 1) },
  { name: 'jailbreak at the rarest sentence', direction: 1, of: rareHead('sentence', 2) },
  { name: 'indirect at the rarest sentence', direction: 1, of: rareHead('sentence', 3) },
  { name: 'about security at the rarest sentence', direction: -1, of: rareHead('sentence', 4) },
  { name: 'request at the rarest sentence', direction: 1, of: rareHead('sentence', 5) },
  { name: 'attack, rarest passage', direction: 1, of: ({ scores }) => scores.rare.passage.logit },
  {
    name: 'attack, rarest sentence and passage',
    direction: 1,
    of: ({ scores: { rare } }) => rare.sentence.logit + rare.passage.logit,
  },
  {
    name: 'rarest passage apart from the next place',
    direction: 1,
    of: ({ scores }) => scores.standOut.rarePassage.next,
  },
  {
    name: 'rarest passage apart from the fourth place',
    direction: 1,
    of: ({ scores }) => scores.standOut.rarePassage.fourth,
  },
  { name: 'jailbreak at the rarest passage', direction: 1, of: rareHead('passage', 2) },
  { name: 'about security at the rarest passage', direction: -1, of: rareHead('passage', 4) },
  { name: 'request at the rarest passage', direction: 1, of: rareHead('passage', 5) },
  { name: 'worst place', direction: 1, of: ({ worstPlace }) => worstPlace },
  { name: longPlace, direction: 1, of: worstOfLong },
  { name: longShare, direction: 0, of: shareOfLong },
  ...families.map((family): Measure => ({ name: family, direction: 1, of: ({ hits }) => heaviest(hits, family) })),
]

/** Names of the evidence, in the order of the values. */
export const evidenceNames: readonly string[] = measures.map(({ name }) => name)

/** Whether more of a piece of evidence raises (1) or lowers (-1) the logit; 0 is not for the trees. */
export const evidenceDirections: readonly number[] = measures.map(({ direction }) => direction)

/** Evidence for and against an attack in one reading of a text, one value per name. */
export function evidenceOf(facts: ReadingFacts): Float64Array {
  const { kind, depth, characters, scores, hits, addressed, disguises } = facts
  const judged = { kind, depth, characters, scores, hits, addressed, disguises, worstPlace: worstPlaceOf(facts) }
  return Float64Array.from(measures, ({ of }) => of(judged))
}

/** How far the best window stands out from the text's own style, in standard deviations; 0 for a single window. */
function contrast({ best, mean, deviation }: TextScores): number {
  return ((best[1]?.heads[0] ?? mean) - mean) / (deviation + 0.5)
}

function sentenceContrast({ sentence, mean, deviation }: TextScores): number {
  return ((sentence.heads[0] ?? mean) - mean) / (deviation + 0.5)
}

function rareContrast({ rare, mean, deviation }: TextScores): number {
  return (rare.sentence.logit - mean) / (deviation + 0.5)
}

const heaviest = (hits: readonly Hit[], family: Family): number =>
  hits.reduce((most, hit) => (hit.family === family ? Math.max(most, hit.weight) : most), 0)

/** Score of the most suspect sentence with the rules that match in it; the lowest where there is no suspect. */
function worstPlaceOf({ scores, hits }: ReadingFacts): number {
  return scores.places.reduce(
    (most, place) => Math.max(most, suspicionOf(place) + ruleShare * Math.min(2, strengthOf(hitsWithin(place, hits)))),
    noPlace,
  )
}

/** Whether a rule matches in one of the sentences that look most like an attack. */
export function rulesAgree({ scores, hits }: ReadingFacts): boolean {
  return scores.places.some((place) => hitsWithin(place, hits).length > 0)
}

const hitsWithin = (place: Span, hits: readonly Hit[]): readonly Hit[] =>
  hits.filter(({ start, end }) => start < place.end && end > place.start)

const ruleShare = 2
const noPlace = -20

/** 0 up to 800 characters, 1 from 2,000 on. */
function shareOfLong({ characters }: ReadingFacts): number {
  return Math.max(0, Math.min(1, (characters - 800) / 1_200))
}

/** The worst place where it is one of many. */
function worstOfLong(facts: JudgedFacts): number {
  return shareOfLong(facts) * Math.max(lowestOfLong, facts.worstPlace)
}

const lowestOfLong = -6

/** Families as independent witnesses, each by its heaviest rule: -ln Π(1 - w), at most 8. */
function strengthOf(hits: readonly Hit[]): number {
  const weights = new Map<string, number>()
  for (const { family, weight } of hits) weights.set(family, Math.max(weights.get(family) ?? 0, weight))
  let strength = 0
  for (const weight of weights.values()) strength -= Math.log(1 - Math.min(0.999, weight))
  return Math.min(8, strength)
}

function inBestWindow({ hits, scores }: ReadingFacts): number {
  const window = scores.best[1]
  if (window === undefined) return 0
  return strengthOf(hits.filter(({ start, end }) => start < window.end && end > window.start))
}
