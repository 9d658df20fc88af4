/**
 * Replaces found values by placeholders and puts them back.
 * Promises that restoring a redacted text gives the text as typed, forged placeholders included; it does not decide
 * what is sensitive. Tested in redact.test.ts and restore.test.ts.
 */
import { disjoint, type Finding } from '../finding.ts'
import { nameShape } from './placeholder.ts'
import type { Vault } from './vault.ts'

/**
 * The text with every finding replaced by its placeholder. Anything that already reads like a placeholder of this
 * vault is hidden behind a `LITERAL` placeholder first, so nobody can ask for another value by writing its name.
 * Redact all texts of a call with one vault before restoring any answer.
 */
export function redact(text: string, findings: readonly Finding[], vault: Vault): { text: string } {
  const parts: string[] = []
  let done = 0
  for (const { start, end, type } of disjoint([...findings, ...forgeries(text, vault)])) {
    parts.push(text.slice(done, start), vault.placeholderFor(type, text.slice(start, end)))
    done = end
  }
  parts.push(text.slice(done))
  return { text: parts.join('') }
}

/** Typed text in the vault's own brackets is a finding; in brackets a model might substitute it is only remembered. */
function forgeries(text: string, vault: Vault): Finding[] {
  const found: Finding[] = []
  for (const { open, close, exact } of vault.pairs) {
    for (let start = text.indexOf(open); start >= 0; start = text.indexOf(open, start + 1)) {
      const nameEnd = wordEnd(text, start + open.length)
      const end = nameEnd + close.length
      if (!nameShape.test(text.slice(start + open.length, nameEnd)) || !text.startsWith(close, nameEnd)) continue
      if (exact) found.push({ detector: 'output', type: 'LITERAL', start, end, score: 1 })
      else vault.keepTyped(text.slice(start, end))
    }
  }
  return found
}

const longestName = 35

function wordEnd(text: string, from: number): number {
  let end = from
  while (end - from < longestName && /\w/.test(text[end] ?? '')) end += 1
  return end
}
