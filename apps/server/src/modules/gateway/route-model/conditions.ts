/**
 * For which calls a target of a route is meant. Everything said must hold; a target without conditions takes every call.
 * Tested in conditions.test.ts.
 */

import { worksWithin } from '../../../kernel/base/regions.ts'
import { askedPlaces, placeOfProfile } from '../call/asked-places.ts'
import type { CanonicalCall } from '../call/call.ts'
import { isOffline, type Target } from '../providers/provider.ts'
import type { Conditions } from '../schemas/conditions.ts'
import type { operations } from '../words/operations.ts'
import type { Classification } from '../words/policy-words.ts'

/** Facts that conditions may use. */
export interface ConditionFacts {
  readonly operation: (typeof operations)[number]
  readonly keyId: string | null
  readonly agentId: string | null
  readonly tags: readonly string[]
  readonly metadata: Readonly<Record<string, string>>
  /** Asked for only when a condition needs it: counting reads the whole call. */
  readonly inputTokens: () => number
  /** Unix milliseconds. */
  readonly now: number
}

export function conditionsHold(conditions: Conditions, facts: ConditionFacts): boolean {
  const { operations: wanted, keys, agents, tags, metadata = {}, input_tokens: tokens, time } = conditions
  return (
    (wanted === undefined || wanted.includes(facts.operation)) &&
    names(keys, facts.keyId) &&
    names(agents, facts.agentId) &&
    (tags === undefined || tags.some((tag) => facts.tags.includes(tag))) &&
    Object.entries(metadata).every(([member, values]) => names(values, facts.metadata[member] ?? null)) &&
    (time === undefined || isWithin(time, facts.now)) &&
    (tokens === undefined || isBetween(tokens, facts.inputTokens()))
  )
}

/** Looked at later than the rest: the class of a call is known when its texts were read. */
export function meantForClass(conditions: Conditions | null | undefined, dataClass: Classification): boolean {
  return conditions?.data_classes?.includes(dataClass) ?? true
}

/** A call to the built-in provider does not leave the process. */
export function worksWhereMeant({ residency }: Conditions, target: Target): boolean {
  return residency === undefined || isOffline(target.provider) || worksThere(target, residency)
}

/** Whether the call leaves it at that, and chooses no other place. */
export function staysWhereMeant(
  { residency }: Conditions,
  { provider }: Target,
  call: Pick<CanonicalCall, 'extra' | 'tools'>,
): boolean {
  if (residency === undefined || isOffline(provider)) return true
  return askedPlaces(call).every(({ regions }) => worksWithin(regions, residency))
}

/** Whether the provider works within the regions, also where the name of the model says where it is run. */
export function worksThere({ provider, model }: Target, regions: readonly string[]): boolean {
  const place = provider.kind === 'aws_bedrock' ? placeOfProfile(model) : null
  return worksWithin(provider.residency ?? [], regions) && (place === null || worksWithin(place, regions))
}

function names(wanted: readonly string[] | undefined, value: string | null): boolean {
  return wanted === undefined || (value !== null && wanted.includes(value))
}

function isBetween({ at_least: least = 0, at_most: most }: { at_least?: number; at_most?: number }, count: number) {
  return count >= least && (most === undefined || count <= most)
}

type Time = Exclude<Conditions['time'], undefined>

const minutesOfDay = 24 * 60

function isWithin({ days, from, to, time_zone: zone = 'UTC' }: Time, now: number): boolean {
  const { day, minute } = localTime(zone, now)
  const [begin, end] = [from === undefined ? 0 : minutesOf(from), to === undefined ? minutesOfDay : minutesOf(to)]
  const overnight = end <= begin
  const inside = overnight ? minute >= begin || minute < end : minute >= begin && minute < end
  // The hours after midnight belong to the day on which they began.
  const startedOn = overnight && minute < end ? ((day + 5) % 7) + 1 : day
  return inside && (days === undefined || days.includes(startedOn))
}

function minutesOf(text: string): number {
  return Number(text.slice(0, 2)) * 60 + Number(text.slice(3))
}

const formats = new Map<string, Intl.DateTimeFormat>()
const weekdays = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun']

function localTime(zone: string, now: number): { readonly day: number; readonly minute: number } {
  const format = formats.get(zone) ?? newFormat(zone)
  formats.set(zone, format)
  const parts = new Map(format.formatToParts(now).map(({ type, value }) => [type, value]))
  return {
    day: weekdays.indexOf(parts.get('weekday') ?? '') + 1,
    minute: Number(parts.get('hour')) * 60 + Number(parts.get('minute')),
  }
}

function newFormat(timeZone: string): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat('en-GB', {
    timeZone,
    weekday: 'short',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  })
}
