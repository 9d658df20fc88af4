/** Every HTTP kind against a receiver of this machine that refuses what its published form does not allow. */
import { createServer } from 'node:http'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectStatus, openWorld, type TestTenant, type World } from '../../../../test/support/world.ts'
import { closeAll, listen } from '../../../kernel/egress/testing/upstream.ts'
import * as schemas from './testing/wire-schemas.ts'

let world: World
let tenant: TestTenant
let url: string

const ajv = new Ajv2020({ strict: false, allErrors: true })
addFormats.default(ajv)

interface Receiver {
  readonly check: ValidateFunction
  readonly accepted: readonly [status: number, body: object | string]
  readonly header?: readonly [name: string, value: string]
}

const routingKey = 'R'.repeat(32)
const found = { issues: [] as { id: string; key: string }[] }
const basic = ['authorization', `Basic ${Buffer.from('a@b.example:t').toString('base64')}`] as const
const receivers: Readonly<Record<string, Receiver>> = {
  '/slack': { check: ajv.compile(schemas.slackMessage), accepted: [200, 'ok'] },
  '/slack-api': {
    check: ajv.compile({ ...schemas.slackMessage, required: ['channel', 'text'] }),
    ...{ accepted: [200, { ok: true }], header: ['authorization', 'Bearer xoxb-1'] },
  },
  '/teams': { check: ajv.compile(schemas.teamsMessage), accepted: [202, ''] },
  '/pagerduty': { check: ajv.compile(schemas.pagerdutyEvent), accepted: [202, { status: 'success' }] },
  '/jira/rest/api/3/search/jql': { check: ajv.compile(schemas.jiraSearch), accepted: [200, found], header: basic },
  '/jira/rest/api/3/issue': {
    ...{ check: ajv.compile(schemas.jiraIssue), accepted: [201, { id: '1', key: 'SEC-1' }], header: basic },
  },
  '/jira/rest/api/3/issue/SEC-1/comment': { check: ajv.compile(schemas.jiraComment), accepted: [201, { id: '2' }] },
  '/splunk/services/collector/event': {
    check: ajv.compile(schemas.splunkEvent),
    ...{ accepted: [200, { text: 'Success', code: 0 }], header: ['authorization', 'Splunk T'] },
  },
  '/ocsf': { check: ajv.compile(schemas.ocsfFinding), accepted: [200, {}], header: ['x-key', 'K'] },
}
const got: { readonly path: string; readonly faults: unknown; readonly body: Record<string, unknown> }[] = []

beforeAll(async () => {
  const server = createServer((request, response) => {
    const pieces: Buffer[] = []
    request.on('data', (piece: Buffer) => pieces.push(piece))
    request.on('end', () => {
      const path = request.url ?? ''
      const receiver = receivers[path]
      if (receiver === undefined) return void response.writeHead(404).end()
      const body = JSON.parse(Buffer.concat(pieces).toString())
      const [name, value] = receiver.header ?? []
      const isKnown = name === undefined || request.headers[name] === value
      const faults = receiver.check(body) ? [] : receiver.check.errors
      got.push({ path, faults, body })
      const [status, answer] = !isKnown ? [401, {}] : receiver.check(body) ? receiver.accepted : [400, { faults }]
      response.writeHead(status).end(typeof answer === 'string' ? answer : JSON.stringify(answer))
    })
  })
  url = `http://127.0.0.1:${await listen(server)}`
  world = await openWorld()
  tenant = await world.tenant('platform-receivers')
})
afterAll(async () => {
  await world?.close()
  await closeAll()
})

