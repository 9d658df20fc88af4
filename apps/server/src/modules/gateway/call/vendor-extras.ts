/** Members of a body that a party of another form has no word for. Pure. Tested in fields.test.ts and texts.test.ts. */
import { escapePointer } from '../../../kernel/schema/json-pointer.ts'
import type { CanonicalCall, VendorExtra, VendorForm } from './call.ts'
import { isPlainName } from './json-texts.ts'
import { mapVendorValue } from './sealed-thoughts.ts'

export function foreignExtras({ extra }: CanonicalCall, forms: readonly VendorForm[]): readonly VendorExtra[] {
  return extra.filter(({ form }) => !forms.includes(form))
}

export function ownExtras(call: CanonicalCall, forms: readonly VendorForm[]): CanonicalCall {
  return { ...call, extra: call.extra.filter(({ form }) => forms.includes(form)) }
}

type Text = (location: string, text: string) => string

/** The members with their texts replaced: what they hold, and their names where those are more than plain names. */
export function mapExtras(extra: readonly VendorExtra[], text: Text): readonly VendorExtra[] {
  const taken = new Set(extra.map(({ at }) => at))
  return extra.map((member) => {
    const { parent, name } = placeOf(member.at)
    if (isPlainName(name)) return { ...member, value: mapVendorValue(member.value, (value) => text(member.at, value)) }
    // A place is told to whoever reads of a violation, so a name that may be somebody's is no part of it.
    const shown = text(parent, name)
    const value = mapVendorValue(member.value, (inner) => text(parent, inner))
    return { ...member, at: shown === name ? member.at : newPlace(parent, shown, taken), value }
  })
}

function placeOf(at: string): { readonly parent: string; readonly name: string } {
  const cut = at.lastIndexOf('/')
  return {
    parent: at.slice(0, cut),
    name: at
      .slice(cut + 1)
      .replaceAll('~1', '/')
      .replaceAll('~0', '~'),
  }
}

/**
 * Names that are hidden alike stay apart. What is left of a name is never a plain one: a `tools` with an invisible letter
 * would take the place of the tools that were held against the policy.
 */
function newPlace(parent: string, name: string, taken: Set<string>): string {
  const at = `${parent}/${escapePointer(name)}`
  let free = isPlainName(name) ? `${at}_2` : at
  for (let count = 2; taken.has(free); count += 1) free = `${at}_${count}`
  taken.add(free)
  return free
}
