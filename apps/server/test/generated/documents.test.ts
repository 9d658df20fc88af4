import Type from 'typebox'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { apiErrors, authErrors } from '../../src/kernel/errors/errors.ts'
import { cloudEventType } from '../../src/kernel/events/catalogue/cloudevents.ts'
import { lazySerializer } from '../../src/kernel/schema/serializers.ts'
import { lazyCheck } from '../../src/kernel/schema/validators.ts'
import { modules } from '../../src/modules.ts'
import { openWorld, type World } from '../support/world.ts'
import { declaredRoutes, isPublic, requestSchemas } from './manifest.ts'
import { openApiFaults, referenceFaults, repeated } from './openapi-structure.ts'
import type { Json } from './schema-values.ts'
import { placesIn } from './schema-walk.ts'

let world: World

beforeAll(async () => {
  world = await openWorld({ own: true })
})
afterAll(() => world.close())

async function read(path: string, accept = 'application/json') {
  return world.program.app.inject({ url: path, headers: { accept } })
}

it('C13 leaves these routes open to everybody and no others', () => {
  expect(declaredRoutes.filter(isPublic).map(({ name }) => name)).toEqual([
    'POST /api/v1/auth/login',
    'POST /api/v1/auth/refresh',
    'POST /api/v1/auth/email/confirm',
    'POST /api/v1/auth/password/forgot',
    'POST /api/v1/auth/password/reset',
    'POST /api/v1/auth/invitations/accept',
    'POST /api/v1/auth/bootstrap',
    'POST /api/v1/auth/mfa/totp',
    'POST /api/v1/auth/mfa/totp/verify',
    'POST /api/v1/auth/passkeys/registration-options',
    'POST /api/v1/auth/passkeys',
    'POST /api/v1/auth/passkeys/authentication-options',
    'POST /api/v1/auth/passkeys/login',
    'GET /api/v1/auth/sso/discover',
    'GET /api/v1/auth/sso/{connection_id}/start',
    'GET /api/v1/auth/sso/{connection_id}/callback',
    'POST /api/v1/auth/sso/{connection_id}/callback',
    'POST /api/v1/auth/sso/exchange',
    'POST /api/v1/auth/sso/{connection_id}/backchannel-logout',
    'GET /api/v1/auth/sso/{connection_id}/metadata',
    'GET /.well-known/authzen-configuration',
    // Notifies any holder of the address that flags have changed, never which.
    'GET /ofrep/v1/evaluate/changes',
    'GET /.well-known/oauth-protected-resource/api/v1/aegis/mcp/{server_slug}',
  ])
})

it('compiles the validators and the serializer of every route', () => {
  for (const declared of declaredRoutes) {
    for (const [, schema] of requestSchemas(declared)) expect(lazyCheck(schema)(undefined)).not.toHaveLength(0)
    const [, schema] = declared.route.returns
    const serialize = lazySerializer(declared.route.list === null ? schema : Type.Array(schema))
    expect(() => serialize(declared.route.list === null ? {} : [])).not.toThrow(SyntaxError)
  }
})

it('C22 bounds every text, list and number that a request may hold', () => {
  const unbounded = declaredRoutes.flatMap((declared) =>
    requestSchemas(declared)
      .flatMap(([where, schema]) => placesIn(schema, where))
      .filter((place) => !isBounded(place.schema))
      .map((place) => `${declared.name} ${place.where}: ${JSON.stringify(place.schema).slice(0, 120)}`),
  )
  expect(unbounded).toEqual([])
})

function isBounded(schema: Json): boolean {
  if ('enum' in schema || 'const' in schema) return true
  if (schema.type === 'string') return 'maxLength' in schema
  if (schema.type === 'array') return 'maxItems' in schema
  if (schema.type === 'integer' || schema.type === 'number') return 'minimum' in schema && 'maximum' in schema
  return true
}

/**
 * Objects whose members are the caller's: metadata, JSON schemas that go through to a model, rules by entity, settings by
 * key, documents of other products, fields of events that a detection rule names, schemas and arguments of tools.
 */
