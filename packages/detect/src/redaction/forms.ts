/**
 * The brackets of a vault made ready for reading: in which forms placeholders may come back, where they may begin.
 * They depend on the brackets alone, so that vaults of most calls share one set. Tested through restore.test.ts and
 * redact.test.ts.
 */
import { acceptedPairs, type BracketPair, type Brackets, defaultBrackets, jsonPairs } from './placeholder.ts'

export interface Forms {
  /** Pairs by the first character of their opening, in the order in which they are tried. */
  readonly pairs: ReadonlyMap<string, readonly BracketPair[]>
  /** The vault's own pair, where it is among them. */
  readonly own: BracketPair | undefined
  /** Length of the longest opening. */
  readonly longestOpen: number
  /** Finds where one may begin; shared, so every search sets `lastIndex` first. */
  readonly openings: RegExp
}

export interface BracketForms {
  /** In text. */
  readonly plain: Forms
  /** Inside a JSON string. */
  readonly json: Forms
  /** Inside a JSON string, without the vault's own. */
  readonly othersInJson: Forms
  /** The vault's own in text. */
  readonly own: Forms
}

export function bracketForms(own: Brackets): BracketForms {
  return own.open === defaultBrackets.open && own.close === defaultBrackets.close ? ofDefault : make(own)
}

function make(own: Brackets): BracketForms {
  const pairs = acceptedPairs(own)
  const inJson = jsonPairs(pairs)
  return {
    plain: formsOf(pairs),
    json: formsOf(inJson),
    othersInJson: formsOf(inJson.filter(({ exact }) => !exact)),
    own: formsOf(pairs.filter(({ exact }) => exact)),
  }
}

const ofDefault = make(defaultBrackets)

/** Forms of some pairs; longer openings stand before their prefixes. */
export function formsOf(pairs: readonly BracketPair[]): Forms {
  const groups = new Map<string, BracketPair[]>()
  for (const pair of pairs) {
    const first = pair.open.charAt(0)
    const group = groups.get(first)
    if (group) group.push(pair)
    else groups.set(first, [pair])
  }
  return {
    pairs: groups,
    own: pairs.find(({ exact }) => exact),
    longestOpen: Math.max(0, ...pairs.map(({ open }) => open.length)),
    openings: openingsOf(groups.keys()),
  }
}

/** The places where one of some characters, a name in capitals or an unfinished surrogate pair may begin. */
export function openingsOf(firsts: Iterable<string>): RegExp {
  const hex = [...firsts].map((first) => `\\u${first.charCodeAt(0).toString(16).padStart(4, '0')}`)
  return new RegExp(`[A-Z\\ud800-\\udbff${hex.join('')}]`, 'g')
}
