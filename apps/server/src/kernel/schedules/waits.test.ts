import Type from 'typebox'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { TenantId } from '../access/actor.ts'
import { sql } from '../db/sql.ts'
import { defineEvent } from '../events/catalogue/catalogue.ts'
import { createHandlers } from '../events/handlers/handlers.ts'
import { headPosition } from '../events/log.ts'
import type { Kernel } from '../kernel.ts'
import { moveAll, openWorld, tenantA, tenantB, until, type World } from '../testing/event-world.ts'
import { fireDue } from './fire.ts'
import { armWait, cancelWait, meetWaits, type WaitInput, waitOutcome } from './waits.ts'

const decided = defineEvent({
  channel: 'platform.approval.decided',
  type: 'ApprovalDecided',
  summary: 'An approval was decided.',
  schema: Type.Object({ decision: Type.String(), by: Type.Object({ role: Type.String() }) }),
})
const other = defineEvent({ ...decided, channel: 'platform.approval.expired', type: 'ApprovalExpired' })

let world: World
beforeAll(async () => {
  world = await openWorld()
  await handle()
})
beforeEach(() =>
  world.db.system('test', async (tx) => {
    await tx.execute(sql`delete from job`)
    await tx.execute(sql`delete from schedule_wait`)
  }),
)
afterAll(() => world.close())

const jobKinds = new Map([['go_on', { kind: 'go_on', maxAttempts: 1 }]])
const base = { owner: 'platform', key: 'w1', kind: 'go_on' } as const
type Arming = Partial<WaitInput> & { readonly tenantId?: TenantId }
const arm = ({ tenantId = tenantA, ...input }: Arming) =>
  world.db.tenant({ tenantId }, (tx) => armWait({ clock: world.clock, jobKinds }, tx, { ...base, ...input }))

interface Told {
  readonly tenantId?: TenantId
  readonly subject?: string
  readonly decision?: string
  readonly role?: string
  readonly event?: typeof decided
}
async function tell({
  tenantId = tenantA,
  subject = 'a1',
  decision = 'yes',
  role = 'cfo',
  event = decided,
}: Told = {}) {
  await world.db.tenant({ tenantId }, (tx) => tx.emit(event, subject, { decision, by: { role } }))
  await moveAll(world)
}

let runs: (readonly string[])[] = []
/** Handles all that is logged, as one instance does. */
async function handle(node = 'node-1'): Promise<void> {
  const declaration: typeof meetWaits = {
    ...meetWaits,
    handle: (context) => {
      runs.push(context.events.map((event) => event.channel))
      return meetWaits.handle(context)
    },
  }
  const handlers = createHandlers({
    ...world,
    node,
    handlers: [{ declaration, services: undefined }],
    kernel: () => ({}) as unknown as Kernel,
  })
  runs = []
  await handlers.start()
  await until(async () => {
    world.clock.advance(100)
    const [head, place] = await world.db.system('test', (tx) =>
      Promise.all([
        tx.first(headPosition),
        tx.first(sql<{ position: number }>`select position from handler_position where name = ${meetWaits.name}`),
      ]),
    )
    return place !== null && place.position === head?.position
  })
  await handlers.stop()
}

const outcomes = async () => {
  const rows = await world.db.system('test', (tx) =>
    tx.query(sql<{ tenant_id: string; payload: Record<string, unknown> }>`
      select tenant_id, payload from job where kind = 'go_on' order by id`),
  )
  return rows.map(({ tenant_id, payload }) => ({ tenant: tenant_id, step: payload.step, ...waitOutcome(payload) }))
}
const waiting = () =>
  world.db.system('test', (tx) => tx.first(sql<{ n: number }>`select count(*)::int as n from schedule_wait`))

