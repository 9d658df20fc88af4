import type { FastifyInstance } from 'fastify'
import type { Assembled } from './kernel/assembly/assemble.ts'
import { errorIndex } from './kernel/assembly/modules.ts'
import { once } from './kernel/base/once.ts'
import { cloudEventType } from './kernel/events/catalogue/cloudevents.ts'
import { asyncApiDocument } from './kernel/events/ws/asyncapi.ts'
import { buildHttp } from './kernel/http/app.ts'
import { openApiDocument } from './kernel/http/openapi.ts'
import type { Patience } from './kernel/http/patience.ts'
import { standardSurfaces } from './kernel/http/surfaces.ts'
import type { Module } from './kernel/module/module.ts'
import type { AccessLog } from './kernel/observe/access-log.ts'
import { version } from './version.ts'

export interface AppOptions {
  readonly accessLog: AccessLog | null
  /** How long slow clients are waited for; default as it ships. */
  readonly patience?: Patience | undefined
}

/** The HTTP application of an assembled program; tests use it with `inject`, without a socket. */
export function buildApp(
  assembled: Assembled,
  modules: readonly Module[],
  { accessLog, patience }: AppOptions,
): FastifyInstance {
  const { kernel } = assembled
  const { publicUrl, vendor } = kernel.config
  const routes = assembled.modules.routes
  const events = modules.flatMap((module) => module.emits)
  const schemas = new Map(events.map((event) => [cloudEventType(vendor, event), event.schema]))
  const surfaces = standardSurfaces({
    kernel,
    unready: assembled.unready,
    openApi: once(() => openApiDocument({ routes, publicUrl, version })),
    asyncApi: once(() => asyncApiDocument({ events, publicUrl, vendor, version })),
    eventSchema: (type) => schemas.get(type),
    errors: errorIndex(modules),
  })
  return buildHttp({ kernel, routes, surfaces, accessLog, ...(patience === undefined ? {} : { patience }) })
}
