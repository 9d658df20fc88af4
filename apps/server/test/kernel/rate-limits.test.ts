import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { sql } from '../../src/kernel/db/sql.ts'
import type { TestAnswer } from '../support/client.ts'
import { type NotesWorld, openNotesWorld } from './notes-world.ts'

const limits = {
  PARAPET_RATE_LIMIT_API: '5',
  PARAPET_RATE_LIMIT_EXPENSIVE: '2',
  PARAPET_RATE_LIMIT_CREDENTIAL: '3',
}
let world: NotesWorld

beforeAll(async () => {
  world = await openNotesWorld(limits)
})
afterAll(() => world.close())
// Each test begins with empty windows.
beforeEach(() => world.clock.advance(120_000))

async function times(count: number, call: () => Promise<TestAnswer>): Promise<readonly TestAnswer[]> {
  const answers: TestAnswer[] = []
  while (answers.length < count) answers.push(await call())
  return answers
}

const statuses = (answers: readonly TestAnswer[]): readonly number[] => answers.map(({ status }) => status)
const header = (answers: readonly TestAnswer[], name: string) => answers.map(({ headers }) => headers[name])

/** As the client would say where it comes from; the socket is another matter. */
const from = (remoteAddress: string, forwarded?: string, app = world.program.app) =>
  app.inject({
    url: '/api/v1/risk/notes',
    remoteAddress,
    headers: forwarded === undefined ? {} : { 'x-forwarded-for': forwarded },
  })

const refusals = sql`select reason, result from audit_entry where action = 'access.refuse'`

describe('a tenant', () => {
  test('C26 is told what is left, is refused at its limit, and may come back when it was told to', async () => {
    const tenantId = await world.tenant()
    const person = await world.person(tenantId)
    const answers = await times(7, () => person.get('/risk/notes'))
    expect(statuses(answers)).toEqual([200, 200, 200, 200, 200, 429, 429])
    expect(header(answers, 'x-ratelimit-limit')).toEqual(Array(7).fill('5'))
    expect(header(answers, 'x-ratelimit-remaining')).toEqual(['4', '3', '2', '1', '0', '0', '0'])
    const now = world.clock.now() / 1000
    for (const reset of header(answers, 'x-ratelimit-reset')) {
      expect(Number(reset)).toBeGreaterThan(now)
      expect(Number(reset)).toBeLessThanOrEqual(now + 61)
    }
    const refused = answers[5]
    const seconds = Number(refused?.headers['retry-after'])
    expect(refused?.body).toMatchObject({ error_code: 'API-007', detail: expect.stringContaining(`${seconds} s`) })
    await expect
      .poll(() => world.kernel.db.read(tenantId, refusals))
      .toEqual([{ reason: 'API-007', result: 'refused' }])
    world.clock.advance(seconds * 1000 - 1_000)
    expect((await person.get('/risk/notes')).status).toBe(429)
    world.clock.advance(1_000)
    expect((await person.get('/risk/notes')).status).toBe(200)
  })

  test('shares its limit among its people, and with nobody else', async () => {
    const tenantId = await world.tenant()
    const [one, two, foreign] = [
      await world.person(tenantId),
      await world.person(tenantId),
      await world.person(await world.tenant()),
    ]
    await times(3, () => one.get('/risk/notes'))
    expect(statuses(await times(3, () => two.get('/risk/notes')))).toEqual([200, 200, 429])
    expect((await foreign.get('/risk/notes')).status).toBe(200)
  })

  test('C26 counts what somebody may not do by that person, and takes nothing from the others', async () => {
    const tenantId = await world.tenant()
    const person = await world.person(tenantId, [])
    const answers = await times(6, () => person.get('/risk/notes'))
    expect(statuses(answers)).toEqual([403, 403, 403, 403, 403, 429])
    const other = await world.person(tenantId)
    expect(statuses(await times(5, () => other.get('/risk/notes')))).toEqual([200, 200, 200, 200, 200])
  })

  test('C26 has a window for each class of route', async () => {
    const person = await world.person(await world.tenant())
    expect(statuses(await times(3, () => person.get('/resilience/expensive')))).toEqual([200, 200, 429])
    const other = await person.get('/risk/notes')
    expect([other.status, other.headers['x-ratelimit-limit']]).toEqual([200, '5'])
  })

  test('C26 does nothing in a refused call', async () => {
    const person = await world.person(await world.tenant())
    await times(5, () => person.get('/risk/notes'))
    expect((await person.post('/resilience/held', { text: 'x' })).status).toBe(429)
    expect(world.probe.runs.get('held')).toBeUndefined()
  })
})

