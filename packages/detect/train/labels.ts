import { headCount } from '../src/injection/model/weights.ts'
import type { Row } from './rows/row.ts'

const indirectKinds = new Set(['indirect', 'indirect-task', 'exfiltration'])

/** Target of each head for a row, in the order of `heads`. */
export function labelsOf({ label, kind, source }: Row): Int8Array {
  const labels = new Int8Array(headCount)
  labels[0] = label
  labels[1] = Number(kind === 'system-prompt-leak')
  labels[2] = Number(kind === 'jailbreak-roleplay')
  labels[3] = Number(indirectKinds.has(kind))
  labels[4] = Number(kind === 'hard-negative')
  labels[5] = requestLabel(kind, source)
  // Encoded rows do not say which kind of attack they hold.
  if (kind === 'obfuscated') labels.fill(-1, 1)
  return labels
}

// Prose, and the labels of an interface.
const sayings = new Set(['gen-benign-prose', 'gen-benign-sayings', 'prompts-chat-ui'])
// Manuals and messages give their readers orders, and state facts beside them.
const mixed = new Set([
  'manuals',
  'typescript',
  'docusaurus',
  'hard-reference',
  'plain-reference',
  'hard-readme',
  'plain-readme',
])
const requestKinds = new Set(['ordinary', 'roleplay-benign', 'indirect-task'])
const statementKinds = new Set(['document', 'long-document'])

/** Prompts ask for something and documents do not; of the rest it is not known. */
function requestLabel(kind: string, source: string): number {
  if (sayings.has(source)) return 0
  // A single word is no request, and no statement either.
  if (source === 'gen-benign-short' || mixed.has(source)) return -1
  return requestKinds.has(kind) ? 1 : statementKinds.has(kind) ? 0 : -1
}
