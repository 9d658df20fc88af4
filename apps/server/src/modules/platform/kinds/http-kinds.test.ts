import { existsSync, readFileSync } from 'node:fs'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { Webhook } from 'standardwebhooks'
import { describe, expect, test } from 'vitest'
import { signedHeaders } from '../../../kernel/webhooks/sign.ts'
import { messageId, type OutgoingMessage } from '../declared/message.ts'
import { catalog, kindOf } from './catalog.ts'
import type { HttpRequest, HttpTransport, WireInput } from './kind.ts'
import { ocsfFinding } from './testing/wire-schemas.ts'

const id = '0198a000-0000-7000-8000-000000000001'
const time = '2026-01-02T03:04:05.678Z'
const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'

const message = (over: Partial<OutgoingMessage> = {}): OutgoingMessage => ({
  ...{ id: messageId(id), kind: 'event', tenant_id: id, time, channel: 'aegis.alert.created', subject: id },
  ...{ type: 'com.parapet.aegis.AlertCreated', severity: 'critical', title: 'Leak <b> & more', text: 'a: 1\nb: 2' },
  ...{ url: 'https://parapet.example/aegis', key: `${id}/aegis.alert/${id}`, action: 'trigger' },
  event: { specversion: '1.0', id, source: 's', type: 't', data: { a: 1 } },
  ...over,
})

type Http = HttpTransport<unknown, unknown>
const input = (rest: object, over: Partial<OutgoingMessage> = {}): WireInput<unknown, unknown> => ({
  ...{ message: message(over), config: {}, credentials: {}, secrets: [], nowMs: Date.parse(time) },
  ...rest,
})
const httpOf = (kind: Parameters<typeof kindOf>[0]): Http => {
  const { transport } = kindOf(kind)
  if (transport.type !== 'http') throw new Error('it is no kind that speaks HTTP')
  return transport
}
function requestOf(kind: Parameters<typeof kindOf>[0], rest: object, over: Partial<OutgoingMessage> = {}): HttpRequest {
  const request = httpOf(kind).request(input(rest, over), null)
  if (request === null) throw new Error('nothing is sent')
  return request
}
const json = (request: HttpRequest) => JSON.parse(request.body)

test('the catalog has a schema of both objects for every kind', () => {
  expect(catalog.map(({ kind }) => kind)).toHaveLength(12)
  for (const { config_schema: config, credentials_schema: credentials } of catalog)
    expect([config, credentials]).toMatchObject([{ additionalProperties: false }, { additionalProperties: false }])
})