describe('a limit that many share', () => {
  let large: NotesWorld
  beforeAll(async () => {
    large = await openNotesWorld({ ...limits, PARAPET_RATE_LIMIT_API: '20', PARAPET_RATE_LIMIT_STOP: '2' })
  })
  afterAll(() => large.close())

  test('C26 is not used up by one of them', async () => {
    const tenantId = await large.tenant()
    const [one, two] = [await large.person(tenantId), await large.person(tenantId)]
    const answers = statuses(await times(30, () => one.get('/risk/notes')))
    expect(answers.filter((status) => status === 200)).toHaveLength(15)
    expect(statuses(await times(6, () => two.get('/risk/notes')))).toEqual([200, 200, 200, 200, 200, 429])
  })

  test('C26 keeps nobody from stopping something', async () => {
    const tenantId = await large.tenant()
    large.setRequestQuota(tenantId, 1)
    const [one, two] = [await large.person(tenantId), await large.person(tenantId)]
    await times(30, () => one.get('/risk/notes'))
    expect(statuses(await times(3, () => two.get('/resilience/stop')))).toEqual([200, 200, 429])
    expect((await one.get('/resilience/stop')).status).toBe(200)
  })
})

describe('an API key with a limit of its own', () => {
  test('is refused at that, and the tenant is not', async () => {
    const tenantId = await world.tenant()
    const key = world.apiKey(tenantId, 2)
    const answers = await times(3, () => key.get('/risk/notes'))
    expect(statuses(answers)).toEqual([200, 200, 429])
    expect(answers[2]?.headers['x-ratelimit-limit']).toBe('2')
    expect((await (await world.person(tenantId)).get('/risk/notes')).status).toBe(200)
  })

  test('still counts against its tenant', async () => {
    const tenantId = await world.tenant()
    const key = world.apiKey(tenantId, 100)
    await times(5, () => key.get('/risk/notes'))
    expect((await (await world.person(tenantId)).get('/risk/notes')).status).toBe(429)
  })
})

describe('a tenant with a quota', () => {
  test('C26 has it for requests of every class and by every key together', async () => {
    const tenantId = await world.tenant()
    world.setRequestQuota(tenantId, 3)
    const [person, key] = [await world.person(tenantId), world.apiKey(tenantId, 100)]
    const answers = [
      await person.get('/risk/notes'),
      await person.get('/resilience/expensive'),
      await key.get('/risk/notes'),
      await key.get('/risk/notes'),
      await person.get('/resilience/expensive'),
    ]
    expect(statuses(answers)).toEqual([200, 200, 200, 429, 429])
    expect(answers[3]?.headers['x-ratelimit-limit']).toBe('3')
    expect(answers[3]?.headers['retry-after']).toMatch(/^\d+$/)
    expect((await (await world.person(await world.tenant())).get('/risk/notes')).status).toBe(200)
  })
})

describe('a stranger', () => {
  test('C26 is counted by address, so that guessing ends soon', async () => {
    const guess = () => world.stranger.with('guess').get('/risk/notes')
    const answers = await times(4, guess)
    expect(statuses(answers)).toEqual([401, 401, 401, 429])
    expect(answers[3]?.headers['retry-after']).toMatch(/^\d+$/)
    expect((await from('192.0.2.7')).statusCode).toBe(401)
  })

  test('does not use up what people at the same address may do', async () => {
    await times(4, () => world.stranger.get('/risk/notes'))
    expect((await (await world.person(await world.tenant())).get('/risk/notes')).status).toBe(200)
  })

  test('C26 is counted for addresses that do not exist, and refused before the body is looked at', async () => {
    const calls = [
      () => world.stranger.get('/nowhere'),
      () => world.stranger.delete('/risk/notes'),
      () => world.stranger.post('/risk/notes', '{'),
      () => world.stranger.get('/nowhere'),
    ]
    const answers: TestAnswer[] = []
    for (const call of calls) answers.push(await call())
    expect(statuses(answers)).toEqual([404, 405, 401, 429])
  })

  test('C09 C26 cannot choose its address: only a trusted proxy says who was in front of it', async () => {
    const answers = []
    for (const forwarded of ['203.0.113.1', '203.0.113.2', '203.0.113.3', '203.0.113.4'])
      answers.push((await from('192.0.2.8', forwarded)).statusCode)
    expect(answers).toEqual([401, 401, 401, 429])
  })
})

describe('behind a trusted proxy', () => {
  let behind: NotesWorld
  beforeAll(async () => {
    behind = await openNotesWorld({ ...limits, PARAPET_TRUSTED_PROXIES: '10.0.0.0/8' })
  })
  afterAll(() => behind.close())

  test('callers are told apart by what the proxy says, and by nothing a caller adds before it', async () => {
    const { app } = behind.program
    const answers = []
    for (const forwarded of ['1.1.1.1, 203.0.113.1', '2.2.2.2, 203.0.113.1', '203.0.113.1', '3.3.3.3, 203.0.113.1'])
      answers.push((await from('10.0.0.1', forwarded, app)).statusCode)
    expect(answers).toEqual([401, 401, 401, 429])
    expect((await from('10.0.0.1', '203.0.113.2', app)).statusCode).toBe(401)
    expect((await from('192.0.2.9', '203.0.113.1', app)).statusCode).toBe(401)
  })
})
