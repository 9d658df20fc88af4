/** Members of a body that a party of another form has no word for. Pure. Tested in fields.test.ts. */
import type { CanonicalCall, VendorExtra, VendorForm } from './call.ts'

export function foreignExtras({ extra }: CanonicalCall, forms: readonly VendorForm[]): readonly VendorExtra[] {
  return extra.filter(({ form }) => !forms.includes(form))
}

export function ownExtras(call: CanonicalCall, forms: readonly VendorForm[]): CanonicalCall {
  return { ...call, extra: call.extra.filter(({ form }) => forms.includes(form)) }
}
