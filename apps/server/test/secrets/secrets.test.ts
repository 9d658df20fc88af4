import { createHash } from 'node:crypto'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { DatabaseError as ServerError } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { schemaOf } from '../../src/kernel/assembly/schema.ts'
import { DatabaseError } from '../../src/kernel/db/errors.ts'
import type { Driver, Session } from '../../src/kernel/db/port.ts'
import { accessLine } from '../../src/kernel/observe/access-log.ts'
import { createLogger } from '../../src/kernel/observe/log.ts'
import { type Collector, openCollector } from '../../src/kernel/observe/otel/testing/collector.ts'
import { modules } from '../../src/modules.ts'
import { type DeclaredRoute, declaredRoutes, fill, isPublic } from '../generated/manifest.ts'
import type { Ids } from '../generated/module-cases.ts'
import { fullBody, sampleBody } from '../generated/samples.ts'
import { isJson } from '../generated/schema-values.ts'
import { fillTenant, type TenantData } from '../generated/tenant-data.ts'
import { openTestDatabase } from '../support/database.ts'
import { held } from '../support/matrices.ts'
import { expectStatus, type OwnWorld, openWorld, password } from '../support/world.ts'
import { findSecret, secretsIn, withCanaries } from './canaries.ts'

/** Output of the process, by destination. */
const written: Record<'log' | 'access log' | 'metrics' | 'telemetry' | 'answers', string> = {
  log: '',
  'access log': '',
  metrics: '',
  telemetry: '',
  answers: '',
}
function note(place: keyof typeof written, line: string): void {
  written[place] += line
}
/** Each secret of the run with where it was used. */
const secrets = new Map<string, string>()
const configured = {
  PARAPET_METRICS_TOKEN: 'canary-metrics-token-5d81',
  PARAPET_KEY_ENCRYPTION_KEY: createHash('sha256').update('a key of a test').digest('base64'),
  OTEL_EXPORTER_OTLP_HEADERS: 'authorization=canary-collector-7a02',
  // Nothing listens there, so that every call which would leave this machine fails and is reported.
  PARAPET_EGRESS_PROXY: 'http://parapet:canary-proxy-4e19@127.0.0.1:9',
}
let world: OwnWorld
let alpha: TenantData
let collector: Collector
let vendor: Server
let failing = false
/** Of the administrator, once the first token has been given back. */
let admin: string | null = null

/** Fails like a server that tells the values it did not take, as PostgreSQL does. */
function failingDriver(driver: Driver): Driver {
  const { acquireToAppend } = driver
  return {
    ...driver,
    acquire: async () => failingSession(await driver.acquire()),
    ...(acquireToAppend !== undefined && { acquireToAppend: async () => failingSession(await acquireToAppend()) }),
  }
}

function failingSession(session: Session): Session {
  return {
    ...session,
    run: async (statements) => {
      const hit = failing ? statements.find(({ text }) => /\binsert into\b|^\s*update\b/.test(text)) : undefined
      if (hit === undefined) return session.run(statements)
      const detail = `Failing row contains (${hit.values.map(String).join(', ')}).`
      const cause = Object.assign(new ServerError('null value violates a constraint', 100, 'error'), {
        code: '23502',
        detail,
        values: hit.values,
      })
      throw new DatabaseError(cause, hit.text)
    },
  }
}

/** A vendor that tells the key it was given, as some do. */
function openVendor(): Promise<Server> {
  const server = createServer((request, response) => {
    request.resume()
    const message = `Incorrect API key provided: ${request.headers.authorization}`
    response.writeHead(401, { 'content-type': 'application/json' }).end(JSON.stringify({ error: { message } }))
  })
  return new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(server)))
}

beforeAll(async () => {
  collector = await openCollector()
  vendor = await openVendor()
  const database = await openTestDatabase(schemaOf(modules))
  world = await openWorld({
    database: { ...database, driver: failingDriver(database.driver) },
    log: createLogger({ level: 'trace', now: Date.now, destination: { write: (line) => note('log', line) } }),
    accessLog: {
      write: (facts) => note('access log', accessLine(facts, new Date().toISOString())),
      close: () => undefined,
    },
    environment: {
      ...configured,
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
      OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT: 'true',
    },
  })
  alpha = await fillTenant(await world.tenant('alpha'))
  for (const [name, value] of Object.entries(configured))
    secrets.set(value.replace(/^authorization=|^http:.*:(?=canary)|@.*$/g, ''), name)
  secrets.set(password, 'the password of everybody')
  secrets.set(world.operator.token, 'the operator’s token')
  secrets.set(alpha.tenant.admin.token, 'the administrator’s token')
  secrets.set(alpha.tenant.admin.tokenFor('/scim/'), 'the directory’s key')
})
afterAll(async () => {
  await collector?.close()
  vendor?.close()
})

