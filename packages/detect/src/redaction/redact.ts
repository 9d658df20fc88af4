/**
 * Replaces found values.
 * Promises that restoring a text of the styles `placeholder` and `synthetic` gives the text as typed, forged
 * placeholders included; it does not decide what is sensitive. Tested in redact.test.ts and styles.test.ts.
 */
import { disjoint, type Finding } from '../base/finding.ts'
import { restore } from './restore.ts'
import { hashed, masked } from './styles.ts'
import { createTypedNames, typedPlaceholders } from './typed.ts'
import type { Vault } from './vault.ts'

export type RedactOptions =
  | {
      /**
       * `placeholder` (default): `⟦EMAIL_1⟧`. `synthetic`: a stand-in from a reserved or test range, where a type has
       * none a placeholder. `mask`: `a***@***.com`. `drop`: nothing.
       */
      readonly style?: 'placeholder' | 'synthetic' | 'mask' | 'drop'
    }
  | {
      /** `TYPE_` and 16 hexadecimal digits, equal for equal values under one key. */
      readonly style: 'hash'
      readonly key: Uint8Array
    }

export interface RedactedSpan {
  readonly type: string
  /** UTF-16 offsets in the text before redaction. */
  readonly start: number
  readonly end: number
}

export interface Redacted {
  readonly text: string
  /** Where each replacement stands for something; never the values. */
  readonly map: ReadonlyMap<string, readonly RedactedSpan[]>
}

/**
 * The text with every finding replaced, equal values alike. Anything that already reads like a placeholder of this
 * vault is hidden behind a `LITERAL` placeholder first, so writing a placeholder's name reveals no other value.
 * Redact all texts of a call with one vault before restoring any answer. The style `synthetic` is for one text a vault:
 * a later text may hold, typed, the stand-in for a value of an earlier one.
 */
export function redact(
  text: string,
  findings: readonly Finding[],
  vault: Vault,
  options: RedactOptions = {},
): Redacted {
  if (options.style !== 'synthetic') return replaced(text, findings, { vault, replace: replacer(vault, options) })
  const synthetic = replaced(text, [...findings, ...typedStandIns(text, vault)], {
    vault,
    replace: standIns(text, vault),
  })
  // A stand-in that runs together with the text around it would not be recognized again.
  if (restore(synthetic.text, vault) === text) return synthetic
  return replaced(text, [...findings, ...typedStandIns(text, vault)], { vault, replace: replacer(vault, {}) })
}

export type Replace = (finding: Finding, value: string) => string

/** How a value is written under an option that needs no knowledge of the whole text. */
export function replacer(vault: Vault, options: RedactOptions): Replace {
  const placeholder: Replace = ({ type }, value) => vault.placeholderFor(type, value)
  const own =
    (replace: Replace): Replace =>
    (finding, value) =>
      finding.type === 'LITERAL' ? placeholder(finding, value) : replace(finding, value)
  if (options.style === 'hash') return own((finding, value) => hashed(finding, value, options.key))
  if (options.style === 'mask') return own(masked)
  return options.style === 'drop' ? own(() => '') : placeholder
}

function standIns(text: string, vault: Vault): Replace {
  vault.synthetics.avoid(text)
  return ({ type }, value) => vault.synthetics.standInFor(type, value) ?? vault.placeholderFor(type, value)
}

interface Replacement {
  readonly vault: Vault
  readonly replace: Replace
}

function replaced(text: string, findings: readonly Finding[], { vault, replace }: Replacement): Redacted {
  const parts: string[] = []
  const map = new Map<string, RedactedSpan[]>()
  const typed = createTypedNames(vault)
  let done = 0
  for (const finding of disjoint([...findings, ...typedPlaceholders(text, vault)])) {
    const { start, end, type } = finding
    const replacement = replace(finding, text.slice(start, end))
    typed.push(text.slice(done, start))
    typed.break()
    parts.push(text.slice(done, start), replacement)
    const spans = map.get(replacement)
    if (spans) spans.push({ type, start, end })
    else map.set(replacement, [{ type, start, end }])
    done = end
  }
  typed.push(text.slice(done))
  typed.break()
  parts.push(text.slice(done))
  return { text: parts.join(''), map }
}

/** Stand-ins of earlier texts that the caller wrote here: they must not turn into the values behind them. */
function typedStandIns(text: string, vault: Vault): Finding[] {
  const firsts = new Set(vault.synthetics.firsts())
  const found: Finding[] = []
  for (let start = 0; start < text.length; start += 1) {
    const read = firsts.has(text.charAt(start))
      ? vault.synthetics.readAt(`${text.slice(start, start + 256)}\0`, 0)
      : 'none'
    if (typeof read === 'object')
      found.push({ detector: 'output', type: 'LITERAL', start, end: start + read.end, score: 1 })
  }
  return found
}
