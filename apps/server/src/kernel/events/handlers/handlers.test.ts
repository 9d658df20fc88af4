import Type from 'typebox'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Database } from '../../db/port.ts'
import { sql } from '../../db/sql.ts'
import type { Kernel } from '../../kernel.ts'
import type { EventBatch, EventHandlerDeclaration } from '../../module/module.ts'
import { moveAll, openWorld, tenantA, tenantB, until, type World } from '../../testing/event-world.ts'
import { defineEvent } from '../catalogue/catalogue.ts'
import { headPosition } from '../log.ts'
import { createHandlers, type Handlers } from './handlers.ts'

const opened = defineEvent({
  channel: 'risk.case.opened',
  type: 'CaseOpened',
  summary: 'A case was opened.',
  schema: Type.Object({ n: Type.Integer() }),
})
const other = defineEvent({ ...opened, channel: 'risk.case.other', type: 'CaseOther' })

let world: World
beforeAll(async () => {
  world = await openWorld()
})
beforeEach(() =>
  world.db.system('test', async (tx) => {
    for (const name of ['handled_through', 'handler_backlog', 'handler_position']) {
      await tx.execute({ text: `delete from ${name}`, values: [], name: '' })
    }
  }),
)
afterAll(() => world.close())

async function emit(tenantId: typeof tenantA, numbers: readonly number[], event = opened): Promise<void> {
  await world.db.tenant({ tenantId }, async (tx) => {
    for (const n of numbers) await tx.emit(event, `case-${n}`, { n })
  })
  await moveAll(world)
}

type Handle = (context: EventBatch<unknown>) => Promise<void>
function handlersFor(handle: Handle, node = 'node-1', db: Pick<Database, 'system' | 'tenant'> = world.db): Handlers {
  const declaration = { name: 'test.count', channels: [opened.channel], handle }
  return createHandlers({
    ...world,
    db,
    node,
    handlers: [{ declaration, services: null }],
    kernel: () => ({}) as unknown as Kernel,
  })
}

/** A new handler begins at the present: it must have been there before the events. */
async function placed(): Promise<void> {
  const first = handlersFor(async () => undefined)
  await first.start()
  await first.stop()
}

const passing = (condition: () => boolean | Promise<boolean>): Promise<void> =>
  until(async () => {
    if (await condition()) return true
    world.clock.advance(1_000)
    return false
  })
const parked = (): Promise<readonly { parked: boolean; attempts: number }[]> =>
  world.db.system('test', (tx) =>
    tx.query(sql<{ parked: boolean; attempts: number }>`select parked, attempts from handler_backlog`),
  )

