/** As many routes as asked for, with schemas of ordinary size, up to the point where requests could come. */
import { tmpdir } from 'node:os'
import Type from 'typebox'
import { buildApp } from '../../apps/server/src/app.ts'
import { moduleNames } from '../../apps/server/src/kernel/access/permissions.ts'
import { openAdapters } from '../../apps/server/src/kernel/assembly/adapters.ts'
import { assemble } from '../../apps/server/src/kernel/assembly/assemble.ts'
import { systemClock } from '../../apps/server/src/kernel/base/clock.ts'
import { loadConfig } from '../../apps/server/src/kernel/config/load.ts'
import { createRandom } from '../../apps/server/src/kernel/crypto/random.ts'
import { createPgDriver } from '../../apps/server/src/kernel/db/adapters/pg.ts'
import { defineModule } from '../../apps/server/src/kernel/module/module.ts'
import { type Route, routesOf } from '../../apps/server/src/kernel/module/route.ts'
import { createLogger } from '../../apps/server/src/kernel/observe/log.ts'
import { nullable, oneOf, resource, strictObject } from '../../apps/server/src/kernel/schema/types.ts'
import { answerUsage } from '../usage.mjs'

const route = routesOf<undefined>()
const kinds = ['get', 'get', 'post', 'patch', 'delete'] as const

function declare(module: (typeof moduleNames)[number], index: number): Route {
  const text = () => Type.String({ minLength: 1, maxLength: 100 + index })
  const fields = {
    name: text(),
    description: nullable(text()),
    status: oneOf('draft', 'active', 'archived'),
    score: Type.Number({ minimum: 0, maximum: 100 }),
    enabled: Type.Boolean(),
    tags: Type.Array(text(), { maxItems: 20 }),
    owner: strictObject({ name: text(), email: Type.String({ format: 'email', maxLength: 254 }) }),
  }
  const kind = kinds[index % kinds.length] ?? 'get'
  const returns = [kind === 'post' ? 201 : 200, resource(fields)] as const
  return route[kind](`/things-${index}/{thing_id}`, {
    permission: kind === 'get' ? `${module}:read` : `${module}:write`,
    summary: `Thing ${index}`,
    audit: 'thing.change',
    returns,
    ...(kind === 'post' || kind === 'patch' ? { body: strictObject(fields) } : {}),
    handler: async () => {
      throw new Error('never called')
    },
  })
}

function declareModules(count: number) {
  const perModule = Math.ceil(count / moduleNames.length)
  return moduleNames.map((name, at) =>
    defineModule<undefined>({
      name,
      prefix: name,
      errors: {},
      tables: [],
      migrations: [],
      emits: [],
      services: () => undefined,
      routes: Array.from({ length: Math.max(0, Math.min(perModule, count - at * perModule)) }, (_, index) =>
        declare(name, index),
      ),
    }),
  )
}

const config = loadConfig({ PARAPET_DATA_DIR: tmpdir(), PARAPET_ACCESS_LOG: 'false' })
const clock = systemClock()
const log = createLogger({ level: 'silent', now: clock.now })
// Never connected to: what is measured needs no database.
const driver = createPgDriver({ url: 'postgres://127.0.0.1:1/none', poolSize: 2 })
const adapters = openAdapters(driver, { config, clock, log })
const random = createRandom(clock.now)
const count = Number(process.env.BENCH_ROUTES ?? 240)

const cpu = process.cpuUsage()
const began = performance.now()
const modules = declareModules(count)
const kek = random.bytes(32)
const assembled = assemble({ config, clock, random, log, adapters, kek, modules, checkEvents: false })
const app = buildApp(assembled, modules, { accessLog: null })
await app.ready()
const readyMs = performance.now() - began
const { user, system } = process.cpuUsage(cpu)
const declared = assembled.modules.routes.length
if (declared !== count) throw new Error(`${declared} routes were declared, not ${count}`)
const asked = performance.now()
await app.inject('/openapi.json')
answerUsage({ readyMs, cpuMs: (user + system) / 1000, openApiMs: performance.now() - asked })