describe('a wait for an event', () => {
  test('adds its job with the event, once, and is over', async () => {
    await arm({ payload: { step: 3 }, event: { channel: decided.channel } })
    await tell()
    await tell({ decision: 'no' })
    await handle()
    await tell()
    await handle()
    expect(await outcomes()).toEqual([
      {
        ...{ tenant: tenantA, step: 3, key: 'w1', outcome: 'event', traceparent: null, causation_depth: 1 },
        event: expect.objectContaining({
          channel: decided.channel,
          subject: 'a1',
          data: { decision: 'yes', by: { role: 'cfo' }, tenant_id: tenantA },
        }),
      },
    ])
    expect(await waiting()).toEqual({ n: 0 })
  })

  test.each<[string, Arming['event'], Told, number]>([
    ['its subject', { channel: decided.channel, subject: 'a1' }, {}, 1],
    ['another subject', { channel: decided.channel, subject: 'a2' }, {}, 0],
    ['members of its data', { channel: decided.channel, matching: { by: { role: 'cfo' } } }, {}, 1],
    ['other members', { channel: decided.channel, matching: { by: { role: 'ceo' } } }, {}, 0],
    ['another channel', { channel: decided.channel }, { event: other }, 0],
    ['another tenant', { channel: decided.channel }, { tenantId: tenantB }, 0],
  ])('looks at %s', async (_, event, told, met) => {
    await arm(event === undefined ? {} : { event })
    await tell(told)
    await handle()
    expect(await outcomes()).toHaveLength(met)
    expect(await waiting()).toEqual({ n: 1 - met })
  })

  test('does not take what was logged before it, and another one of its key takes its place', async () => {
    await tell()
    await arm({ event: { channel: decided.channel } })
    await handle()
    expect(await outcomes()).toEqual([])
    await arm({ payload: { step: 2 }, event: { channel: other.channel } })
    await tell()
    await tell({ event: other })
    await handle()
    expect((await outcomes()).map(({ step, event }) => [step, event?.channel])).toEqual([[2, other.channel]])
  })

  test('is ended by the event or by its time-out, never by both', async () => {
    const until = world.clock.now() + 3_600_000
    await arm({ key: 'in-time', event: { channel: decided.channel }, until })
    await tell()
    await handle()
    await arm({ key: 'too-late', event: { channel: decided.channel }, until })
    expect(await fireDue(world)).toMatchObject({ jobs: 0 })
    world.clock.advance(3_600_000)
    // Logged after the time that was said, and looked at before the look at the clock.
    world.clock.advance(1)
    await tell()
    await handle()
    expect(await fireDue(world)).toMatchObject({ jobs: 1 })
    expect(await fireDue(world)).toMatchObject({ jobs: 0 })
    expect((await outcomes()).map(({ key, outcome, event }) => [key, outcome, event === null])).toEqual([
      ['in-time', 'event', false],
      ['too-late', 'timeout', true],
    ])
  })

  test('meets once when the handler’s place was lost, and on several instances', async () => {
    await arm({ event: { channel: decided.channel } })
    await tell()
    await handle()
    await world.db.system('test', (tx) =>
      tx.execute(sql`update handler_position set position = position - 1 where name = ${meetWaits.name}`),
    )
    await Promise.all([handle('node-1'), handle('node-2')])
    expect(await outcomes()).toHaveLength(1)
  })

  test('that is cancelled adds nothing', async () => {
    await arm({ event: { channel: decided.channel } })
    const cancel = () => world.db.tenant({ tenantId: tenantA }, (tx) => cancelWait(tx, base))
    expect([await cancel(), await cancel()]).toEqual([true, false])
    await tell()
    await handle()
    expect(await outcomes()).toEqual([])
  })
})

test('a wait for a time is over then, once, on whatever instance looks', async () => {
  await arm({ until: world.clock.now() + 60_000 })
  expect(await fireDue(world)).toMatchObject({ jobs: 0 })
  world.clock.advance(60_000)
  await Promise.all([fireDue(world), fireDue(world), fireDue(world)])
  expect(await outcomes()).toEqual([
    expect.objectContaining({ outcome: 'time', event: null, causation_depth: 0, tenant: tenantA }),
  ])
})

test('events of tenants and channels that nobody waits for run no handler', async () => {
  await arm({ event: { channel: decided.channel } })
  for (let n = 0; n < 5; n += 1) await tell({ tenantId: tenantB })
  await tell({ event: other })
  await handle()
  expect(runs).toEqual([])
  await tell()
  await handle()
  expect(runs).toEqual([[decided.channel]])
})

test('a wait for nothing, or with a job that does not exist, is refused', async () => {
  await expect(arm({})).rejects.toThrow(TypeError)
  await expect(arm({ until: world.clock.now(), kind: 'other' })).rejects.toThrow('no kind of job other')
  expect(await waiting()).toEqual({ n: 0 })
})