describe('an event handler', () => {
  test('gets the events of its channels, per tenant in order, and no others', async () => {
    await placed()
    await emit(tenantA, [1, 2])
    await emit(tenantA, [7], other)
    await emit(tenantB, [3])
    const seen: string[] = []
    const handlers = handlersFor(async ({ events, tx }) => {
      for (const event of events) seen.push(`${tx.tenantId === event.tenantId} ${event.data.n}`)
    })
    await handlers.start()
    await until(() => seen.length === 3)
    await handlers.stop()
    expect(seen).toEqual(['true 1', 'true 2', 'true 3'])
  })

  test('is woken by the events of its channels, and by those nobody can tell the channels of', async () => {
    await placed()
    const seen: unknown[] = []
    let looks = 0
    const db: Pick<Database, 'system' | 'tenant'> = {
      tenant: world.db.tenant,
      system: (reason, work) => {
        looks += 1
        return world.db.system(reason, work)
      },
    }
    const handlers = handlersFor(
      async ({ events }) => void seen.push(...events.map(({ data }) => data.n)),
      'node-1',
      db,
    )
    await handlers.start()
    await emit(tenantA, [1])
    await passing(() => seen.length === 1)
    const before = looks
    handlers.wake([other.channel])
    world.clock.advance(100)
    expect(looks).toBe(before)
    for (const [index, channels] of [[other.channel, opened.channel], undefined].entries()) {
      await emit(tenantA, [index + 2])
      handlers.wake(channels)
      await until(() => {
        world.clock.advance(100)
        return seen.length === index + 2
      })
    }
    await handlers.stop()
    expect(seen).toEqual([1, 2, 3])
  })

  test('sees an event once, although the position was lost in a crash', async () => {
    await placed()
    await emit(tenantA, [1, 2])
    const seen: unknown[] = []
    const position = () =>
      world.db.system('test', (tx) => tx.first(sql<{ position: number }>`select position from handler_position`))
    const head = () => world.db.system('test', (tx) => tx.first(headPosition))
    const run = async (): Promise<void> => {
      const handlers = handlersFor(async ({ events }) => void seen.push(...events.map((event) => event.data.n)))
      await handlers.start()
      await until(async () => (await position())?.position === (await head())?.position)
      await handlers.stop()
    }
    await run()
    await world.db.system('test', (tx) => tx.execute(sql`update handler_position set position = position - 2`))
    await run()
    expect(seen.filter((n) => n === 1)).toHaveLength(1)
    expect(seen.filter((n) => n === 2)).toHaveLength(1)
  })

  test('causes events one step deeper than what it reacts to', async () => {
    await placed()
    await emit(tenantA, [1])
    let depth = -1
    const handlers = handlersFor(async ({ tx }) => {
      depth = tx.origin.causationDepth
    })
    await handlers.start()
    await until(() => depth >= 0)
    await handlers.stop()
    expect(depth).toBe(1)
  })

  test('holds up its own tenant only while an event fails, and keeps the order', async () => {
    await placed()
    await emit(tenantA, [1, 2])
    await emit(tenantB, [9])
    let healthy = false
    const seen: unknown[] = []
    const handlers = handlersFor(async ({ events }) => {
      if (!healthy && events.some((event) => event.data.n === 1)) throw new Error('not yet')
      seen.push(...events.map((event) => event.data.n))
    })
    await handlers.start()
    await until(() => seen.length === 1)
    expect(seen).toEqual([9])
    healthy = true
    await passing(() => seen.length === 3)
    await handlers.stop()
    expect(seen).toEqual([9, 1, 2])
  })

  test('sets an event aside after ten attempts and goes on with the next', async () => {
    await placed()
    await emit(tenantA, [1, 2])
    const seen: unknown[] = []
    let failures = 0
    const handlers = handlersFor(async ({ events }) => {
      if (events.some((event) => event.data.n === 1)) {
        failures += 1
        throw new Error('never')
      }
      seen.push(...events.map((event) => event.data.n))
    })
    await handlers.start()
    await passing(() => seen.length === 1)
    await handlers.stop()
    // One of them as part of the batch, which costs no attempt.
    expect(failures).toBe(11)
    expect(await parked()).toEqual([{ parked: true, attempts: 10 }])
    expect(world.log.lines).toContain('an event could not be handled and is set aside')
  })

  test('runs on one instance at a time; another takes over when the first has given up its place', async () => {
    await placed()
    const seen: string[] = []
    const first = handlersFor(async ({ events }) => void seen.push(...events.map((e) => `first ${e.data.n}`)), 'node-1')
    const second = handlersFor(
      async ({ events }) => void seen.push(...events.map((e) => `second ${e.data.n}`)),
      'node-2',
    )
    await first.start()
    await until(async () => {
      const rows = await world.db.system('test', (tx) =>
        tx.query(sql<{ owner: string | null }>`select owner from handler_position`),
      )
      return rows[0]?.owner === 'node-1'
    })
    await second.start()
    await emit(tenantA, [1])
    await passing(() => seen.length === 1)
    await first.stop()
    await emit(tenantA, [2])
    await passing(() => seen.length === 2)
    await second.stop()
    expect(seen).toEqual(['first 1', 'second 2'])
  })
})

