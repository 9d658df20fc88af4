/**
 * Texts that detectors still have to inspect, and the resulting knowledge: results have the order of the requests.
 * Tested in analyses.test.ts and remembered-findings.test.ts.
 */
import type { InjectionText } from '../detection/detectors.ts'
import { everyPatternLook, injectionLook, patternLook, sensitiveLook } from '../detection/looks.ts'
import type { KnownFindings } from '../detection/memory/known-findings.ts'
import type { Look } from '../detection/memory/look.ts'
import type { ScannedTexts, TextsToScan } from '../detection/scan-texts.ts'

/** The part that is not known yet. */
export function unknownOf(wanted: TextsToScan, known: KnownFindings): TextsToScan {
  const { injection, sensitive, custom, patterns, matched } = wanted
  const looks = patterns.map(lookOf(wanted))
  return {
    ...wanted,
    injection: injection.filter((piece) => !known.has(injectionLookOf(wanted, piece), piece.text)),
    sensitive: sensitive.filter((text) => !known.has(sensitiveLook(custom), text)),
    matched: matched.filter((text) => looks.some((look) => !known.has(look, text))),
  }
}

/** Each text once: the cost depends more on its length than on the number of searches. */
export function textsIn({ injection, sensitive, matched }: TextsToScan): readonly string[] {
  return [...new Set([...injection.map(({ text }) => text), ...sensitive, ...matched])]
}

export function learn(known: KnownFindings, wanted: TextsToScan, found: ScannedTexts): void {
  const { injection, sensitive, custom, patterns, matched } = wanted
  learnAll(known, injection, found.injection, (piece) => [injectionLookOf(wanted, piece), piece.text])
  learnAll(known, sensitive, found.sensitive, (text) => [sensitiveLook(custom), text])
  for (const [at, look] of patterns.map(lookOf(wanted)).entries())
    learnAll(
      known,
      matched,
      found.matches.map((ofText) => ofText[at]),
      (text) => [look, text],
    )
}

function learnAll<I, T>(
  known: KnownFindings,
  items: readonly I[],
  found: readonly (T | undefined)[],
  place: (item: I) => readonly [Look<T>, string],
): void {
  for (const [index, item] of items.entries()) {
    const [look, text] = place(item)
    const one = found[index]
    if (one !== undefined) known.learn(look, text, one)
  }
}

const lookOf = ({ every }: TextsToScan) => (every === true ? everyPatternLook : patternLook)

const injectionLookOf = ({ thresholds, rules }: TextsToScan, piece: InjectionText) =>
  injectionLook(piece, thresholds, rules)
