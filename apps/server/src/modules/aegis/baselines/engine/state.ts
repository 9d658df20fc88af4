/** Learned state of one agent: sketches and hourly aggregates, never events. Plain JSON. */
import type { MarkovChainState, TDigestState } from '@parapet/quant'
import { type Feature, noTotals, type Totals } from './features.ts'

export const dayKinds = ['weekday', 'weekend'] as const
export type DayKind = (typeof dayKinds)[number]

/** The last values of a seasonal bucket: hour (hours since 1970) and value on the scale of comparison. */
export type Ring = readonly (readonly [hour: number, y: number])[]

/** One of 48 buckets: weekday or weekend, and the hour of the day (UTC). */
export type Bucket = Readonly<Partial<Record<Feature, Ring>>>

export interface DayTools {
  /** Days since 1970. */
  readonly day: number
  readonly counts: Readonly<Record<string, number>>
}

export interface BaselineState {
  /** Hour of the first activity. */
  readonly since: number
  readonly totals: Totals
  /** Robust z of the hour before, for the rule of two. */
  readonly previous: { readonly hour: number; readonly z: Readonly<Partial<Record<Feature, number>>> } | null
  readonly today: {
    readonly day: number
    readonly values: Readonly<Partial<Record<Feature, readonly number[]>>>
    readonly tools: Readonly<Record<string, number>>
    readonly calls: number
  } | null
  /** Daily medians of the last days, by kind of day. */
  readonly days: Readonly<Record<DayKind, Readonly<Partial<Record<Feature, readonly number[]>>>>>
  /** Control chart of standardized daily medians. */
  readonly charts: Readonly<Partial<Record<Feature, number>>>
  readonly toolDays: readonly DayTools[]
  /** Calls of the last seven days. */
  readonly dayCalls: readonly number[]
  readonly chain: MarkovChainState
  /** Bits per step of earlier windows. */
  readonly windows: TDigestState | null
  /** Hour in which a detector last fired, by detector and feature. */
  readonly fired: Readonly<Record<string, number>>
}

export const emptyState = (since: number): BaselineState => ({
  since,
  totals: noTotals,
  previous: null,
  today: null,
  days: { weekday: {}, weekend: {} },
  charts: {},
  toolDays: [],
  dayCalls: [],
  chain: { transitions: [] },
  windows: null,
  fired: {},
})

/** Hours of confirmed attacks. */
export interface AttackHours {
  readonly from: number
  readonly to: number
}

const isOfAttack = (hour: number, attacks: readonly AttackHours[]): boolean =>
  attacks.some(({ from, to }) => hour >= from && hour < to)

/** The bucket without values of hours with a confirmed attack, which are nothing to compare with. */
export function bucketWithout(bucket: Bucket, attacks: readonly AttackHours[]): Bucket {
  if (attacks.length === 0) return bucket
  const rings = Object.entries(bucket).map(([feature, ring]) => [
    feature,
    ring.filter(([hour]) => !isOfAttack(hour, attacks)),
  ])
  return Object.fromEntries(rings)
}

/** The state without the tool mix of days with a confirmed attack. */
export function stateWithout(state: BaselineState, attacks: readonly AttackHours[]): BaselineState {
  const hit = new Set(attacks.map(({ from }) => Math.floor(from / 24)))
  return attacks.length === 0 ? state : { ...state, toolDays: state.toolDays.filter(({ day }) => !hit.has(day)) }
}

export const warmUp = { days: 14, calls: 200, valuesInBucket: 10 } as const

/** Whether statistical detectors may fire. */
export const isWarm = ({ since, totals }: Pick<BaselineState, 'since' | 'totals'>, hour: number): boolean =>
  hour - since >= warmUp.days * 24 && totals.calls >= warmUp.calls

/** Saturday and Sunday in UTC; 1970 began on a Thursday. */
export const dayKindOf = (day: number): DayKind => ((day + 4) % 7 === 0 || (day + 4) % 7 === 6 ? 'weekend' : 'weekday')

/** 0..23 on weekdays, 24..47 on weekends. */
export const bucketOf = (hour: number): number =>
  (hour % 24) + (dayKindOf(Math.floor(hour / 24)) === 'weekend' ? 24 : 0)
