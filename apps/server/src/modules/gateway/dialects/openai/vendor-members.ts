/** Collects the unknown members of a body, with their places, for a provider of the same form. */
import { escapePointer } from '../../../../kernel/schema/json-pointer.ts'
import type { VendorExtra, VendorForm } from '../../call/call.ts'

/** Members of a body that make an answer cheaper or name its end user, and do not change it. */
export const wishesOfBody: ReadonlySet<string> = new Set([
  ...['prompt_cache_key', 'prompt_cache_retention', 'prompt_cache_options', 'safety_identifier'],
])

export interface VendorMembers {
  readonly found: readonly VendorExtra[]
  keep(at: string, value: unknown): void
  /** Keeps the members of a record except the known ones; null members, and empty optional ones, are skipped. */
  keepRest(record: object, known: ReadonlySet<string>, at: string, optional?: ReadonlySet<string>): void
}

export function vendorMembers(form: VendorForm): VendorMembers {
  const found: VendorExtra[] = []
  const keep = (at: string, value: unknown): void => {
    if (value !== null && value !== undefined) found.push({ at, form, value })
  }
  return {
    found,
    keep,
    keepRest: (record, known, at, optional) => {
      for (const [name, value] of Object.entries(record)) {
        if (known.has(name)) continue
        const place = `${at}/${escapePointer(name)}`
        if (optional?.has(name) !== true) keep(place, value)
        else if (!isEmpty(value)) found.push({ at: place, form, value, optional: true })
      }
    },
  }
}

const isEmpty = (value: unknown): boolean =>
  value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0)
