import { acceptedPairs, type BracketPair, type Brackets, defaultBrackets, placeholderType } from './placeholder.ts'
import { createSynthetics, type Synthetics } from './synthetic.ts'

export interface VaultEntry {
  /** What stands for the value in a redacted text: a placeholder, or a synthetic value. */
  readonly placeholder: string
  readonly type: string
  readonly value: string
}

/** The values of one call and their placeholders, in memory. Whoever keeps the entries encrypts them. */
export interface Vault {
  readonly brackets: Brackets
  readonly pairs: readonly BracketPair[]
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
  const numbering = createNumbering()
  const restorable = new Map<string, VaultEntry>()
  const prefixes = new Set<string>()
  const typed = new Set<string>()
  const synthetics = createSynthetics()
  const wrap = (name: string): string => brackets.open + name + brackets.close

  return {
    brackets,
    pairs: acceptedPairs(brackets),
    placeholderFor: (type, value) => {
      const name = numbering.nameOf(placeholderType(type), value)
      const placeholder = wrap(name)
      if (!restorable.has(name)) {
        restorable.set(name, { placeholder, type, value })
        for (let length = 0; length <= name.length; length += 1) prefixes.add(name.slice(0, length))
      }
      return placeholder
    },
    outPlaceholderFor: (type, value) => wrap(numbering.nameOf(placeholderType(`OUT_${type}`), value)),
    valueOf: (name) => restorable.get(name.toUpperCase())?.value,
    beginsName: (prefix) => prefixes.has(prefix),
    usesType: (type) => numbering.hasType(type),
    keepTyped: (name) => {
      typed.add(name.toUpperCase())
    },
    wasTyped: (name) => typed.has(name.toUpperCase()),
    synthetics,
    entries: () => [...restorable.values(), ...synthetics.entries()],
  }
}

const isUsable = (bracket: string): boolean => /^[^\sA-Za-z0-9_]{1,2}$/.test(bracket)

interface Numbering {
  nameOf(type: string, value: string): string
  hasType(type: string): boolean
}

function createNumbering(): Numbering {
  const namesByType = new Map<string, Map<string, string>>()
  return {
    nameOf: (type, value) => {
      const names = namesByType.get(type) ?? new Map<string, string>()
      namesByType.set(type, names)
      const name = names.get(value) ?? `${type}_${names.size + 1}`
      names.set(value, name)
      return name
    },
    hasType: (type) => namesByType.has(type),
  }
}
