import Type from 'typebox'
import { sql } from '../../src/kernel/db/sql.ts'
import { defineErrors } from '../../src/kernel/errors/errors.ts'
import type { Kernel } from '../../src/kernel/kernel.ts'
import { defineModule, type Module } from '../../src/kernel/module/module.ts'
import { Answer, routesOf, StreamAnswer } from '../../src/kernel/module/route.ts'
import { oneOf, strictObject } from '../../src/kernel/schema/types.ts'
import { rawProbeRoutes } from './raw-probe.ts'

/** Observations of the probe routes, and the signals they wait for; each suite has its own. */
export interface Probe {
  /** How often each route's handler ran. */
  readonly runs: Map<string, number>
  /** Handlers of `/held` routes wait for it. */
  gate: Promise<void>
  /** Called when such a handler has begun. */
  arrived: () => void
  /** Stored answers of raw routes are not given again. */
  refusesReplay: boolean
  /** Bytes that a tenant may store; null is unlimited. */
  storage: number | null
}

export function createProbe(): Probe {
  return { runs: new Map(), gate: Promise.resolve(), arrived: () => undefined, refusesReplay: false, storage: null }
}

/** Words that no client may ever see. */
export const secrets = ['SELECT secret FROM vault', 'db-7.internal.example', '/srv/parapet/apps/', 'hunter2']

const failures = {
  error: () => {
    throw new Error(`${secrets.join(' ')} at /srv/parapet/apps/server/src/main.ts:10:3`)
  },
  text: () => {
    throw secrets.join(' ')
  },
  nothing: () => {
    throw undefined
  },
  object: () => {
    throw { message: secrets.join(' '), statusCode: 404, code: 'FST_ERR_BAD_URL' }
  },
  status: () => {
    throw Object.assign(new Error(secrets.join(' ')), { statusCode: 418, status: 418, code: 'ECONNREFUSED' })
  },
  type: () => Reflect.get(Object(undefined), 'x').y,
} as const

const failureNames = ['error', 'text', 'nothing', 'object', 'status', 'type', 'sql'] as const

export const Echo = strictObject({ id: Type.String(), text: Type.String() })
const TextBody = strictObject({ text: Type.String({ maxLength: 100 }) })
const errors = defineErrors('RES', { refused: [1, 409, 'Refused', () => 'The probe refuses.'] })

/** Routes that misbehave in every way a handler can, and some that stand for kinds the notes do not have. */
export function probeModule(probe: Probe): Module {
  const route = routesOf<Kernel>()
  const ran = (name: string): void => void probe.runs.set(name, (probe.runs.get(name) ?? 0) + 1)
  const held = async (name: string): Promise<void> => {
    ran(name)
    probe.arrived()
    await probe.gate
  }
  return defineModule<Kernel>({
    name: 'resilience',
    prefix: 'resilience',
    errors,
    tables: [],
    migrations: [],
    emits: [],
    services: (kernel) => kernel,
    routes: [
      ...rawProbeRoutes(
        () => probe.refusesReplay,
        () => new Error(secrets.join(' ')),
      ),
      route.get('/fails/{how}', {
        permission: 'risk:read',
        summary: 'Fail',
        params: { how: oneOf(...failureNames) },
        returns: [200, Echo],
        handler: async ({ tx, params }) => {
          const how = failureNames.find((name) => name === params.how)
          if (how === 'sql') await tx.query(sql`select secret from vault where host = ${'db-7.internal.example'}`)
          else if (how !== undefined) failures[how]()
          return { id: '1', text: '' }
        },
      }),
      route.get('/agents-only', {
        permission: 'agent',
        summary: 'Answer agents',
        returns: [200, Echo],
        handler: async ({ actor }) => ({ id: actor.agentId ?? '', text: '' }),
      }),
      route.post('/unwritable', {
        permission: 'risk:write',
        summary: 'Change something and answer what cannot be written',
        body: TextBody,
        returns: [201, Echo],
        audit: 'probe.unwritable',
        handler: async ({ tx, body, kernel }) => {
          ran('unwritable')
          const now = kernel.clock.iso()
          await tx.execute(sql`
            insert into test_note (id, created_at, updated_at, title) values (${kernel.random.uuid()}, ${now}, ${now}, ${body.text})`)
          return {
            id: '1',
            get text(): string {
              throw new Error(secrets.join(' '))
            },
          }
        },
      }),
      route.post('/held', {
        permission: 'risk:write',
        summary: 'Wait, then answer',
        body: TextBody,
        returns: [201, Echo],
        audit: 'probe.hold',
        errors: [errors.refused],
        handler: async ({ body, kernel }) => {
          await held('held')
          if (body.text === 'refuse') throw errors.refused()
          return { id: kernel.random.uuid(), text: body.text }
        },
      }),
      route.post('/held-own', {
        permission: 'risk:write',
        summary: 'Wait without a transaction, then answer',
        body: TextBody,
        returns: [201, Echo],
        audit: 'probe.hold',
        ownTransactions: true,
        errors: [errors.refused],
        handler: async ({ body, kernel }) => {
          await held('held-own')
          if (body.text === 'refuse') throw errors.refused()
          return { id: kernel.random.uuid(), text: body.text }
        },
      }),
      route.post('/streamed', {
        permission: 'risk:write',
        summary: 'Answer a stream',
        body: TextBody,
        returns: [200, Echo],
        audit: 'probe.stream',
        streams: 'text/event-stream',
        handler: async ({ body }) => {
          ran('streamed')
          return new StreamAnswer('text/event-stream', frames(body.text), { 'x-probe': 'stream' })
        },
      }),
      route.post('/small', {
        permission: 'risk:write',
        summary: 'Take little',
        body: TextBody,
        bodyLimit: 64,
        returns: [200, Echo],
        audit: 'probe.small',
        handler: async ({ body }) => new Answer({ id: '1', text: body.text }),
      }),
      route.get('/expensive', {
        permission: 'risk:read',
        summary: 'Cost much',
        rateClass: 'expensive',
        returns: [200, Echo],
        handler: async () => ({ id: '1', text: 'done' }),
      }),
      route.get('/stop', {
        permission: 'risk:read',
        summary: 'Stop something',
        rateClass: 'stop',
        returns: [200, Echo],
        handler: async () => ({ id: '1', text: 'stopped' }),
      }),
      route.get('/anyone', {
        permission: 'authenticated',
        summary: 'Whoever is signed in',
        returns: [200, Echo],
        handler: async ({ actor }) => ({ id: actor.userId, text: actor.tenantId }),
      }),
      route.post('/public', {
        permission: 'public',
        summary: 'Whoever comes',
        body: TextBody,
        returns: [200, Echo],
        handler: async ({ body }) => ({ id: '1', text: body.text }),
      }),
      route.post('/first', {
        permission: 'public',
        summary: 'Before set-up as well',
        body: TextBody,
        beforeSetup: true,
        returns: [200, Echo],
        handler: async ({ body }) => ({ id: '1', text: body.text }),
      }),
    ],
  })
}

async function* frames(text: string): AsyncGenerator<string> {
  yield `data: ${text} 1\n\n`
  yield `data: ${text} 2\n\n`
}
