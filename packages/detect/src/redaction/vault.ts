import { type BracketForms, bracketForms } from './forms.ts'
import { createNames } from './names.ts'
import { type Brackets, defaultBrackets } from './placeholder.ts'
import { createSynthetics, type Synthetics } from './synthetic.ts'

export interface VaultEntry {
  /** Stands for the value in a redacted text: a placeholder, or a synthetic value. */
  readonly placeholder: string
  readonly type: string
  readonly value: string
}

/** The values of one call and their placeholders, in memory. A caller that stores the entries encrypts them. */
export interface Vault {
  readonly brackets: Brackets
  /** In which brackets a placeholder may come back. */
  readonly forms: BracketForms
  /** Placeholder of a value that may be restored; equal type and value give the equal placeholder. */
  placeholderFor(type: string, value: string): string
  /** Placeholder `OUT_TYPE_n` of a value found in an answer; it is never restored. */
  outPlaceholderFor(type: string, value: string): string
  /** Value behind a placeholder name such as `EMAIL_1`, in any case. */
  valueOf(name: string): string | undefined
  /** Whether a name of this vault begins like this (upper case). */
  beginsName(prefix: string): boolean
  /** Whether placeholders of this type were given out, restorable or not. */
  usesType(type: string): boolean
  /** Remembers a name that the caller typed: only in the vault's own brackets is it a placeholder. */
  keepTyped(name: string): void
  wasTyped(name: string): boolean
  /** Stand-ins of the `synthetic` style. */
  readonly synthetics: Synthetics
  entries(): VaultEntry[]
}

/** An empty vault for one call. */
export function createVault({ brackets = defaultBrackets }: { brackets?: Brackets } = {}): Vault {
  if (!isUsable(brackets.open) || !isUsable(brackets.close)) {
    throw new RangeError(
      'Placeholder brackets must be one or two characters other than letters, digits, underscore and blanks.',
    )
  }
  const names = createNames(brackets)
  const typed = new Set<string>()
  const synthetics = createSynthetics()

  return {
    brackets,
    forms: bracketForms(brackets),
    placeholderFor: (type, value) => names.of(type, value, true).placeholder,
    outPlaceholderFor: (type, value) => names.of(`OUT_${type}`, value, false).placeholder,
    valueOf: (name) => names.entry(name.toUpperCase())?.value,
    beginsName: names.begins,
    usesType: names.hasType,
    keepTyped: (name) => {
      typed.add(name.toUpperCase())
    },
    wasTyped: (name) => typed.has(name.toUpperCase()),
    synthetics,
    entries: () => [...names.entries(), ...synthetics.entries()],
  }
}

const isUsable = (bracket: string): boolean => /^[^\sA-Za-z0-9_]{1,2}$/.test(bracket)
