/**
 * A text with each value hidden in the style of its rule. Values in irreversible styles are never restored, and a text
 * with a single style is redacted in one piece. Tested in policy-content.test.ts.
 */
import { createVault, disjoint, type RedactOptions, redact, type Vault } from '@parapet/detect'
import type { Finding } from '../detection/detectors.ts'
import type { Look } from '../detection/memory/look.ts'
import type { Style } from '../policy/sections/entities.ts'

export interface Hidden {
  readonly finding: Finding
  readonly style: Style
}

export interface Redactor {
  readonly vault: Vault
  /** Key of the tenant, for values that must be equal from call to call; null if none was loaded. */
  readonly hashKey: Uint8Array | null
}

export function redactStyled(text: string, hidden: readonly Hidden[], redactor: Redactor): string {
  const styleOf = new Map(hidden.map(({ finding, style }) => [startOf(finding), style]))
  const [only = 'placeholder', ...others] = new Set(styleOf.values())
  const findings = hidden.map(({ finding }) => finding)
  if (others.length === 0) return redact(text, findings, redactor.vault, optionsOf(only, redactor)).text
  const parts: string[] = []
  let done = 0
  for (const run of runsOf(disjoint(findings), (finding) => styleOf.get(startOf(finding)) ?? 'placeholder')) {
    const piece = text.slice(done, run.end)
    const moved = run.findings.map((finding) => ({ ...finding, start: finding.start - done, end: finding.end - done }))
    parts.push(redact(piece, moved, redactor.vault, optionsOf(run.style, redactor)).text)
    done = run.end
  }
  // Also without findings: a placeholder typed by the caller must be hidden before any answer is restored.
  parts.push(redact(text.slice(done), [], redactor.vault).text)
  return parts.join('')
}

/** Whether a text looks like a placeholder anywhere: a text that does not and holds no value stays unchanged. */
export function placeholderLook({ brackets }: Pick<Vault, 'brackets'>): Look<boolean> {
  const find = (text: string): boolean => {
    let isNamed = false
    const keepTyped = (): void => {
      isNamed = true
    }
    const shown = redact(text, [], { ...createVault({ brackets }), keepTyped }).text
    return isNamed || shown !== text
  }
  return { name: `placeholder ${brackets.open} ${brackets.close}`, find }
}

/** Findings trimmed because of an overlap begin elsewhere; their end is unchanged. */
const startOf = ({ type, end }: Finding): string => `${type} ${end}`

interface Run {
  readonly style: Style
  readonly findings: Finding[]
  end: number
}

/** Groups neighbors of one style; a run ends with its last value, so no typed placeholder is split. */
function runsOf(findings: readonly Finding[], styleOf: (finding: Finding) => Style): readonly Run[] {
  const runs: Run[] = []
  for (const finding of findings) {
    const style = styleOf(finding)
    const last = runs.at(-1)
    if (last?.style === style) {
      last.findings.push(finding)
      last.end = finding.end
    } else runs.push({ style, findings: [finding], end: finding.end })
  }
  return runs
}

function optionsOf(style: Style, { hashKey }: Redactor): RedactOptions {
  if (style !== 'hash') return { style }
  if (hashKey === null) throw new Error('The key for hashed values was not loaded')
  return { style, key: hashKey }
}
