/**
 * Outages of providers that the gateway saw become measured recoveries. One that began while an experiment of the tenant
 * ran was made by it, and is no incident. Tested in measurements.test.ts.
 */

import type { Tx } from '../../../kernel/db/port.ts'
import { sql } from '../../../kernel/db/sql.ts'
import { systemCaller } from '../../../kernel/facts/facts.ts'
import type { EventBatch, EventHandlerDeclaration } from '../../../kernel/module/module.ts'
import { measurements } from '../declared/measurements.ts'
import { assessService } from '../model/assess.ts'
import { providerKey } from '../model/platform-map.ts'
import type { ResilienceServices } from '../services/resilience-services.ts'

export const providerOutages: EventHandlerDeclaration<ResilienceServices> = {
  name: 'resilience.provider_outages',
  channels: ['gateway.provider.degraded', 'gateway.provider.recovered'],
  handle: noteOutages,
}

async function noteOutages({ tx, events, services }: EventBatch<ResilienceServices>): Promise<void> {
  const names = await namesOf(services, tx)
  for (const event of events) {
    const data = event.data as { provider_id: string; state: string; since: string }
    const name = names.get(data.provider_id)
    if (name === undefined) continue
    if (event.channel === 'gateway.provider.recovered') await end(services, tx, { ...data, name })
    else if (data.state === 'down') await begin(services, tx, { ...data, name })
  }
}

async function namesOf({ facts }: ResilienceServices, tx: Tx): Promise<ReadonlyMap<string, string>> {
  const { data } = await facts().read(tx, 'gateway.providers', { caller: systemCaller })
  const { providers } = data as { providers: readonly { id: string; name: string }[] }
  return new Map(providers.map(({ id, name }) => [id, name]))
}

interface Told {
  readonly provider_id: string
  readonly since: string
  readonly name: string
}

async function begin({ kernel }: ResilienceServices, tx: Tx, { provider_id: id, since, name }: Told): Promise<void> {
  const open = await tx.first(sql`
    select 1 as one from resilience_measurement where reference = ${`provider:${id}`} and minutes is null`)
  const experiment = await tx.first(sql`
    select 1 as one from resilience_experiment
    where injected_at <= ${since} and (finished_at is null or finished_at >= ${since}) limit 1`)
  if (open !== null || experiment !== null) return
  await measurements.insert(tx, {
    ...{ tenant_id: tx.tenantId, id: kernel.random.uuid(), created_at: kernel.clock.iso(), started_at: since },
    ...{
      service_key: providerKey(name),
      objective: 'rto',
      source: 'incident',
      reference: `provider:${id}`,
      minutes: null,
    },
  })
}

async function end({ kernel }: ResilienceServices, tx: Tx, { provider_id: id, since, name }: Told): Promise<void> {
  const ended = await tx.execute(sql`
    update resilience_measurement
    set minutes = greatest(0, extract(epoch from ${since}::timestamptz - started_at) / 60)
    where reference = ${`provider:${id}`} and minutes is null`)
  if (ended > 0) await assessService(kernel, tx, providerKey(name))
}
