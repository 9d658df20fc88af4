import Type from 'typebox'
import { describe, expect, test } from 'vitest'
import type { TenantId } from '../access/actor.ts'
import type { ModuleName } from '../access/permissions.ts'
import type { Tx } from '../db/port.ts'
import { defineErrors } from '../errors/errors.ts'
import type { Kernel } from '../kernel.ts'
import { defineApi, defineModule, type Module, type ModuleInput } from '../module/module.ts'
import { createPorts } from '../module/ports/ports.ts'
import { routesOf } from '../module/route.ts'
import { assembleModules as assembleAll, errorIndex } from './modules.ts'

/** Modules get the kernel handed on and these do not look into it. */
const kernel = Object.freeze({}) as Kernel
const tx = Object.freeze({ tenantId: '' as TenantId }) as Tx

const assembleModules = (given: Kernel, modules: readonly Module[]) =>
  assembleAll(given, modules, createPorts(modules).needsOf)

function module<S, A = undefined>(
  name: ModuleName,
  parts: Partial<ModuleInput<S, A>> & Pick<ModuleInput<S, A>, 'services'>,
) {
  return defineModule<S, A>({
    name,
    prefix: name,
    errors: {},
    tables: [],
    migrations: [],
    routes: [],
    emits: [],
    ...parts,
  })
}

const peopleKey = defineApi<{ readonly nameOf: (id: string) => string }>('iam')
const people = module('iam', {
  services: () => ({ names: new Map([['1', 'Ada']]) }),
  api: ({ names }) => ({ nameOf: (id: string) => names.get(id) ?? 'nobody' }),
})
const asking = module('risk', {
  uses: ['iam'],
  services: (_kernel, use) => ({ nameOf: use(peopleKey).nameOf }),
})

describe('what a module may use', () => {
  test('is the API of one that stands before it', () => {
    const made = assembleModules(kernel, [people, asking])
    const services = made.servicesOf('risk') as { nameOf: (id: string) => string }
    expect(services.nameOf('1')).toBe('Ada')
  })

  test.each<[string, readonly Module[]]>([
    ['stands behind it', [asking, people]],
    ['is not there', [asking]],
  ])('is never one that %s', (_what, modules) => {
    expect(() => assembleModules(kernel, modules)).toThrow(/risk uses iam/)
  })

  test('is named in its manifest', () => {
    const silent = module('risk', { services: (_kernel, use) => use(peopleKey) })
    expect(() => assembleModules(kernel, [people, silent])).toThrow(/risk uses iam, which its manifest does not name/)
  })

  test('is not itself', () => {
    const selfish = module('iam', { uses: ['iam'], services: (_kernel, use) => use(peopleKey) })
    expect(() => assembleModules(kernel, [selfish])).toThrow(/iam uses iam/)
  })
})

describe('what the modules declare', () => {
  const route = routesOf<{ readonly of: string }>()
  const handler = async () => 1
  const get = (path: string) =>
    route.get(path, { permission: 'authenticated', summary: 'x', returns: [200, Type.Integer()], handler })
  const withRoutes = (name: ModuleName, ...paths: readonly string[]) =>
    module(name, { services: () => ({ of: name }), routes: paths.map(get) })

  test('routes are placed below /api/v1, each with the services of its module', () => {
    const { routes } = assembleModules(kernel, [withRoutes('iam', '/a', '/b/{b_id}'), withRoutes('risk', '/c')])
    expect(routes.map(({ path, services }) => [path, services])).toEqual([
      ['/api/v1/iam/a', { of: 'iam' }],
      ['/api/v1/iam/b/{b_id}', { of: 'iam' }],
      ['/api/v1/risk/c', { of: 'risk' }],
    ])
  })

  test('jobs, handlers and activities keep the order of the list', () => {
    const busy = (name: ModuleName) =>
      module(name, {
        services: () => name,
        jobs: [{ kind: `${name}.job`, maxAttempts: 1, leaseMs: 1, everyMs: null, run: async () => {} }],
        handles: [{ name: `${name}.handler`, channels: [], handle: async () => {} }],
        activities: (services) => [{ name: services, start: async () => {}, stop: async () => {} }],
      })
    const made = assembleModules(kernel, [busy('iam'), busy('risk')])
    expect(made.jobs.map(({ declared, services }) => [declared.kind, services])).toEqual([
      ['iam.job', 'iam'],
      ['risk.job', 'risk'],
    ])
    expect(made.handlers.map(({ declared, module: owner }) => [declared.name, owner])).toEqual([
      ['iam.handler', 'iam'],
      ['risk.handler', 'risk'],
    ])
    expect(made.activities.map(({ name }) => name)).toEqual(['iam', 'risk'])
  })

  test('a new tenant is seeded module by module, and a failure stops it', async () => {
    const seeded: string[] = []
    const seeding = (name: ModuleName, failing = false) =>
      module(name, {
        services: () => name,
        seed: async (services) => {
          seeded.push(services)
          if (failing) throw new Error('no room')
        },
      })
    await assembleModules(kernel, [seeding('iam'), seeding('aegis')]).seedTenant(tx)
    expect(seeded).toEqual(['iam', 'aegis'])
    const failing = assembleModules(kernel, [seeding('iam', true), seeding('aegis')])
    await expect(failing.seedTenant(tx)).rejects.toThrow('no room')
    expect(seeded).toEqual(['iam', 'aegis', 'iam'])
  })

  test('trust reports come one after the other, from those that have any', async () => {
    let running = 0
    const reporting = (name: ModuleName) =>
      module(name, {
        services: () => name,
        signals: async () => {
          running += 1
          expect(running).toBe(1)
          await Promise.resolve()
          running -= 1
          return { signals: [], caps: [{ id: name, active: true }] }
        },
      })
    const made = assembleModules(kernel, [people, reporting('aegis'), reporting('risk')])
    const reports = await made.trustReports(tx, '2026-01-01T00:00:00.000Z')
    expect(reports.map(({ report }) => report.caps[0]?.id)).toEqual(['aegis', 'risk'])
  })

  test('two modules of one name are refused', () => {
    expect(() => assembleModules(kernel, [people, people])).toThrow(/iam stands twice/)
  })
})

describe('errors', () => {
  const errors = defineErrors('RISK', { gone: [1, 410, 'Gone', () => 'It is gone.'] })

  test('are found by their code, the common ones included', () => {
    const index = errorIndex([module('risk', { services: () => undefined, errors })])
    expect([index.get('RISK-001')?.status, index.get('RISK-001')?.title]).toEqual([410, 'Gone'])
    expect(index.get('API-001')?.status).toBe(400)
    expect(index.get('AUTH-004')?.status).toBe(403)
  })

  test('two with one code are refused', () => {
    const twice = [
      module('risk', { services: () => undefined, errors }),
      module('aegis', {
        services: () => undefined,
        errors: defineErrors('RISK', { other: [1, 409, 'Other', () => ''] }),
      }),
    ]
    expect(() => errorIndex(twice)).toThrow(/RISK-001 is declared twice/)
  })
})
