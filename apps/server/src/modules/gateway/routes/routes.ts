/**
 * Routes as resources. Promises that a stored route names providers and models that are there, and that a provider in use
 * is not removed under it. Tested in routes.test.ts.
 */
import type { Tx } from '../../../kernel/db/port.ts'
import { sql } from '../../../kernel/db/sql.ts'
import type { Page, PageRequest } from '../../../kernel/db/table.ts'
import { apiErrors } from '../../../kernel/errors/errors.ts'
import type { Precondition } from '../../../kernel/http/answer/etag.ts'
import type { Kernel } from '../../../kernel/kernel.ts'
import { Versioned } from '../../../kernel/module/route.ts'
import { change, create, hold, newRow, resource } from '../../../kernel/resource/resource.ts'
import type { IamApi } from '../../iam/api.ts'
import { errors } from '../declared/errors.ts'
import { configurationTopic } from '../policy/snapshot.ts'
import { ordinaryCauses } from '../providers/fault.ts'
import {
  type CreateRoute,
  defaultRetry,
  type PatchRoute,
  type Route,
  type RouteFilter,
  type RouteRow,
} from '../route-model/schemas.ts'
import { routes } from '../route-model/tables.ts'
import { knownTargets } from './route-targets.ts'

const routeResource = resource({
  table: routes,
  kind: 'route',
  announces: configurationTopic,
  unique: { gateway_route_name: ({ name }) => errors.nameTaken({ what: 'route', name }) },
})

interface Rules {
  readonly kernel: Pick<Kernel, 'clock' | 'random'>
  readonly iam: Pick<IamApi, 'knownPrincipals' | 'knownServiceAccounts'>
}

/** @throws API-001, GW-001 for a provider, model or key that is not there, GW-031 */
export async function createRoute({ kernel, iam }: Rules, tx: Tx, input: CreateRoute): Promise<Versioned<Route>> {
  const row: RouteRow = {
    ...newRow(kernel, tx),
    name: input.name,
    strategy: input.strategy ?? 'priority',
    targets: await knownTargets(iam, tx, input.targets),
    fallback_on: input.fallback_on ?? [...ordinaryCauses],
    retry: { ...defaultRetry, ...input.retry },
    hedge: input.hedge ?? null,
    timeouts: input.timeouts ?? {},
    sticky_key: input.sticky_key ?? 'session',
    cache: input.cache ?? null,
    status: input.status ?? 'active',
  }
  await create(tx, routeResource, row, { action: 'gateway.route.create' })
  return new Versioned(routeOf(row, new Map()), row.version)
}

export interface RouteChange {
  readonly id: string
  readonly input: PatchRoute
  readonly precondition: Precondition
}

/** @throws API-013, API-012, API-011 for an archived one, and as `createRoute` */
export async function patchRoute(
  { kernel, iam }: Rules,
  tx: Tx,
  { id, input, precondition }: RouteChange,
): Promise<Versioned<Route>> {
  const held = await hold(tx, routeResource, { id, precondition })
  const { row } = held
  if (row.status === 'archived') throw apiErrors.conflict({ what: 'An archived route does not change.' })
  const { targets, retry, timeouts, ...plain } = input
  const changes = {
    ...plain,
    ...(targets === undefined ? {} : { targets: await knownTargets(iam, tx, targets) }),
    ...(retry === undefined ? {} : { retry: { ...row.retry, ...retry } }),
    ...(timeouts === undefined ? {} : { timeouts: { ...row.timeouts, ...timeouts } }),
  }
  const patched = await change(kernel, tx, held, { action: 'gateway.route.update', changes })
  return new Versioned(routeOf(patched, await providerNames(tx, [patched])), patched.version)
}

export async function listRoutes(
  tx: Tx,
  page: PageRequest,
  { name = null, status = null }: { readonly name?: string | null; readonly status?: RouteFilter['status'] | null },
): Promise<Page<Versioned<Route>>> {
  const found = await routes.page(
    tx,
    page,
    sql`(${name}::text is null or name = ${name}::text) and (${status}::text is null or status = ${status}::text)`,
  )
  const names = await providerNames(tx, found.items)
  return { ...found, items: found.items.map((row) => new Versioned(routeOf(row, names), row.version)) }
}

/** Current names of the providers. */
async function providerNames(tx: Tx, rows: readonly RouteRow[]): Promise<ReadonlyMap<string, string>> {
  const ids = rows.flatMap(({ targets }) => targets.map(({ provider_id: id }) => id))
  const found = await tx.query(
    sql<{ id: string; name: string }>`select id, name from gateway_provider where id = any(${ids}::uuid[])`,
  )
  return new Map(found.map(({ id, name }) => [id, name]))
}

function routeOf({ version: _, targets, ...facts }: RouteRow, names: ReadonlyMap<string, string>): Route {
  return {
    ...facts,
    targets: targets.map(({ provider_id: id, provider, ...target }) => ({
      provider: names.get(id) ?? provider,
      ...target,
    })),
  }
}

/** Refuses while a route that is not archived asks the provider. The provider's row is locked. @throws GW-024 */
export async function refuseInUse(tx: Tx, providerId: string): Promise<void> {
  const used = await tx.query(
    sql<{ name: string }>`
      select name from gateway_route
      where status <> 'archived' and targets @> jsonb_build_array(jsonb_build_object('provider_id', ${providerId}::text))
      order by name limit 20`,
  )
  if (used.length > 0) throw errors.providerInUse({ routes: used.map(({ name }) => name) })
}