const openObjects = [
  'POST /api/v1/auth/invitations/accept body/credential/clientExtensionResults',
  'PATCH /api/v1/admin/config body/values',
  'POST /api/v1/admin/feature-flags body/import/document',
  'PATCH /api/v1/aegis/alerts/{alert_id} body/suppress/match',
  'POST /api/v1/aegis/detection-rules body/detection',
  'POST /api/v1/aegis/detection-rules body/sources[]/detection',
  'POST /api/v1/aegis/detection-rules body/correlation/aliases',
  'POST /api/v1/aegis/detection-rules body/correlation/aliases/*',
  'PATCH /api/v1/aegis/detection-rules/{rule_id} body/detection',
  'PATCH /api/v1/aegis/detection-rules/{rule_id} body/suppressions[]/match',
  'POST /api/v1/aegis/guardrails body/checks[]/schema',
  'PATCH /api/v1/aegis/guardrails/{guardrail_id} body/checks[]/schema',
  'POST /api/v1/aegis/guardrails/evaluate body/guardrail/checks[]/schema',
  'POST /api/v1/aegis/guardrails/evaluate body/samples[]/args',
  'POST /api/v1/aegis/mcp-servers body/server_json',
  'POST /api/v1/aegis/mcp-servers body/server_json/remotes[]',
  'POST /api/v1/aegis/mcp-servers/{mcp_server_id}/scan body/definitions[]',
  'POST /api/v1/gateway/chat/completions body/tools[]/function/parameters',
  'POST /api/v1/gateway/chat/completions body/response_format/json_schema/schema',
  'POST /api/v1/gateway/chat/completions body/metadata',
  'POST /api/v1/gateway/routes body/targets[]/conditions/metadata',
  'PATCH /api/v1/gateway/routes/{route_id} body/targets[]/conditions/metadata',
  'POST /api/v1/gateway/policies body/document/sensitive_data/entities',
  'PATCH /api/v1/gateway/policies/{policy_id} body/document/sensitive_data/entities',
  'POST /api/v1/gateway/policies/{policy_id}/simulate body/document/sensitive_data/entities',
  'POST /api/v1/gateway/policies/{policy_id}/simulate body/input/tools[]/function/parameters',
  'POST /api/v1/gateway/policies/{policy_id}/simulate body/input/response_format/json_schema/schema',
  'POST /api/v1/gateway/policies/{policy_id}/simulate body/input/metadata',
  'POST /api/v1/resilience/scenarios body/import/document',
  'POST /api/v1/svc-ai/chat body/prompt/variables',
  'POST /api/v1/svc-ai/prompts body/preview_variables',
  'POST /api/v1/platform/notifications body/data',
  'POST /api/v1/platform/workflows body/definition/steps[]/with',
  'POST /api/v1/platform/workflows/{workflow_id}/runs body/input',
  'POST /api/v1/platform/workflows/{workflow_id}/runs body/event/data',
  'POST /api/v1/platform/integrations body/config',
  'POST /api/v1/platform/integrations body/credentials',
]

it('C20 C30 takes no member that is not declared, but where the members are the caller’s', () => {
  const open = declaredRoutes
    .filter(({ route }) => !route.open)
    .flatMap((declared) =>
      requestSchemas(declared)
        .flatMap(([where, schema]) => placesIn(schema, where))
        .filter(({ schema }) => schema.type === 'object' && schema.additionalProperties !== false)
        .map(({ where }) => `${declared.name} ${where}`),
    )
  expect(open).toEqual(openObjects)
})

it('publishes an OpenAPI 3.1 document that is well formed and has every route', async () => {
  const document: Json = (await read('/openapi.json')).json()
  expect(openApiFaults(document)).toEqual([])
  const described = Object.entries(document.paths ?? {}).flatMap(([path, item]) =>
    Object.keys(item).map((method) => `${method.toUpperCase()} ${path}`),
  )
  expect([...described].sort()).toEqual(declaredRoutes.map(({ name }) => name).sort())
})

it('publishes an AsyncAPI 3.0 document whose references lead somewhere and that has every event', async () => {
  const document = (await read('/asyncapi.json')).json()
  expect(document.asyncapi).toBe('3.0.0')
  expect(document.info).toMatchObject({ title: expect.any(String), version: expect.any(String) })
  expect(referenceFaults(document)).toEqual([])
  for (const channel of Object.values<Json>(document.channels)) {
    expect(channel).toMatchObject({ address: '/ws', messages: expect.any(Object) })
  }
  for (const operation of Object.values<Json>(document.operations)) {
    expect(['send', 'receive']).toContain(operation.action)
    expect(operation.channel).toMatchObject({ $ref: expect.stringMatching(/^#\/channels\//) })
  }
  const titles = Object.values<Json>(document.channels).map(({ title }) => title)
  const channels = modules.flatMap((module) => module.emits).map(({ channel }) => channel)
  expect(channels.filter((channel) => !titles.includes(channel))).toEqual([])
})

it('explains every declared error at the address that problems name', async () => {
  const declared = [apiErrors, authErrors, ...modules.map(({ errors }) => errors)].flatMap(Object.values)
  expect(repeated(declared.map(({ code }) => code))).toEqual([])
  for (const { code, status, title, meaning } of declared) {
    const answer = await read(`/errors/${code}`)
    expect([answer.statusCode, answer.json()]).toEqual([200, { error_code: code, status, title, detail: meaning }])
    const page = await read(`/errors/${code}`, 'text/html')
    expect(page.headers['content-type']).toBe('text/html; charset=utf-8')
    expect(page.body).toContain(`<h1>${code}: ${title}</h1>`)
  }
  expect((await read('/errors/API-999')).statusCode).toBe(404)
})

it('answers the schema of every event type at its address', async () => {
  const { vendor } = world.kernel.config
  for (const event of modules.flatMap((module) => module.emits)) {
    const answer = await read(`/schemas/events/${cloudEventType(vendor, event)}/1`)
    expect([event.type, answer.statusCode]).toEqual([event.type, 200])
  }
})
