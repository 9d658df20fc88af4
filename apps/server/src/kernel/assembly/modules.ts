/**
 * Makes the modules' services in the order of the list, gives each what it may use, and places its routes. A module can
 * use only what stands before it, so the arrows between modules cannot form a circle. Circles go through ports. Tested in modules.test.ts.
 */

import type { ModuleName } from '../access/permissions.ts'
import type { Tx } from '../db/port.ts'
import type { DeclaredError, ErrorCatalogue } from '../errors/errors.ts'
import { apiErrors, authErrors } from '../errors/errors.ts'
import { isChannelName, isPattern } from '../events/catalogue/pattern.ts'
import type { FactDefinition } from '../facts/define.ts'
import { refuseFacts } from '../facts/facts.ts'
import type { PlacedRoute } from '../http/parts.ts'
import type { Kernel } from '../kernel.ts'
import type { Activity } from '../lifecycle/activity.ts'
import type { ApiKey, EventHandlerDeclaration, JobDeclaration, Module, UseApi } from '../module/module.ts'
import type { Ports } from '../module/ports/ports.ts'

/** A declaration with the services of the module it belongs to. */
export interface Owned<T> {
  readonly module: ModuleName
  readonly services: unknown
  readonly declared: T
}

export interface AssembledModules {
  readonly routes: readonly PlacedRoute[]
  readonly handlers: readonly Owned<EventHandlerDeclaration<unknown>>[]
  readonly jobs: readonly Owned<JobDeclaration<unknown>>[]
  readonly activities: readonly Activity[]
  readonly facts: readonly Owned<FactDefinition>[]
  readonly trustReports: Kernel['trustReports']
  seedTenant(tx: Tx): Promise<void>
  servicesOf(name: string): unknown
}

interface Made {
  readonly module: Module
  readonly services: unknown
}

export function assembleModules(
  kernel: Kernel,
  modules: readonly Module[],
  needsOf: Ports['needsOf'],
): AssembledModules {
  const made = new Map<string, Made>()
  for (const module of modules) {
    if (made.has(module.name)) throw new TypeError(`${module.name} stands twice in the list of modules`)
    made.set(module.name, { module, services: module.services(kernel, usableBy(module, made), needsOf(module.name)) })
  }
  const all = [...made.values()]
  const facts = all.flatMap(({ module, services }) =>
    module.facts.map((declared) => ({ module: module.name, services, declared })),
  )
  refuseFacts(facts)
  refuseHandlers(all.flatMap(({ module }) => module.handles))
  return {
    routes: all.flatMap(({ module, services }) =>
      module.routes.map(({ prefix, route }) => ({
        module: module.name,
        path: fullPath(prefix, route.path),
        route,
        services,
      })),
    ),
    handlers: all.flatMap(({ module, services }) =>
      module.handles.map((declared) => ({ module: module.name, services, declared })),
    ),
    jobs: all.flatMap(({ module, services }) =>
      module.jobs.map((declared) => ({ module: module.name, services, declared })),
    ),
    facts,
    activities: all.flatMap(({ module, services }) => module.activities(services)),
    // One after the other: they share the transaction's one connection, and the order keeps a snapshot reproducible.
    trustReports: async (tx, at) => {
      const reports = []
      for (const { module, services } of all) {
        if (module.signals !== null)
          reports.push({ module: module.name, report: await module.signals(services, tx, at) })
      }
      return reports
    },
    seedTenant: async (tx) => {
      for (const { module, services } of all) await module.seed(services, tx)
    },
    servicesOf: (name) => made.get(name)?.services,
  }
}

/** @throws TypeError for two handlers of one name, whose place in the log would be one, and for an unknown channel */
function refuseHandlers(handlers: readonly EventHandlerDeclaration<unknown>[]): void {
  const names = new Set<string>()
  for (const { name, channels } of handlers) {
    if (names.has(name)) throw new TypeError(`The event handler ${name} is declared twice`)
    names.add(name)
    const wrong = channels.find((channel) => !isPattern(channel) && !isChannelName(channel))
    if (wrong !== undefined) throw new TypeError(`The event handler ${name} names ${wrong}, which is no channel`)
  }
}

function usableBy(user: Module, made: ReadonlyMap<string, Made>): UseApi {
  const absent = user.uses.find((name) => !made.has(name))
  if (absent !== undefined) throw new TypeError(`${user.name} uses ${absent}, which does not stand before it`)
  return <A>(key: ApiKey<A>): A => {
    if (!user.uses.includes(key.module))
      throw new TypeError(`${user.name} uses ${key.module}, which its manifest does not name in uses`)
    const owner = made.get(key.module)
    if (owner === undefined) throw new TypeError(`${user.name} uses ${key.module}, which does not stand before it`)
    return owner.module.api(owner.services) as A
  }
}

/** Where a route is served. A prefix that begins with a slash is an address that a standard fixes; all others are ours. */
export function fullPath(prefix: string, path: string): string {
  return prefix.startsWith('/') ? `${prefix}${path}` : `/api/v1/${prefix}${path}`
}

/** Every declared error by its code, for `/errors/<code>`. Two errors with one code are a mistake in a catalogue. */
export function errorIndex(modules: readonly Module[]): ReadonlyMap<string, DeclaredError> {
  const catalogues: readonly ErrorCatalogue[] = [apiErrors, authErrors, ...modules.map((module) => module.errors)]
  const index = new Map<string, DeclaredError>()
  for (const error of catalogues.flatMap((catalogue) => Object.values(catalogue))) {
    if (index.has(error.code)) throw new TypeError(`${error.code} is declared twice`)
    index.set(error.code, error)
  }
  return index
}
