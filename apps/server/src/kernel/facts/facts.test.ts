import Type from 'typebox'
import { describe, expect, test } from 'vitest'
import type { TenantId } from '../access/actor.ts'
import { everyPermission, type ModuleName, permissionSet } from '../access/permissions.ts'
import { assembleModules } from '../assembly/modules.ts'
import { announcingTx, handFeed } from '../auth/testing/fakes.ts'
import { ProblemError } from '../errors/problem.ts'
import type { Kernel } from '../kernel.ts'
import { defineModule, type Module } from '../module/module.ts'
import { createPorts } from '../module/ports/ports.ts'
import { strictObject } from '../schema/types.ts'
import { defineFact, type FactContext, type FactDefinition } from './define.ts'
import { createFacts, type FactCaller, systemCaller } from './facts.ts'

const own = '0190c000-0000-7000-8000-000000000001' as TenantId
const other = '0190c000-0000-7000-8000-000000000002' as TenantId
const tx = announcingTx(own, handFeed())
const at = '2026-01-01T00:00:00.000Z'

interface Register {
  readonly open: number
}

const openFact = defineFact({
  name: 'risk.open',
  description: 'Risks that are open.',
  permission: 'risk:read',
  query: strictObject({ days: Type.Optional(Type.Integer({ minimum: 1 })) }),
  schema: strictObject({ tenant: Type.String(), open: Type.Integer(), days: Type.Integer(), at: Type.String() }),
  read: async ({ services, tx: { tenantId }, at: moment, query }: FactContext<Register, { days?: number }>) => ({
    ...{ tenant: tenantId, open: services.open, days: query.days ?? 30, at: moment },
  }),
})

const moduleOf = (name: ModuleName, facts: readonly FactDefinition<Register>[]) =>
  defineModule<Register>({
    ...{ name, prefix: name, errors: {}, tables: [], migrations: [], routes: [], emits: [], facts },
    services: () => ({ open: 3 }),
  })

function readerOf(modules: readonly Module[]) {
  const made = assembleModules(Object.freeze({}) as Kernel, modules, createPorts(modules).needsOf)
  return createFacts({ iso: () => at }, made.facts)
}

const facts = readerOf([moduleOf('risk', [openFact])])
const reader = (permissions: readonly string[], tenantId = own): FactCaller => ({
  tenantId,
  permissions: permissionSet(permissions),
})

async function refusal(read: Promise<unknown>): Promise<string> {
  const error: unknown = await read.then(
    () => 'read',
    (thrown: unknown) => thrown,
  )
  return error instanceof ProblemError ? `${error.status} ${error.code}` : String(error)
}

describe('a fact', () => {
  test('is read by its name with its owner and the moment, by who has its permission and by jobs', async () => {
    const data = { tenant: own, open: 3, days: 30, at }
    const reading = { name: 'risk.open', owner: 'risk', at, data }
    expect(await facts.read(tx, 'risk.open', { caller: reader(['risk:read']) })).toEqual(reading)
    expect(await facts.read(tx, 'risk.open', { caller: reader(['risk:admin']) })).toEqual(reading)
    expect(await facts.read(tx, 'risk.open', { caller: systemCaller, query: { days: 7 } })).toEqual({
      ...reading,
      data: { ...data, days: 7 },
    })
  })

  test('is listed with its owner, its permission and its schema', () => {
    expect([...facts.all.keys()]).toEqual(['risk.open'])
    expect(facts.all.get('risk.open')).toMatchObject({
      ...{ owner: 'risk', permission: 'risk:read', description: 'Risks that are open.', schema: openFact.schema },
    })
  })

  test.each<[string, string, FactCaller, Record<string, unknown>, string]>([
    ['without the permission', 'risk.open', reader(['iam:admin', 'trust:read']), {}, '403 AUTH-004'],
    ['from another tenant', 'risk.open', { tenantId: other, permissions: everyPermission }, {}, '403 AUTH-004'],
    ['under a name that nobody declares', 'risk.closed', systemCaller, {}, '404 API-013'],
    ['with a query that it does not take', 'risk.open', systemCaller, { weeks: 1 }, '400 API-001'],
    ['with a value that it does not take', 'risk.open', systemCaller, { days: 0 }, '400 API-001'],
  ])('is not read %s', async (_how, name, caller, query, expected) => {
    expect(await refusal(facts.read(tx, name, { caller, query }))).toBe(expected)
  })

  test('of another form than its owner declares is an error and no reading', async () => {
    const wrong = { ...openFact, read: async () => ({ tenant: own, open: 1.5, days: 1, at }) }
    const broken = readerOf([moduleOf('risk', [wrong])])
    expect(await refusal(broken.read(tx, 'risk.open', { caller: systemCaller }))).toMatch(
      /The fact risk\.open is not as declared: \/open/,
    )
  })
})

describe('the program does not start', () => {
  test.each<[string, readonly Module[], string]>([
    ['with two facts of one name', [moduleOf('risk', [openFact, openFact])], 'risk declares the fact risk.open twice'],
    [
      'with a fact that is named after another module',
      [moduleOf('risk', []), moduleOf('aegis', [openFact])],
      'aegis declares the fact risk.open, which is not named after it',
    ],
  ])('%s', (_what, modules, message) => {
    expect(() => readerOf(modules)).toThrow(message)
  })

  test('with a name of another form, or a query that has to be given', () => {
    expect(() => defineFact({ ...openFact, name: 'open' })).toThrow('open is not the name of a fact')
    const query = strictObject({ days: Type.Integer() })
    expect(() => defineFact({ ...openFact, query, read: async () => ({ tenant: '', open: 1, days: 1, at }) })).toThrow(
      'the query of the fact risk.open has a required member',
    )
  })

  test('hyphens of a module’s name are underscores', () => {
    const named = { ...openFact, name: 'svc_ai.open' }
    expect([...readerOf([moduleOf('svc-ai', [named])]).all.keys()]).toEqual(['svc_ai.open'])
  })
})
