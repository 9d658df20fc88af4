/** Members of a body that have no counterpart in another form. Pure. Tested in fields.test.ts and texts.test.ts. */
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

/** The members with their texts replaced: their values, and their names unless those are plain names. */
export function mapExtras(extra: readonly VendorExtra[], text: Text): readonly VendorExtra[] {
  const taken = new Set(extra.map(({ at }) => at))
  return extra.map((member) => {
    const { parent, name } = placeOf(member.at)
    if (isPlainName(name)) return { ...member, value: mapVendorValue(member.value, (value) => text(member.at, value)) }
    // Locations are shown in violations, so a name that may be personal data is left out of them.
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
 * Names that are hidden alike stay distinct. A redacted name never becomes a plain one: `tools` with an invisible
 * letter would otherwise replace the tools that were checked against the policy.
 */
function newPlace(parent: string, name: string, taken: Set<string>): string {
  const at = `${parent}/${escapePointer(name)}`
  let free = isPlainName(name) ? `${at}_2` : at
  for (let count = 2; taken.has(free); count += 1) free = `${at}_${count}`
  taken.add(free)
  return free
}
