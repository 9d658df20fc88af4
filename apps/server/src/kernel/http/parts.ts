import type { ModuleName } from '../access/permissions.ts'
import type { Kernel } from '../kernel.ts'
import type { Route } from '../module/route.ts'
import type { Uploads } from './body/upload.ts'
import type { Drain } from './closing.ts'
import type { CursorCodec } from './cursor.ts'
import type { IdempotencyStore } from './idempotency.ts'

/** Parts that every route needs, made once. */
export interface HttpParts {
  readonly kernel: Kernel
  readonly cursors: CursorCodec
  readonly drain: Pick<Drain, 'endless'>
  readonly idempotency: IdempotencyStore
  readonly uploads: Uploads
}

/** A route where it ended up: its module, its full path and the services its handler gets. */
export interface PlacedRoute {
  readonly module: ModuleName
  readonly path: string
  readonly route: Route
  readonly services: unknown
}

/** `/users/{user_id}` as Fastify writes it. */
export function fastifyPath(path: string): string {
  return path.replaceAll(/\{(\w+)\}/g, ':$1')
}

/** Addresses that a declared path stands for; `*` at its end is everything below. */
export function addressPattern(path: string): RegExp {
  const below = path.replaceAll(/[.]/g, '\\.').replace(/\*$/, '.*')
  return new RegExp(`^${below.replaceAll(/\{\w+\}/g, '[^/]+')}$`)
}
