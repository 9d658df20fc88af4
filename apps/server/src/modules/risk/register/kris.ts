/** Key risk indicators from bodies. A person types the value of a manual one only; the others are measured. */

import { apiErrors } from '../../../kernel/errors/errors.ts'
import type { Kernel } from '../../../kernel/kernel.ts'
import { areOrdered, kriStatus } from '../scoring/kri.ts'
import type { Kri, NewKri } from './parts.ts'

type Parts = Pick<Kernel, 'clock' | 'random'>

/** The indicators as they are stored: known ones keep their id, and measured ones their value. @throws API-001 */
export function krisOf(parts: Parts, before: readonly Kri[], given: readonly NewKri[]): Kri[] {
  const known = new Map(before.map((kri) => [kri.id, kri]))
  return given.map((kri, i) => {
    refuseFaulty(kri, `/kris/${i}`)
    const old = kri.id === undefined ? undefined : known.get(kri.id)
    if (kri.id !== undefined && old === undefined) throw refused('There is no such indicator.', `/kris/${i}/id`)
    return kriOf(parts, old?.source === kri.source ? old : undefined, { ...kri, id: old?.id ?? parts.random.uuid() })
  })
}

function kriOf({ clock }: Parts, old: Kri | undefined, given: NewKri & { readonly id: string }): Kri {
  const value = given.value === undefined ? (old?.value ?? null) : given.value
  const isNew = given.value !== undefined && given.value !== null
  return {
    id: given.id,
    name: given.name,
    source: given.source,
    amber: given.amber,
    red: given.red,
    direction: given.direction,
    window_days: given.window_days ?? null,
    pillar: given.pillar ?? null,
    value,
    status: kriStatus(given, value),
    observed_at: isNew ? clock.iso() : (old?.observed_at ?? null),
  }
}

/** The indicator with a measured value. */
export const measured = (kri: Kri, value: number, at: string): Kri => ({
  ...kri,
  value,
  status: kriStatus(kri, value),
  observed_at: at,
})

function refuseFaulty(kri: NewKri, pointer: string): void {
  const { source } = kri
  if (source === 'query')
    throw refused(
      'Indicators of the source query are not available: nothing here runs queries. Use manual.',
      `${pointer}/source`,
    )
  if (!areOrdered(kri)) throw refused('In the direction of the indicator, amber comes before red.', `${pointer}/red`)
  if (source !== 'manual' && kri.value !== undefined)
    throw refused('The value of this source is measured and cannot be given.', `${pointer}/value`)
  if ((source === 'event') !== (kri.window_days !== undefined))
    throw refused('An indicator of the source event, and no other, has window_days.', `${pointer}/window_days`)
  if ((source === 'trust_pillar') !== (kri.pillar !== undefined))
    throw refused('An indicator of the source trust_pillar, and no other, has a pillar.', `${pointer}/pillar`)
}

const refused = (detail: string, pointer: string) => apiErrors.validation({ what: detail }).at([{ detail, pointer }])
