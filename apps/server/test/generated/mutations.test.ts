import { randomUUID } from 'node:crypto'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { ProblemError } from '../../src/kernel/errors/problem.ts'
import { bodyReader } from '../../src/kernel/schema/validators.ts'
import type { TestAnswer, TestClient } from '../support/client.ts'
import { held } from '../support/matrices.ts'
import { sampled } from '../support/sampled.ts'
import { openWorld, type World } from '../support/world.ts'
import { differsFrom, failuresOf, told } from './each-route.ts'
import { type DeclaredRoute, fill, hasBody, isPublic, querySchema } from './manifest.ts'
import type { Ids } from './module-cases.ts'
import { hostileTexts, mutationsOf, withHostileTexts } from './mutations.ts'
import { fullBody } from './samples.ts'
import { isJson, type Json, valueFor } from './schema-values.ts'
import { fillTenant, type TenantData } from './tenant-data.ts'

let world: World
let admin: TestClient
let alpha: TenantData
const nobodys: Ids = new Proxy({}, { get: () => randomUUID() })
// Shares no code with the validators of the product.
const ajv = new Ajv2020({ strict: false, validateFormats: true })
addFormats.default(ajv)

beforeAll(async () => {
  world = await openWorld({ own: true })
  alpha = await fillTenant(await world.tenant('alpha'))
  admin = alpha.tenant.admin
})
afterAll(() => world.close())

function bodyCheck({ route }: DeclaredRoute): ValidateFunction {
  return ajv.compile(JSON.parse(JSON.stringify(route.body ?? { type: 'object', additionalProperties: false })))
}

function send(declared: DeclaredRoute, body: unknown, ids: Ids = nobodys): Promise<TestAnswer> {
  const client = isPublic(declared) ? world.stranger : admin
  return client.send(declared.route.method, fill(declared.path, ids), { body })
}

/** Every body goes through the reader that the route uses; this many of each route go through the server as well. */
const sentPerRoute = sampled(100)

function isRefused(read: (body: unknown) => unknown, value: unknown): boolean {
  try {
    read(JSON.parse(JSON.stringify(value)))
    return false
  } catch (error) {
    return error instanceof ProblemError && error.code === 'API-001'
  }
}

/** At most `count` of the list, at even distances. */
function spread<T>(list: readonly T[], count: number): readonly T[] {
  const step = Math.max(1, list.length / count)
  return Array.from({ length: Math.min(count, list.length) }, (_, index) => list[Math.floor(index * step)]).filter(
    (one) => one !== undefined,
  )
}

// No refused body reaches a database, so one kind of database is enough.
const onEmbedded = it.runIf(process.env.PARAPET_TEST_DB !== 'pg')

onEmbedded(
  'C20 C30 answers 400 API-001 to every body that an independent validator refuses',
  async () => {
    let cases = 0
    const failures = await failuresOf(
      (declared) => hasBody(declared) && !declared.route.open,
      async (declared) => {
        const isValid = bodyCheck(declared)
        const full = fullBody(declared, nobodys)
        if (!isValid(full)) return [`the full sample is refused: ${JSON.stringify(isValid.errors)}`]
        const refused = mutationsOf(full).filter(({ value }) => value !== null && !isValid(value))
        cases += refused.length
        const faults: string[] = []
        const read = bodyReader(declared.route.body)
        for (const { what, value } of refused) if (!isRefused(read, value)) faults.push(`${what} is taken`)
        for (const { what, value } of spread(refused, sentPerRoute))
          faults.push(
            ...differsFrom(await send(declared, JSON.stringify(value)), { status: 400, code: 'API-001' }, what),
          )
        return faults
      },
    )
    held('mutated bodies', cases)
    expect(failures).toEqual([])
  },
  600_000,
)

it('answers 400 to text that a database cannot hold, but where texts are stored as bytes', async () => {
  const failures = await failuresOf(
    (declared) => hasBody(declared) && !declared.route.anyText,
    async (declared) => {
      const answers = await Promise.all(
        ['{"a":"\\u0000"}', '{"a":"\\ud800"}', '{"\\udc00":1}'].map((body) => send(declared, body)),
      )
      return answers.flatMap((answer) => differsFrom(answer, { status: 400, code: 'API-001' }))
    },
  )
  expect(failures).toEqual([])
})

