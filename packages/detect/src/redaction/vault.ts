import { acceptedPairs, type BracketPair, type Brackets, defaultBrackets, placeholderType } from './placeholder.ts'

export interface VaultEntry {
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
  /** Remembers bracketed text that the caller typed, so that it is not taken for a rewritten placeholder. */
  keepTyped(text: string): void
  wasTyped(text: string): boolean
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
  const typed = new Set<string>()
  const wrap = (name: string): string => brackets.open + name + brackets.close

  return {
    brackets,
    pairs: acceptedPairs(brackets),
    placeholderFor: (type, value) => {
      const name = numbering.nameOf(placeholderType(type), value)
      const placeholder = wrap(name)
      if (!restorable.has(name)) restorable.set(name, { placeholder, type, value })
      return placeholder
    },
    outPlaceholderFor: (type, value) => wrap(numbering.nameOf(placeholderType(`OUT_${type}`), value)),
    valueOf: (name) => restorable.get(name.toUpperCase())?.value,
    keepTyped: (text) => {
      typed.add(text.toUpperCase())
    },
    wasTyped: (text) => typed.has(text.toUpperCase()),
    entries: () => [...restorable.values()],
  }
}

const isUsable = (bracket: string): boolean => /^[^\sA-Za-z0-9_]{1,2}$/.test(bracket)

function createNumbering(): { nameOf(type: string, value: string): string } {
  const namesByType = new Map<string, Map<string, string>>()
  return {
    nameOf: (type, value) => {
      const names = namesByType.get(type) ?? new Map<string, string>()
      namesByType.set(type, names)
      const name = names.get(value) ?? `${type}_${names.size + 1}`
      names.set(value, name)
      return name
    },
  }
}
