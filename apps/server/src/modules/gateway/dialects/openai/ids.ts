import type { WithFacts } from '../../call/facts.ts'
/** Ids in OpenAI's form, if the provider gave none: derived from the log row's id, so that each leads to the other. */

export type IdPrefix = 'chatcmpl-' | 'resp_' | 'msg_' | 'rs_' | 'fc_'

export function vendorId(prefix: IdPrefix, { facts }: WithFacts, place: number | null = null): string {
  const id = facts.id.replaceAll('-', '')
  return place === null ? `${prefix}${id}` : `${prefix}${id}${String(place).padStart(3, '0')}`
}

/** The id of the log row; null for an id that is not ours. */
export function rowIdOf(id: string, prefix: IdPrefix): string | null {
  const [, a, b, c, d, e] =
    /^([0-9a-f]{8})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{12})$/.exec(id.slice(prefix.length)) ?? []
  return id.startsWith(prefix) && e !== undefined ? [a, b, c, d, e].join('-') : null
}

/** Unix seconds. */
export function createdAt({ facts }: WithFacts): number {
  return Math.floor(Date.parse(facts.startedAt) / 1000)
}
