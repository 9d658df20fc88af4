/**
 * Names typed without capitals after an introduction: "my name is john smith".
 * Promises to report only words of the gazetteers. Tested in names.test.ts.
 */
import type { Finding } from '../../base/finding.ts'
import { spend } from '../../text/view/budget.ts'
import { cost } from '../base/effort.ts'
import { person, type Sink } from './cased.ts'
import { fold } from './fold.ts'
import { role, rolesOf } from './lexicon.ts'
import { isCasedLetter, isUpperCase, wordEnd } from './tokens.ts'

/** Introductions, parted before a letter that is rare: it is the first letter of the part that a text is searched for. */
const introductions: readonly (readonly [before: string, searched: string])[] = [
  ['ich hei', 'ße '],
  ['ich ', 'heisse '],
  ['m', "'appelle "],
  ['me ', 'llamo '],
  ['mi c', 'hiamo '],
  ['me ', 'chamo '],
  ['na', 'zywam się '],
  ['меня ', 'зовут '],
]
const afterName = /name(?: is|:|'s| ist) /y

/** Words for the speaker's people; less telling than an introduction, so that only a given and another name count. */
const relation =
  /my (?:boss|brother|client|colleague|coworker|customer|daughter|doctor|father|friend|husband|lawyer|manager|mother|neighbo(?:u)?r|partner|patient|sister|son|teacher|tenant|wife) /y

/** Lower-case names after an introduction that begin at or after `from`. */
export function collectLowerCase(text: string, { from, found, effort }: Sink): void {
  const report = (start: number, words = 1): void => {
    const finding = start >= from && spend(effort, cost.caseless) ? lowerNameAt(text, start, words) : undefined
    if (finding) found.push(finding)
  }
  for (let at = text.indexOf('name', Math.max(0, from - longest)); at >= 0; at = text.indexOf('name', at + 4)) {
    afterName.lastIndex = at
    const length = afterName.exec(text)?.[0].length
    if (length !== undefined) report(at + length)
  }
  for (let at = text.indexOf('my ', Math.max(0, from - longest)); at >= 0; at = text.indexOf('my ', at + 3)) {
    relation.lastIndex = at
    const length = relation.exec(text)?.[0].length
    if (length !== undefined) report(at + length, 2)
  }
  for (const [before, searched] of introductions) {
    const first = Math.max(0, from - longest) + before.length
    for (let at = text.indexOf(searched, first); at >= 0; at = text.indexOf(searched, at + 1))
      if (text.endsWith(before, at)) report(at + searched.length)
  }
}

const longest = 16

/** The name that begins at `start`, of at least so many words. */
function lowerNameAt(text: string, start: number, fewest: number): Finding | undefined {
  if (isUpperCase(text.charCodeAt(start)) || !isCasedLetter(text.charCodeAt(start))) return undefined
  let end = wordEnd(text, start)
  const first = rolesOf(fold(text.slice(start, end)))
  if ((first & role.given) === 0 || (first & (role.ambiguous | role.stop)) !== 0) return undefined
  let words = 1
  for (let more = 0; more < 2 && text[end] === ' '; more += 1) {
    const next = wordEnd(text, end + 1)
    const roles = rolesOf(fold(text.slice(end + 1, next)))
    if (next - end < 3 || (roles & (role.given | role.family | role.shaped)) === 0) break
    if ((roles & role.ambiguous) !== 0 && (roles & role.family) === 0) break
    end = next
    words += 1
  }
  if (words < fewest) return undefined
  return person(start, end, 0.8, 'name-lower-case')
}