const texts = ['', ' ', 'x', 'NaN', 'null', '0x10', '1e3', '%', 'é', ...hostileTexts, 'x'.repeat(3000)]
const instants = [
  '0000-01-01T00:00:00Z',
  '0001-01-01T00:00:00Z',
  '9999-12-31T23:59:59.999999Z',
  '2024-12-31T23:59:60Z',
  '2098-12-31T23:59:60Z',
  '2024-02-30T00:00:00Z',
  '2024-01-01T24:00:00Z',
  '2024-01-01T00:00:00+23:59',
  '2024-01-01t00:00:00z',
]

interface Parameter {
  readonly name: string
  readonly schema: Json
}

function parametersOf(declared: DeclaredRoute): readonly Parameter[] {
  return Object.entries(querySchema(declared)?.properties ?? {}).flatMap(([name, schema]) =>
    name !== 'cursor' && isJson(schema) ? [{ name, schema }] : [],
  )
}

function ask(declared: DeclaredRoute, query: Readonly<Record<string, string>>): Promise<TestAnswer> {
  return admin.send(declared.route.method, fill(declared.path, alpha.ids), { options: { query } })
}

const reads = ({ route }: DeclaredRoute): boolean => route.method === 'GET'

const taken = [200, 400, 403, 404, 422]

it('takes every declared query parameter', async () => {
  const failures = await failuresOf(reads, async (declared) => {
    const faults: string[] = []
    for (const { name, schema } of parametersOf(declared)) {
      const choices = { n: 1, full: true, idFor: () => randomUUID() }
      const value = String(valueFor(schema, choices, name))
      const answer = await ask(declared, { [name]: value })
      // Some values need another parameter beside them, name something that is not there, or are a credential of their own.
      const expected = isPublic(declared) ? [...taken, 401] : taken
      if (!expected.includes(answer.status)) faults.push(`${name}=${value} gave ${told(answer)}`)
    }
    return faults
  })
  expect(failures).toEqual([])
})

it('C20 answers 400 pointing at a query parameter of another type, and never fails on one', async () => {
  const failures = await failuresOf(reads, async (declared) => {
    const faults: string[] = []
    for (const { name, schema } of parametersOf(declared)) {
      for (const text of [...texts, ...instants]) {
        const answer = await ask(declared, { [name]: text })
        const typed = schema.type !== 'string' || 'format' in schema || 'enum' in schema || 'const' in schema
        if (answer.status >= 500) faults.push(`${name}=${text} gave ${told(answer)}`)
        else if (typed && !instants.includes(text) && !mayHold(schema, text))
          faults.push(...differsFrom(answer, { status: 400, code: 'API-001', pointer: `?${name}` }, `${name}=${text}`))
      }
    }
    return faults
  })
  expect(failures).toEqual([])
})

/** Decimal digits are a value of a whole number within its bounds. */
function mayHold(schema: Json, text: string): boolean {
  const least = typeof schema.minimum === 'number' ? schema.minimum : 0
  return (schema.type === 'integer' || schema.type === 'number') && text === '0' && least <= 0
}

it('C31 never fails on hostile text that is valid', async () => {
  let cases = 0
  const failures = await failuresOf(
    (declared) => hasBody(declared) && !isPublic(declared),
    async (declared) => {
      const isValid = bodyCheck(declared)
      const faults: string[] = []
      const valid = withHostileTexts(fullBody(declared, alpha.ids)).filter(({ value }) => isValid(value))
      for (const { what, value } of spread(valid, sampled(60))) {
        cases += 1
        const answer = await send(declared, value, alpha.ids)
        if (answer.status === 500) faults.push(`${what} gave ${told(answer)}`)
      }
      return faults
    },
  )
  held('hostile texts', cases)
  expect(failures).toEqual([])
}, 240_000)

it('never fails on the edges of times', async () => {
  const failures = await failuresOf(hasBody, async (declared) => {
    const full = fullBody(declared, alpha.ids)
    const faults: string[] = []
    for (const [name, value] of Object.entries(full)) {
      if (value !== '2099-01-01T00:00:00.000Z') continue
      for (const instant of instants) {
        const answer = await send(declared, { ...full, [name]: instant }, alpha.ids)
        if (answer.status >= 500) faults.push(`${name}=${instant} gave ${told(answer)}`)
      }
    }
    return faults
  })
  expect(failures).toEqual([])
})
