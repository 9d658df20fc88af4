/**
 * The names `TYPE_n` of a vault: numbers from 1 for each type, in the order in which values were first named.
 * Promises one name for a type and value, and to tell what a name can begin with without keeping every beginning.
 * Tested in names.test.ts and redact.test.ts.
 */
import { isDigit } from '../base/matcher.ts'
import { type Brackets, placeholderType } from './placeholder.ts'
import type { VaultEntry } from './vault.ts'

export interface Names {
  /** The placeholder of a value; a restorable one stays so. */
  of(type: string, value: string, isRestorable: boolean): { readonly placeholder: string }
  /** The entry to restore for a name. */
  entry(name: string): VaultEntry | undefined
  /** Whether a restorable name begins like this. */
  begins(prefix: string): boolean
  hasType(type: string): boolean
  /** All that may be restored, in the order in which it became so. */
  entries(): readonly VaultEntry[]
}

interface Named {
  readonly number: number
  readonly placeholder: string
  entry: VaultEntry | undefined
}

/** The values of one type. */
interface Group {
  readonly type: string
  readonly byValue: Map<string, Named>
  readonly byNumber: Named[]
  /** Numbers of restorable values, rising unless a value became restorable late. */
  hasGaps: boolean
  restorable: number
}

/** Names between the brackets of a vault. */
export function createNames({ open, close }: Brackets): Names {
  const groups = new Map<string, Group>()
  const safeTypes = new Map<string, Group>()
  const beginnings = new Set<string>()
  const kept: VaultEntry[] = []

  const groupOf = (type: string): Group => {
    const known = safeTypes.get(type)
    if (known) return known
    const safe = placeholderType(type)
    const group = groups.get(safe) ?? { type: safe, byValue: new Map(), byNumber: [], hasGaps: false, restorable: 0 }
    groups.set(safe, group)
    safeTypes.set(type, group)
    return group
  }
  const keep = (group: Group, named: Named, type: string, value: string): void => {
    if (group.restorable === 0)
      for (let length = 0; length <= group.type.length; length += 1) beginnings.add(group.type.slice(0, length))
    beginnings.add(`${group.type}_`)
    group.hasGaps ||= named.number !== group.restorable + 1
    group.restorable += 1
    named.entry = { placeholder: named.placeholder, type, value }
    kept.push(named.entry)
  }
  return {
    of: (type, value, isRestorable) => {
      const group = groupOf(type)
      let named = group.byValue.get(value)
      if (!named) {
        const number = group.byNumber.length + 1
        named = { number, placeholder: `${open}${group.type}_${number}${close}`, entry: undefined }
        group.byValue.set(value, named)
        group.byNumber.push(named)
      }
      if (isRestorable && !named.entry) keep(group, named, type, value)
      return named
    },
    entry: (name) => {
      const { group, digits } = split(name, groups)
      return group && digits !== '' ? group.byNumber[Number(digits) - 1]?.entry : undefined
    },
    begins: (prefix) => {
      if (beginnings.has(prefix)) return true
      const { group, digits } = split(prefix, groups)
      return group !== undefined && digits !== '' && beginsNumber(group, Number(digits))
    },
    hasType: (type) => groups.has(type),
    entries: () => kept,
  }
}

const mostDigits = 10

/** The type of a name and the digits after it, as they were given out. */
function split(name: string, groups: ReadonlyMap<string, Group>): { group: Group | undefined; digits: string } {
  let mark = name.length
  while (name.length - mark <= mostDigits && isDigit(name.charCodeAt(mark - 1))) mark -= 1
  const isNumber = mark < name.length && name.length - mark <= mostDigits && name.charCodeAt(mark) !== 48
  if (!isNumber || name.charCodeAt(mark - 1) !== 95) return unnumbered
  return { group: groups.get(name.slice(0, mark - 1)), digits: name.slice(mark) }
}

const unnumbered = { group: undefined, digits: '' } as const

/** Whether the number of a restorable value begins with these digits. */
function beginsNumber({ byNumber, hasGaps, restorable }: Group, number: number): boolean {
  if (!hasGaps) return number <= restorable
  for (let [from, to] = [number, number]; from <= byNumber.length; [from, to] = [from * 10, to * 10 + 9]) {
    for (let at = from; at <= Math.min(to, byNumber.length); at += 1) if (byNumber[at - 1]?.entry) return true
  }
  return false
}
