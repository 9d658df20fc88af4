/**
 * The arguments of a held call as its approvers see them: JSON without personal data and secrets. Promises that no text
 * of the arguments is shown before it was searched whole, and that the preview is at most `longestPreview` characters.
 * Pure. Tested in binding.test.ts.
 */
import { disjoint, findPii, findSecrets } from '@parapet/detect'
import { sha256 } from '../../../kernel/crypto/digest.ts'
import { longestPreview } from './schema.ts'

export interface Preview {
  readonly text: string
  readonly sha256: string
}

/** Personal data below this confidence is shown: names of things look like names of people. */
const leastScore = 0.5

export function previewOf(args: unknown): Preview {
  const whole = JSON.stringify(redacted(args ?? null), null, 2)
  const text = whole.length > longestPreview ? `${whole.slice(0, longestPreview - 1)}…` : whole
  return { text, sha256: sha256(text) }
}

function redacted(value: unknown): unknown {
  if (typeof value === 'string') return redactedText(value)
  if (Array.isArray(value)) return value.map(redacted)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [redactedText(name), redacted(member)]))
}

function redactedText(text: string): string {
  const findings = disjoint([...findSecrets(text), ...findPii(text, { minScore: leastScore })])
  let left = ''
  let done = 0
  for (const { start, end, type } of findings) {
    left += `${text.slice(done, start)}[removed: ${type}]`
    done = end
  }
  return left + text.slice(done)
}
