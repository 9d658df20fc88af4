import type { FastifyInstance } from 'fastify'
import type { Assembled } from './kernel/assembly/assemble.ts'
import { errorIndex } from './kernel/assembly/modules.ts'
import { once } from './kernel/base/once.ts'
import { dutiesOf } from './kernel/config/roles.ts'
import { cloudEventType } from './kernel/events/catalogue/cloudevents.ts'
import { asyncApiDocument } from './kernel/events/ws/asyncapi.ts'
import { kernelEvents } from './kernel/events/ws/kernel-events.ts'
import { buildHttp } from './kernel/http/app.ts'
import { openApiDocument } from './kernel/http/openapi.ts'
import type { Patience } from './kernel/http/patience.ts'
import { standardSurfaces } from './kernel/http/surfaces.ts'
import type { Module } from './kernel/module/module.ts'
import type { AccessLog } from './kernel/observe/access-log.ts'
import type { IamServices } from './modules/iam/services/iam-services.ts'
import type { PlatformServices } from './modules/platform/services/platform-services.ts'
import { consolePages } from './pages/console.ts'
import { contentPolicy, problemPage } from './pages/html.ts'
import { pages } from './pages/pages.ts'
import { version } from './version.ts'

export interface AppOptions {
  readonly accessLog: AccessLog | null
  /** Folder of the built console; without it the start page is plain. */
  readonly console?: string | undefined
  /** How long slow clients are waited for; default as it ships. */
  readonly patience?: Patience | undefined
}

/** Addresses that every process serves, whatever its role. */
const ownSurfaces: ReadonlySet<string> = new Set(['/healthz', '/readyz', '/metrics'])

/** The HTTP application of an assembled program; tests use it with `inject`, without a socket. */
export function buildApp(
  assembled: Assembled,
  modules: readonly Module[],
  { accessLog, console, patience }: AppOptions,
): FastifyInstance {
  const { kernel } = assembled
  const { publicUrl, vendor } = kernel.config
  const routes = assembled.modules.routes
  const events = [...kernelEvents, ...modules.flatMap((module) => module.emits)]
  const schemas = new Map(events.map((event) => [cloudEventType(vendor, event), event.schema]))
  const standard = standardSurfaces({
    kernel,
    unready: assembled.unready,
    openApi: once(() => openApiDocument({ routes, publicUrl, version })),
    asyncApi: once(() => asyncApiDocument({ events, publicUrl, vendor, version })),
    eventSchema: (type) => schemas.get(type),
    errors: errorIndex(modules),
  })
  const servicesOf = <S>(module: string): S | undefined =>
    modules.some(({ name }) => name === module) ? (assembled.modules.servicesOf(module) as S) : undefined
  const owners = { iam: servicesOf<IamServices>('iam'), platform: servicesOf<PlatformServices>('platform') }
  const { servesApi } = dutiesOf(kernel.config.role)
  const surfaces = servesApi
    ? [...standard, ...pages(kernel.config, owners, console === undefined ? [] : consolePages(kernel, console))]
    : standard.filter(({ path }) => ownSurfaces.has(path))
  const app = buildHttp({
    kernel,
    routes: servesApi ? routes : [],
    surfaces,
    accessLog,
    browserPage: { contentPolicy, problemPage },
    ...(patience === undefined ? {} : { patience }),
  })
  app.addHook('onListen', (done) => {
    for (const at of app.addresses()) if (typeof at !== 'string') assembled.ownAddresses.listens(at)
    done()
  })
  return app
}