describe('webhook', () => {
  test('signs as the published vector of Standard Webhooks', () => {
    const signed = {
      id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      body: '{"test": 2432232314}',
      secrets: [{ value: secret, until: null }],
    }
    expect(signedHeaders(signed, 1_614_265_330_000)['webhook-signature']).toBe(
      'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    )
  })

  test('carries the CloudEvent under an id without a dot, and the public verifier takes it', () => {
    const nowMs = Date.now()
    const { headers, body } = requestOf('webhook', {
      ...{ config: { url: 'https://x.example' }, secrets: [{ value: secret, until: null }], nowMs },
    })
    expect(headers['webhook-id']).toMatch(/^msg_[0-9a-f]{32}$/)
    expect(headers['content-type']).toContain('application/cloudevents+json')
    expect(new Webhook(secret).verify(body, { ...headers })).toMatchObject({ specversion: '1.0', data: { a: 1 } })
  })
})

test('Slack gets Block Kit, escaped, by either way; its refusals in an answer of 200 are failures', () => {
  const hook = requestOf('slack', { credentials: { webhook_url: 'https://hooks.slack.example/x' } })
  expect(json(hook)).toMatchObject({
    text: 'Leak &lt;b&gt; &amp; more',
    attachments: [{ blocks: [{ type: 'header' }, { type: 'section' }, { type: 'context' }, { type: 'actions' }] }],
  })
  const bot = requestOf('slack', { config: { channel: 'C1' }, credentials: { bot_token: 'xoxb-1' } })
  expect([bot.url, bot.headers.authorization, json(bot).channel]).toEqual([
    ...['https://slack.com/api/chat.postMessage', 'Bearer xoxb-1', 'C1'],
  ])
  expect(httpOf('slack').refusal?.('{"ok":false,"error":"channel_not_found"}')).toBe('refused: channel_not_found')
  expect(httpOf('slack').refusal?.('ok')).toBeNull()
})

test('Teams gets an Adaptive Card 1.5', () => {
  const body = json(requestOf('teams', { credentials: { webhook_url: 'https://teams.example/x' } }))
  expect(body).toMatchObject({
    type: 'message',
    attachments: [
      {
        contentType: 'application/vnd.microsoft.card.adaptive',
        content: { type: 'AdaptiveCard', version: '1.5', actions: [{ type: 'Action.OpenUrl' }] },
      },
    ],
  })
})

test.each([
  ['trigger', 'critical', 'critical'],
  ['acknowledge', 'high', 'error'],
  ['resolve', 'info', 'info'],
] as const)('PagerDuty gets %s with one key', (action, severity, theirs) => {
  const body = json(requestOf('pagerduty', { credentials: { routing_key: 'R' } }, { action, severity }))
  expect(body).toMatchObject({
    ...{ routing_key: 'R', event_action: action, dedup_key: `${id}/aegis.alert/${id}` },
    payload: { severity: theirs, timestamp: time, summary: 'Leak <b> & more' },
  })
})

test('Jira makes one issue for a thing, and comments of what comes later', () => {
  const rest = {
    config: { base_url: 'https://x.atlassian.net/', project_key: 'SEC' },
    credentials: { email: 'a@b.example', api_token: 't' },
  }
  const jira = httpOf('jira')
  const lookup = jira.lookup?.(input(rest))
  expect(lookup?.url).toBe('https://x.atlassian.net/rest/api/3/search/jql')
  const label = /labels = "([\w-]+)"/.exec(json(lookup as HttpRequest).jql)?.[1]
  const made = jira.request(input(rest), '{"issues":[]}')
  expect(made?.headers.authorization).toBe(`Basic ${Buffer.from('a@b.example:t').toString('base64')}`)
  expect(json(made as HttpRequest).fields).toMatchObject({
    ...{ project: { key: 'SEC' }, issuetype: { name: 'Task' }, labels: ['parapet', label] },
    description: {
      type: 'doc',
      version: 1,
      content: [{ type: 'paragraph' }, { type: 'paragraph' }, { type: 'paragraph' }],
    },
  })
  const found = '{"issues":[{"id":"1","key":"SEC-12"}]}'
  expect(jira.request(input(rest), found)).toBeNull()
  expect(jira.request(input(rest, { action: 'resolve' }), found)?.url).toMatch(/\/issue\/SEC-12\/comment$/)
  expect(jira.request(input(rest, { action: 'resolve' }), '{"issues":[]}')).toBeNull()
})

test('Splunk gets seconds and its own authorization', () => {
  const request = requestOf('splunk_hec', { config: { url: 'https://s.example:8088/' }, credentials: { token: 'T' } })
  expect([request.url, request.headers.authorization]).toEqual([
    ...['https://s.example:8088/services/collector/event', 'Splunk T'],
  ])
  expect(json(request)).toMatchObject({ time: 1_767_323_045.678, sourcetype: 'parapet:event', event: { id } })
  expect(httpOf('splunk_hec').refusal?.('{"text":"Invalid token","code":4}')).toBe('refused with the code 4')
  expect(httpOf('splunk_hec').refusal?.('{"text":"Success","code":0}')).toBeNull()
})

const ocsf = new Ajv2020({ strict: false, allErrors: true }).compile(ocsfFinding)

test.each(['trigger', 'acknowledge', 'resolve'] as const)(
  'an OCSF finding of %s has what its class requires',
  (action) => {
    const request = requestOf(
      'ocsf_http',
      { config: { url: 'https://o.example' }, credentials: { header_value: 'K' } },
      { action },
    )
    expect(request.headers.authorization).toBe('K')
    expect(ocsf(json(request)) ? [] : ocsf.errors).toEqual([])
  },
)

const specification = new URL('../../../../../../../shared/data/openlineage/spec/OpenLineage.json', import.meta.url)

describe.skipIf(!existsSync(specification))('OpenLineage', () => {
  test('a run event fits the published schema, and one that is there goes as it is', () => {
    const ajv = new Ajv2020({ strict: false, allErrors: true })
    addFormats.default(ajv)
    const schema = JSON.parse(readFileSync(specification, 'utf8'))
    const check = ajv.compile({ ...schema, $id: 'https://test.example/OpenLineage.json' })
    const request = requestOf('openlineage', { config: { url: 'https://marquez.example' } })
    expect(request.url).toBe('https://marquez.example/api/v1/lineage')
    expect(check(json(request)) ? [] : check.errors).toEqual([])
    expect(json(request).run.runId).toBe(id)
    const data = { eventTime: time, run: { runId: id }, job: { namespace: 'n', name: 'j' } }
    expect(json(requestOf('openlineage', { config: { url: 'https://m.example' } }, { event: { data } }))).toEqual(data)
  })
})
