/**
 * Puts unknown content back to its place in the caller's body: whole blocks between the others first, then members of
 * existing blocks. Promises that nothing is lost silently. Pure. Tested in encode.test.ts.
 */
import type { CanonicalCall, VendorExtra, VendorForm } from '../../../call/call.ts'
import { setAt } from '../../../call/pointer.ts'
import { UpstreamFault } from '../../fault.ts'

/** A message and where it stood in the caller's body; null where it is not the caller's. */
export interface Placed {
  readonly at: string | null
}

export interface Places {
  readonly form: VendorForm
  /** Blocks of system text that stand before the caller's own. */
  readonly systemOffset: number
  readonly messagePlaces: readonly Placed[]
}

/** The member that travels as a header. */
export const betasAt = '/betas'

/** @throws UpstreamFault for a member whose place no longer exists */
export function putBackMembers(body: Record<string, unknown>, { extra }: CanonicalCall, places: Places): void {
  const own = extra
    .filter(({ form, at }) => form === places.form && at !== betasAt)
    .map((member) => ({ member, at: placeOf(member.at, places) }))
  const blocks = own.filter(({ at }) => wholeBlockAt.test(at))
  for (const { member, at } of blocks) if (!insertAt(body, at, member.value)) throw lost(member)
  const members = own.filter(({ at }) => !wholeBlockAt.test(at))
  for (const { member, at } of members) if (!setMember(body, at, member.value)) throw lost(member)
}

const wholeBlockAt = /\/content\/\d+$/

function lost({ at }: VendorExtra): UpstreamFault {
  return new UpstreamFault('bad_request', `There is no place for ${at}.`)
}

/** Where a pointer into the caller's body leads in the body that is sent. */
function placeOf(at: string, { systemOffset, messagePlaces }: Places): string {
  const [, index, systemRest = ''] = /^\/system\/(\d+)(\/.*)?$/s.exec(at) ?? []
  if (index !== undefined) return `/system/${Number(index) + systemOffset}${systemRest}`
  const [place = ''] = /^\/messages\/\d+/.exec(at) ?? []
  const message = place === '' ? -1 : messagePlaces.findIndex((placed) => placed.at === place)
  return message < 0 ? at : `/messages/${message}${at.slice(place.length)}`
}

/** Blocks come in the order of their pointers, so each finds those before it in place. */
function insertAt(body: Record<string, unknown>, at: string, value: unknown): boolean {
  const cut = at.lastIndexOf('/')
  const index = Number(at.slice(cut + 1))
  const list = listAt(body, at.slice(1, cut).split('/'))
  if (list === null || index > list.length) return false
  list.splice(index, 0, value)
  return true
}

function listAt(body: Record<string, unknown>, names: readonly string[]): unknown[] | null {
  let place: unknown = body
  for (const name of names) {
    if (typeof place !== 'object' || place === null || !Object.hasOwn(place, name)) return null
    place = Reflect.get(place, name)
  }
  return Array.isArray(place) ? place : null
}

/** A member of an object the caller sent and we had nothing to put into, such as `output_config`, brings it along. */
function setMember(body: Record<string, unknown>, at: string, value: unknown): boolean {
  if (setAt(body, at, value)) return true
  const [, parent = ''] = /^(\/[a-z_]+)\/[^/]+$/.exec(at) ?? []
  return parent !== '' && !Object.hasOwn(body, parent.slice(1)) && setAt(body, parent, {}) && setAt(body, at, value)
}
