/**
 * States of people in memory, for decisions about model calls. A change is told at its commit: here at once, on every other
 * instance within a second, and a state that was read while it changed is not kept. Bounded by people and tenants.
 * Tested in consents.test.ts.
 */
import type { Database } from '../../../kernel/db/port.ts'
import type { ChangeSource } from '../../../kernel/live/changes.ts'
import type { SubjectState } from '../engine/decide.ts'
import type { ConsentMemory, HashOf } from '../services/data-gov-services.ts'
import { stateOf, statesStatement } from './state-rows.ts'

/** Key: the person, or `*` for all of a tenant. */
export const consentTopic = 'data_gov.consent'

const mostTenants = 2_000
const mostPeople = 20_000

interface Tenant {
  generation: number
  readonly people: Map<string, SubjectState | null>
}

interface MemoryParts {
  readonly db: Pick<Database, 'read'>
  readonly live: Pick<ChangeSource, 'on'>
  readonly hashOf: HashOf
}

export function createConsentMemory({ db, live, hashOf }: MemoryParts): ConsentMemory {
  const tenants = new Map<string, Tenant>()
  const stop = live.on(consentTopic, (key, _data, tenantId) => forget(tenants.get(tenantId), key))
  const tenantOf = (id: string): Tenant => {
    const found = tenants.get(id) ?? { generation: 0, people: new Map() }
    // The least recently used goes first.
    tenants.delete(id)
    tenants.set(id, found)
    if (tenants.size > mostTenants) tenants.delete(tenants.keys().next().value ?? id)
    return found
  }
  return {
    stop,
    known: (tenantId, alias) => tenants.get(tenantId)?.people.get(keyOf(alias)),
    find: async (tenantId, alias, fresh = false) => {
      const key = keyOf(alias)
      const tenant = tenantOf(tenantId)
      const known = tenant.people.get(key)
      if (known !== undefined && !fresh) return known
      const { generation } = tenant
      const rows = await db.read(tenantId, statesStatement(await hashOf(tenantId, key)))
      const state = stateOf(rows)
      if (tenant.generation === generation) keep(tenant, key, state)
      return state
    },
  }
}

/** One form of an identifier, however it is written. */
export const keyOf = (alias: string): string => alias.trim().normalize('NFC').toLowerCase()

function keep({ people }: Tenant, key: string, state: SubjectState | null): void {
  if (people.size >= mostPeople) people.delete(people.keys().next().value ?? key)
  people.set(key, state)
}

/** A change may be about a person who had no record before, so memories of nobody go with every change. */
function forget(tenant: Tenant | undefined, subjectId: string): void {
  if (tenant === undefined) return
  tenant.generation += 1
  for (const [key, state] of tenant.people)
    if (subjectId === '*' || state === null || state.id === subjectId) tenant.people.delete(key)
}