describe('an event handler with patterns', () => {
  const third = defineEvent({ ...opened, channel: 'aegis.alert.created', type: 'AlertCreated' })
  /** Runs one look of a handler, and returns the events it received together with the statements. */
  async function seenBy(
    declaration: Pick<EventHandlerDeclaration<unknown>, 'channels' | 'interest'>,
    tell: () => Promise<void>,
  ) {
    const seen: string[] = []
    let runs = 0
    let statements = 0
    const looks = new Set<object>()
    const counted: Pick<Database, 'system' | 'tenant'> = {
      tenant: world.db.tenant,
      system: (reason, work) =>
        world.db.system(reason, (tx) => {
          const query: typeof tx.query = (statement) => {
            statements += 1
            looks.add(tx)
            return tx.query(statement)
          }
          const [first, execute] = [tx.first.bind(tx), tx.execute.bind(tx)]
          return work({ query, first, execute, lock: tx.lock.bind(tx), afterCommit: tx.afterCommit.bind(tx) })
        }),
    }
    const handlers = (db: Pick<Database, 'system' | 'tenant'>): Handlers =>
      createHandlers({
        ...world,
        db,
        node: 'node-1',
        handlers: [
          {
            declaration: {
              name: 'test.patterns',
              ...declaration,
              handle: async ({ events }) => {
                runs += 1
                seen.push(...events.map(({ channel, data }) => `${channel} ${data.n}`))
              },
            },
            services: null,
          },
        ],
        kernel: () => ({}) as unknown as Kernel,
      })
    const before = handlers(world.db)
    await before.start()
    await before.stop()
    await tell()
    const at = async () => {
      const rows = await world.db.system('test', (tx) =>
        tx.query(sql<{ done: boolean }>`
          select h.position = e.position as done from handler_position h, event_head e where h.name = 'test.patterns'`),
      )
      return rows[0]?.done === true
    }
    const now = handlers(counted)
    await now.start()
    await passing(at)
    await now.stop()
    return { seen, runs, perLook: statements / looks.size }
  }
  const tellAll = async () => {
    await emit(tenantA, [1])
    await emit(tenantA, [2], other)
    await emit(tenantB, [3], third)
    await emit(tenantA, [4], third)
  }

  test.each<[readonly string[], readonly string[]]>([
    [['risk.*'], ['risk.case.opened 1', 'risk.case.other 2']],
    [
      ['risk.case.*', 'aegis.alert.created'],
      ['risk.case.opened 1', 'risk.case.other 2', 'aegis.alert.created 4', 'aegis.alert.created 3'],
    ],
    [['aegis.*'], ['aegis.alert.created 3', 'aegis.alert.created 4']],
    [['*'], ['risk.case.opened 1', 'risk.case.other 2', 'aegis.alert.created 4', 'aegis.alert.created 3']],
    [['ris.*'], []],
  ])('%j is given what they cover, in order', async (channels, expected) => {
    const { seen } = await seenBy({ channels }, tellAll)
    expect(seen).toEqual(expected)
  })

  test('is woken by the channels they cover', async () => {
    await placed()
    let looks = 0
    const db: Pick<Database, 'system' | 'tenant'> = {
      tenant: world.db.tenant,
      system: (reason, work) => {
        looks += 1
        return world.db.system(reason, work)
      },
    }
    const declaration = { name: 'test.count', channels: ['risk.*'], handle: async () => undefined }
    const handlers = createHandlers({
      ...world,
      db,
      node: 'node-1',
      handlers: [{ declaration, services: null }],
      kernel: () => ({}) as unknown as Kernel,
    })
    await handlers.start()
    await until(() => looks === 1)
    handlers.wake([third.channel])
    world.clock.advance(100)
    expect(looks).toBe(1)
    handlers.wake([opened.channel])
    await until(() => {
      world.clock.advance(100)
      return looks > 1
    })
    await handlers.stop()
  })

  test('and an interest runs for tenants that have one and costs no statement for the others', async () => {
    const interest = () => sql`exists (
      select from job rule where rule.tenant_id = event.tenant_id and rule.kind = 'rule' and rule.key = event.channel)`
    const rule = (tenantId: typeof tenantA) =>
      world.db.tenant({ tenantId }, (tx) => tx.enqueue({ kind: 'rule', key: third.channel, payload: {} }))
    const many = async () => {
      for (let n = 0; n < 20; n += 1) await emit(n % 2 === 0 ? tenantA : tenantB, [n], third)
    }
    const idle = await seenBy({ channels: ['*'], interest }, many)
    const quiet = await seenBy({ channels: ['*'], interest }, async () => undefined)
    expect([idle.runs, idle.perLook]).toEqual([0, quiet.perLook])
    const one = await seenBy({ channels: ['*'], interest }, async () => {
      await many()
      await rule(tenantB)
      await emit(tenantB, [21], third)
      await emit(tenantB, [22], other)
      await emit(tenantA, [23], third)
    })
    expect(one.runs).toBe(1)
    expect(one.seen.at(-1)).toBe('aegis.alert.created 21')
    expect(one.seen.every((line) => line.startsWith(third.channel))).toBe(true)
  })
})
