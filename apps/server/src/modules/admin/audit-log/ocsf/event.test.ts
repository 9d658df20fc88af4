import { Ajv } from 'ajv'
import { describe, expect, test } from 'vitest'
import type { AuditEntry } from '../schemas/audit-log.ts'
import { acts, verbs } from './acts.ts'
import { classes } from './classes.ts'
import { ocsfEvent } from './event.ts'

const id = '0198a000-0000-7000-8000-000000000001'
const person = '0198a000-0000-7000-8000-000000000002'
const session = '0198a000-0000-7000-8000-000000000003'

function entry(over: Partial<AuditEntry> = {}): AuditEntry {
  return {
    tenant_id: id,
    id,
    at: '2026-01-02T03:04:05.678Z',
    actor_kind: 'user',
    user_id: id,
    key_id: null,
    role: 'admin',
    home_tenant_id: null,
    action: 'iam.role.create',
    target: `role:${id}`,
    before: null,
    after: null,
    reason: null,
    result: 'success',
    ip: '192.0.2.7',
    user_agent: null,
    request_id: 'req_1',
    traceparent: null,
    personal: [],
    withheld: false,
    seq: 7,
    prev_hash: null,
    entry_hash: null,
    sealed_at: '2026-01-02T03:04:06.000Z',
    ...over,
  }
}

/** Requirements of version 1.9.0 of the framework for these classes and their objects, written from its definitions. */
const integer = { type: 'integer' }
const text = { type: 'string', minLength: 1 }
const oneOfThese = (...names: string[]) => ({ type: 'object', anyOf: names.map((name) => ({ required: [name] })) })
const subjects = {
  3002: { required: ['user'], anyOf: [{ required: ['service'] }, { required: ['dst_endpoint'] }] },
  3006: { required: ['group'] },
  3007: { required: ['user'] },
  3008: { required: ['iam_role'] },
  6003: { required: ['actor', 'api', 'src_endpoint'] },
}
const activities = { 3002: 7, 3006: 11, 3007: 17, 3008: 11, 6003: 4 }
const validate = new Ajv({ strict: true, strictRequired: false, strictTypes: false, allErrors: true }).compile({
  type: 'object',
  required: ['activity_id', 'category_uid', 'class_uid', 'metadata', 'severity_id', 'time', 'type_uid'],
  properties: {
    activity_id: integer,
    category_uid: { enum: [3, 6] },
    class_uid: { enum: Object.keys(subjects).map(Number) },
    type_uid: integer,
    severity_id: { enum: [0, 1, 2, 3, 4, 5, 6, 99] },
    status_id: { enum: [0, 1, 2, 99] },
    time: integer,
    metadata: {
      type: 'object',
      required: ['product', 'version'],
      properties: { version: { const: '1.9.0' }, sequence: integer, logged_time: integer, uid: text },
    },
    user: oneOfThese('account', 'name', 'uid'),
    group: oneOfThese('name', 'uid'),
    iam_role: oneOfThese('name', 'uid'),
    actor: oneOfThese('process', 'user', 'session', 'app_name', 'app_uid'),
    src_endpoint: oneOfThese('ip', 'uid', 'name', 'hostname', 'svc_name'),
    api: { type: 'object', required: ['operation'], properties: { operation: text } },
    service: oneOfThese('name', 'uid'),
    session: { type: 'object', properties: { uid: text } },
  },
  allOf: Object.entries(subjects).map(([uid, then]) => ({
    if: { properties: { class_uid: { const: Number(uid) } } },
    then,
  })),
})

const faultsOf = (event: unknown) => (validate(event) ? [] : validate.errors)

describe('an entry as an event of the Open Cybersecurity Schema Framework', () => {
  test.each([...acts.keys(), ...[...verbs.keys()].map((verb) => `risk.scenario.${verb}`)])(
    'of %s has what its class requires, whoever and whatever it is about',
    (action) => {
      const bare = { user_id: null, actor_kind: 'system', role: null, ip: null, seq: null, sealed_at: null } as const
      for (const over of [{}, bare, { ...bare, target: 'odd' }, { actor_kind: 'api_key', key_id: 'k_1' } as const]) {
        const event = ocsfEvent(entry({ action, ...over }))
        expect(faultsOf(event)).toEqual([])
        const { class_uid: uid, activity_id: activity, type_uid: type, category_uid: category } = event
        expect([type, category]).toEqual([Number(uid) * 100 + Number(activity), Math.floor(Number(uid) / 1000)])
      }
    },
  )

  test('has activities that its class knows', () => {
    for (const { uid, activities: known } of Object.values(classes))
      for (const [activity] of Object.values(known))
        expect(activity === 99 || activity <= activities[uid], `${uid}/${activity}`).toBe(true)
  })

  test('without its subject would not pass', () => {
    const { user: _user, ...without } = ocsfEvent(entry({ action: 'auth.login' }))
    expect(faultsOf(without)).not.toEqual([])
    expect(faultsOf({ ...ocsfEvent(entry()), iam_role: {} })).not.toEqual([])
  })

  test('of a sign-in is an authentication of the person, in the session', () => {
    const after = { user_id: person, amr: ['pwd'] }
    const event = ocsfEvent(
      entry({ action: 'auth.login', target: `session:${session}`, user_id: null, role: null, after }),
    )
    expect(event).toMatchObject({
      class_uid: 3002,
      type_uid: 300_201,
      type_name: 'Authentication: Logon',
      time: 1_767_323_045_678,
      status_id: 1,
      user: { uid: person },
      session: { uid: session },
      src_endpoint: { ip: '192.0.2.7' },
      metadata: { version: '1.9.0', event_code: 'auth.login', sequence: 7, logged_time: 1_767_323_046_000 },
    })
  })

  test('of a refusal fails, is more severe and tells why', () => {
    const refused = entry({ action: 'access.refuse', target: 'route:/api/v1/x', result: 'refused', reason: 'AUTH-004' })
    expect(ocsfEvent(refused)).toMatchObject({
      class_uid: 6003,
      status_id: 2,
      status_code: 'refused',
      status_detail: 'AUTH-004',
      severity_id: 2,
      api: { operation: 'access.refuse', request: { uid: 'req_1' } },
      resources: [{ type: 'route', uid: '/api/v1/x' }],
    })
  })

  test('of a key is by a service of that person', () => {
    expect(ocsfEvent(entry({ actor_kind: 'api_key', key_id: 'k_1' }))).toMatchObject({
      actor: { user: { uid: id, credential_uid: 'k_1', type_id: 4 }, iam_role: { name: 'admin' } },
    })
  })

  test('of an action that is not written any more is a call of the API', () => {
    expect(ocsfEvent(entry({ action: 'old.thing.done' }))).toMatchObject({ class_uid: 6003, activity_id: 99 })
  })

  test('holds the whole entry beside it', () => {
    expect(ocsfEvent(entry()).unmapped).toEqual(entry())
  })
})
