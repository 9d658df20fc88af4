/**
 * Reads facts by name for modules that do not know their owners. Promises that a caller without the permission gets
 * nothing, that data has its declared form, and that it is the transaction's tenant's alone. Tested in facts.test.ts and,
 * for every declared fact, in test/generated/facts.test.ts.
 */
import type { Actor } from '../access/actor.ts'
import { holds, type ModuleName } from '../access/permissions.ts'
import type { Clock } from '../base/clock.ts'
import type { Tx } from '../db/port.ts'
import { apiErrors, authErrors } from '../errors/errors.ts'
import { definePort } from '../module/ports/port.ts'
import { bodyReader, lazyCheck } from '../schema/validators.ts'
import { type FactDefinition, ownerIn } from './define.ts'

/** A fact, as far as its readers see it. */
export interface FactDescription
  extends Pick<FactDefinition, 'name' | 'description' | 'permission' | 'schema' | 'query'> {
  readonly owner: ModuleName
}

/** The work of a job, which no person asked for: it may read every fact of its transaction's tenant. */
export const systemCaller = Symbol('system')

/** On whose behalf a fact is read. */
export type FactCaller = Pick<Actor, 'tenantId' | 'permissions'> | typeof systemCaller

export interface FactRequest {
  readonly caller: FactCaller
  readonly query?: Readonly<Record<string, unknown>>
}

export interface FactReading {
  readonly name: string
  readonly owner: ModuleName
  /** The moment of the reading, ISO 8601. */
  readonly at: string
  /** As the fact's schema says. */
  readonly data: Readonly<Record<string, unknown>>
}

export interface Facts {
  /** Every declared fact, by name. */
  readonly all: ReadonlyMap<string, FactDescription>
  /**
   * Reads a fact of the transaction's tenant.
   * @throws API-013 for an unknown name, AUTH-004 without the permission or for a caller of another tenant, API-001 for a
   * query of another form, Error where the data has another form than its owner declares
   */
  read(tx: Tx, name: string, request: FactRequest): Promise<FactReading>
}

/** A module that reads facts names this port in its `needs`; the kernel fills it. */
export const factsPort = definePort<Facts>({ name: 'kernel.facts', cardinality: 'one' })

/** A fact with the services of its owner. */
export interface OwnedFact {
  readonly module: ModuleName
  readonly services: unknown
  readonly declared: FactDefinition
}

export function createFacts(clock: Pick<Clock, 'iso'>, owned: readonly OwnedFact[]): Facts {
  const readers = new Map(owned.map((fact) => [fact.declared.name, readerOf(clock, fact)]))
  return {
    all: new Map(owned.map(({ module, declared }) => [declared.name, { ...described(declared), owner: module }])),
    read: async (tx, name, request) => {
      const reader = readers.get(name)
      if (reader === undefined) throw apiErrors.notFound({ what: 'fact' })
      return reader(tx, request)
    },
  }
}

function described({ name, description, permission, schema, query }: FactDefinition) {
  return { name, description, permission, schema, query }
}

type Reader = (tx: Tx, request: FactRequest) => Promise<FactReading>

function readerOf(clock: Pick<Clock, 'iso'>, { module: owner, services, declared }: OwnedFact): Reader {
  const { name, permission } = declared
  const readQuery = bodyReader(declared.query)
  const check = lazyCheck(declared.schema)
  return async (tx, { caller, query = {} }) => {
    if (caller !== systemCaller && (caller.tenantId !== tx.tenantId || !holds(caller.permissions, permission)))
      throw authErrors.forbidden({ permission }).withMembers({ permission })
    const at = clock.iso()
    const data = await declared.read({ services, tx, at, query: readQuery(query) as never })
    const [wrong] = check(data)
    if (wrong !== undefined) throw new Error(`The fact ${name} is not as declared: ${wrong.pointer} ${wrong.detail}`)
    return { name, owner, at, data }
  }
}

/** @throws TypeError for a name that is declared twice or is not of its module */
export function refuseFacts(facts: readonly Pick<OwnedFact, 'module' | 'declared'>[]): void {
  const owners = new Map<string, string>()
  for (const {
    module,
    declared: { name },
  } of facts) {
    if (ownerIn(name) !== module)
      throw new TypeError(`${module} declares the fact ${name}, which is not named after it`)
    if (owners.has(name)) throw new TypeError(`${module} declares the fact ${name} twice`)
    owners.set(name, module)
  }
}