/** Routes that end sessions or keys come after everything that needs them. */
const order = ({ name }: DeclaredRoute): number => (/logout$|keys\/rotate$|DELETE/.test(name) ? 1 : 0)
const routes = [...declaredRoutes].sort((a, b) => order(a) - order(b))

interface Sent {
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
  readonly query?: string
  readonly asStranger?: boolean
}

async function send(
  declared: DeclaredRoute,
  { body, headers = {}, query = '', asStranger = false }: Sent,
): Promise<number> {
  const path = fill(declared.path, alpha.ids)
  const { form, method, raw } = declared.route
  const known =
    isPublic(declared) || asStranger ? {} : { authorization: `Bearer ${admin ?? alpha.tenant.admin.tokenFor(path)}` }
  const type = form ? 'application/x-www-form-urlencoded' : (raw?.mediaType ?? 'application/json')
  const payload =
    form && isJson(body) ? new URLSearchParams(body as Record<string, string>).toString() : JSON.stringify(body)
  const answer = await world.program.app.inject({
    method,
    url: `${path}${query}`,
    headers: { ...known, ...(body === undefined ? {} : { 'content-type': type }), ...headers },
    ...(body === undefined ? {} : { payload }),
  })
  for (const secret of secretsIn(readJson(answer.payload))) secrets.set(secret, `given by ${declared.name}`)
  note('answers', `${declared.name} ${answer.payload}\n`)
  return answer.statusCode
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** The body that does something, and the one with every member. */
function bodiesOf(declared: DeclaredRoute): readonly unknown[] {
  if (declared.route.body === null) return []
  const ids: Ids = alpha.ids
  const full = fullBody(declared, new Proxy(ids, { get: (known, kind) => Reflect.get(known, kind) ?? alpha.tenant.id }))
  return [sampleBody(declared, ids) ?? {}, full]
}

async function plant(declared: DeclaredRoute): Promise<number> {
  let planted = 0
  for (const plain of bodiesOf(declared)) {
    const { body, canaries } = withCanaries(declared.name, declared.route.body, plain)
    for (const canary of canaries) secrets.set(canary, declared.name)
    planted += canaries.length
    await send(declared, { body })
  }
  return planted
}

let used = 0
function credential(what: string): string {
  used += 1
  const text = `canary-credential-${used}-k3w8`
  secrets.set(text, what)
  return text
}

async function knock(declared: DeclaredRoute): Promise<void> {
  const { name } = declared
  const [body] = bodiesOf(declared)
  const basic = credential(`${name} basic`)
  const tries: readonly Sent[] = [
    { asStranger: true, headers: { authorization: `Bearer ${credential(`${name} bearer`)}` } },
    { asStranger: true, headers: { authorization: `Basic ${Buffer.from(`somebody:${basic}`).toString('base64')}` } },
    {
      asStranger: true,
      headers: { 'x-api-key': credential(`${name} key`), 'proxy-authorization': credential(`${name} proxy`) },
    },
    {
      headers: {
        cookie: `__Host-session=${credential(`${name} cookie`)}`,
        'webhook-signature': `v1,${credential(`${name} signature`)}`,
      },
      query: `?access_token=${credential(`${name} query`)}&token=${credential(`${name} query`)}`,
    },
  ]
  for (const one of tries) await send(declared, { body, ...one })
}

async function callVendor(): Promise<void> {
  const key = credential('a provider’s key')
  const base_url = `http://127.0.0.1:${(vendor.address() as AddressInfo).port}/v1`
  const provider = {
    name: 'telling',
    kind: 'openai_compatible',
    base_url,
    models: ['telling-1'],
    secrets: [{ id: 'main', value: key }],
  }
  expectStatus(await alpha.tenant.admin.post('/gateway/providers', provider), 201)
  const chat = { model: 'telling-1', messages: [{ role: 'user', content: 'Sample' }] }
  const answer = await alpha.tenant.admin.post('/gateway/chat/completions', chat)
  expect(answer.status).toBeGreaterThanOrEqual(400)
  expect(findSecret(answer.text, key)).toBeNull()
}

/** Everything but the traces, which leave when the program stops. */
async function gather(): Promise<void> {
  written.metrics = await world.kernel.metrics.render()
  await world.close()
  written.telemetry = collector.posted.map(({ body }) => body.toString()).join('\n')
}

describe('C62 the secrets of a whole run', () => {
  it('are sent to every route, and to a vendor', { timeout: 300_000 }, async () => {
    let planted = 0
    await callVendor()
    for (const declared of routes) {
      planted += await plant(declared)
      await knock(declared)
    }
    admin = (await world.signIn('admin@alpha.example', alpha.tenant.id)).token
    secrets.set(admin, 'the administrator’s second token')
    failing = true
    const answers: number[] = []
    for (const declared of routes.filter(({ route }) => route.method !== 'GET'))
      for (const plain of bodiesOf(declared)) {
        const { body, canaries } = withCanaries(declared.name, declared.route.body, plain)
        for (const canary of canaries) secrets.set(canary, declared.name)
        answers.push(await send(declared, { body }))
      }
    failing = false
    expect(answers.filter((status) => status === 500).length).toBeGreaterThan(10)
    // A caller with all permissions reads the stored data.
    for (const declared of routes.filter(({ route }) => route.method === 'GET')) await send(declared, {})
    held('secrets planted in requests', planted)
    await gather()
    process.stdout.write(`${secrets.size} secrets in ${Object.values(written).join('').length} characters\n`)
  })

  it('stand beside enough that was written for their absence to mean something', () => {
    const lines = written['access log'].split('\n').length
    expect(lines).toBeGreaterThan(4 * declaredRoutes.length)
    expect(written.log).toContain('"level":"error"')
    expect(written.metrics).toContain('POST')
    expect(written.telemetry).toContain('resourceSpans')
    expect(written.telemetry).toContain('resourceMetrics')
    expect(secrets.size).toBeGreaterThan(5 * declaredRoutes.length)
  })

  for (const place of ['log', 'access log', 'metrics', 'telemetry'] as const)
    it(`are nowhere in the ${place}, in no spelling`, () => {
      const found = [...secrets].flatMap(([secret, from]) => {
        const spelling = findSecret(written[place], secret)
        return spelling === null ? [] : [`${from}: ${context(written[place], spelling)}`]
      })
      expect(found.slice(0, 10)).toEqual([])
    })

  it('come back in no answer, but what an answer gave first', () => {
    const sent = [...secrets].filter(([, from]) => !from.startsWith('given by '))
    const found = sent.flatMap(([secret, from]) => {
      const spelling = findSecret(written.answers, secret)
      return spelling === null ? [] : [`${from}: ${context(written.answers, spelling)}`]
    })
    expect(found.slice(0, 10)).toEqual([])
  })
})

function context(text: string, part: string): string {
  const at = text.indexOf(part)
  return text.slice(Math.max(0, at - 200), at + part.length + 100)
}

describe('C62 the search', () => {
  const secret = 'canary/+ü"7q'
  it.each([
    ['as it is', (text: string) => text],
    ['as JSON', (text: string) => JSON.stringify(text)],
    ['in a query', (text: string) => `?a=${encodeURIComponent(text)}`],
    ['in base64 behind something else', (text: string) => Buffer.from(`user:${text}`).toString('base64')],
    ['in base64url before something else', (text: string) => Buffer.from(`${text}.and more`).toString('base64url')],
    ['in hex', (text: string) => Buffer.from(text).toString('hex')],
  ])('finds a secret %s', (_how, spell) => {
    expect(findSecret(`before ${spell(secret)} after`, secret)).not.toBeNull()
    expect(findSecret('before and after', secret)).toBeNull()
  })

  it('finds a code of six digits and no number that holds it', () => {
    expect(findSecret('"code":"739147"', '739147')).toBe('739147')
    expect(findSecret('17391479 0.739147 a739147b', '739147')).toBeNull()
  })
})
