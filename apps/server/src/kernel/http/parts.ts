import type { ModuleName } from '../access/permissions.ts'
import type { Kernel } from '../kernel.ts'
import type { Route } from '../module/route.ts'
import type { Drain } from './closing.ts'
import type { CursorCodec } from './cursor.ts'
import type { IdempotencyStore } from './idempotency.ts'

/** What every route needs, made once. */
export interface HttpParts {
  readonly kernel: Kernel
  readonly cursors: CursorCodec
  readonly drain: Pick<Drain, 'endless'>
  readonly idempotency: IdempotencyStore
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