const kinds = (): readonly (readonly [name: string, body: object, paths: readonly string[]])[] => [
  ['slack', { kind: 'slack', config: {}, credentials: { webhook_url: `${url}/slack` } }, ['/slack']],
  [
    'slack bot',
    { kind: 'slack', config: { channel: 'C1', api_url: `${url}/slack-api` }, credentials: { bot_token: 'xoxb-1' } },
    ['/slack-api'],
  ],
  ['teams', { kind: 'teams', config: {}, credentials: { webhook_url: `${url}/teams` } }, ['/teams']],
  [
    'pagerduty',
    { kind: 'pagerduty', config: { url: `${url}/pagerduty` }, credentials: { routing_key: routingKey } },
    ['/pagerduty'],
  ],
  [
    'jira',
    {
      kind: 'jira',
      config: { base_url: `${url}/jira`, project_key: 'SEC' },
      credentials: { email: 'a@b.example', api_token: 't' },
    },
    ['/jira/rest/api/3/search/jql', '/jira/rest/api/3/issue'],
  ],
  [
    'splunk',
    { kind: 'splunk_hec', config: { url: `${url}/splunk` }, credentials: { token: 'T' } },
    ['/splunk/services/collector/event'],
  ],
  [
    'ocsf',
    { kind: 'ocsf_http', config: { url: `${url}/ocsf`, header: 'X-Key' }, credentials: { header_value: 'K' } },
    ['/ocsf'],
  ],
]

/** Titles that would break a form that is put together carelessly. */
const titles = ['A test', '<!channel> & <script>"\\', '𝒜'.repeat(100), ' | \u202e x = y ] \u00a0 z']

test('is taken as it is sent, with titles that are long and odd', async () => {
  for (const [name, body, paths] of kinds()) {
    const { id } = expectStatus(await tenant.admin.post('/platform/integrations', { name, ...body }), 201).body.data
    for (const title of titles) {
      got.splice(0)
      const answer = await tenant.admin.post(`/platform/integrations/${id}/deliveries`, { kind: 'test', title })
      expect([name, title, answer.status, got.flatMap(({ faults }) => faults)]).toEqual([name, title, 201, []])
      expect([name, got.map(({ path }) => path)]).toEqual([name, paths])
    }
  }
})

test('a real event of a thing goes to Jira once, and what comes later becomes a comment', async () => {
  const [, jira] = kinds().find(([name]) => name === 'jira') ?? []
  const events = ['aegis.kill_switch.*']
  const body = { ...jira, name: 'jira of events', events }
  const { id } = expectStatus(await tenant.admin.post('/platform/integrations', body), 201).body.data
  const key = expectStatus(await tenant.admin.post('/iam/api-keys', { name: 'Unused', scopes: ['trust:read'] }), 201)
  got.splice(0)
  const killSwitch = { scope: 'key', value: key.body.data.id, reason: 'A key that nobody uses' }
  const made = expectStatus(await tenant.admin.post('/gateway/kill-switches', killSwitch), 201).body.data
  const paths = () => got.map(({ path }) => path.replace('/jira/rest/api/3/', ''))
  await expect.poll(paths, { timeout: 20_000 }).toEqual(['search/jql', 'issue'])
  found.issues.push({ id: '1', key: 'SEC-1' })
  const deliveries = { query: { status: 'delivered' } }
  const delivered = async () =>
    (await tenant.admin.get(`/platform/integrations/${id}/deliveries`, deliveries)).body.data
  await expect.poll(async () => (await delivered()).length, { timeout: 20_000 }).toBe(1)
  const [{ id: deliveryId }] = await delivered()
  const replay = { kind: 'replay', delivery_ids: [deliveryId] }
  expectStatus(await tenant.admin.post(`/platform/integrations/${id}/deliveries`, replay), 202)
  // Look before create: the issue is there, so the repetition makes none.
  await expect.poll(paths, { timeout: 20_000 }).toEqual(['search/jql', 'issue', 'search/jql'])
  const reason = { reason: 'The key is used again' }
  expectStatus(await tenant.admin.post(`/gateway/kill-switches/${made.id}/deactivate`, reason), 200)
  await expect
    .poll(paths, { timeout: 20_000 })
    .toEqual(['search/jql', 'issue', 'search/jql', 'search/jql', 'issue/SEC-1/comment'])
  expect(got.flatMap(({ faults }) => faults)).toEqual([])
})
