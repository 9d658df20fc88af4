import { Ajv } from 'ajv'
import { describe, expect, test } from 'vitest'
import type { AlertRow } from '../declared/schema.ts'
import { cefLine } from './cef.ts'
import { ocsfFinding } from './ocsf.ts'
import { syslogLine } from './syslog.ts'

const id = '0198a000-0000-7000-8000-000000000001'
const at = '2026-01-02T03:04:05.678Z'

function alert(over: Partial<AlertRow> = {}): AlertRow {
  return {
    ...{ id, tenant_id: id, version: 1, created_at: at, updated_at: at, rule_id: id, rule_version: 2 },
    ...{ title: 'Leak', severity: 'high', status: 'new', resolution: null, fingerprint: 'a'.repeat(64) },
    ...{ group_by: { user_id: 'u1' }, count: 3, first_seen: at, last_seen: at, suppressed_by: null },
    entities: [{ type: 'user', id: 'u1', name: null }],
    evidence: [{ id: 'e1', source: 'gateway.request.blocked', at, request_id: 'req_1', summary: 'a=b\nc' }],
    ...{ tags: ['LLM02', 'AML.T0057'], request_ids: ['req_1'], assignee_user_id: null, suppressed_until: null },
    ...{ acknowledged_at: null, resolved_at: null, closed_at: null, ack_due: at, resolve_due: at, breached: [] },
    ...{ cooldown_seconds: 3_600, paused_ms: 0, entity_keys: ['user:u1'], due_at: null },
    ...over,
  }
}

/**
 * The members that version 1.9.0 of the framework defines for a Detection Finding and its objects, as far as they are
 * used, and those it requires, written from its definitions. Any other member fails.
 */
const integer = { type: 'integer' }
const text = { type: 'string', minLength: 1 }
const all = (names: string, value: object) => Object.fromEntries(names.split(' ').map((name) => [name, value]))
const closed = { type: 'object', additionalProperties: false }
const validate = new Ajv({ strict: true, strictRequired: false, strictTypes: false, allErrors: true }).compile({
  ...closed,
  required: ['activity_id', 'category_uid', 'class_uid', 'finding_info', 'metadata', 'severity_id', 'time', 'type_uid'],
  properties: {
    ...all('category_name class_name activity_name type_name severity status status_detail', text),
    unmapped: { type: 'object' },
    activity_id: { enum: [0, 1, 2, 3, 99] },
    category_uid: { const: 2 },
    class_uid: { const: 2004 },
    type_uid: { enum: [200_400, 200_401, 200_402, 200_403, 200_499] },
    severity_id: { enum: [0, 1, 2, 3, 4, 5, 6, 99] },
    status_id: { enum: [0, 1, 2, 3, 4, 5, 6, 99] },
    is_alert: { type: 'boolean' },
    count: integer,
    time: integer,
    start_time: integer,
    end_time: integer,
    metadata: {
      ...closed,
      required: ['product', 'version'],
      properties: {
        ...all('uid tenant_uid correlation_uid log_name', text),
        version: { const: '1.9.0' },
        product: { type: 'object', anyOf: [{ required: ['name'] }, { required: ['uid'] }] },
        logged_time: integer,
      },
    },
    finding_info: {
      ...closed,
      required: ['uid'],
      properties: {
        ...{ uid: text, title: text, created_time: integer, modified_time: integer },
        ...all('first_seen_time last_seen_time', integer),
        types: { type: 'array', items: text },
        analytic: {
          ...closed,
          required: ['type_id'],
          properties: {
            ...all('uid type version', text),
            type_id: { enum: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 99] },
          },
        },
        attacks: {
          type: 'array',
          items: { anyOf: [{ required: ['tactic'] }, { required: ['technique'] }, { required: ['sub_technique'] }] },
        },
      },
    },
    observables: {
      type: 'array',
      items: {
        ...closed,
        required: ['name', 'type_id'],
        properties: { ...all('name type value', text), type_id: integer },
      },
    },
    resources: {
      type: 'array',
      items: {
        ...closed,
        properties: all('type uid name', text),
        anyOf: [{ required: ['name'] }, { required: ['uid'] }],
      },
    },
  },
})

describe('an alert as a Detection Finding', () => {
  test.each<[Partial<AlertRow>, number, number, number]>([
    [{}, 1, 1, 4],
    [{ version: 4, status: 'triaged', severity: 'critical' }, 2, 2, 5],
    [{ version: 2, status: 'suppressed', severity: 'medium' }, 2, 3, 3],
    [{ version: 5, status: 'resolved', severity: 'low', resolution: 'true_positive' }, 3, 4, 2],
    [{ version: 6, status: 'closed', severity: 'info', tags: [], entities: [], request_ids: [] }, 3, 4, 1],
  ])('%j', (over, activity, status, severity) => {
    const finding = ocsfFinding(alert(over))
    expect(validate(finding) ? [] : validate.errors).toEqual([])
    expect(finding).toMatchObject({
      ...{ class_uid: 2004, type_uid: 200_400 + activity, activity_id: activity },
      ...{ status_id: status, severity_id: severity, is_alert: activity !== 3 },
    })
  })

  test('names the technique and the request', () => {
    const finding = ocsfFinding(alert())
    expect(finding).toMatchObject({
      metadata: { correlation_uid: 'req_1' },
      finding_info: { uid: id, attacks: [{ technique: { uid: 'AML.T0057' } }] },
      unmapped: { request_ids: ['req_1'] },
      observables: [{ name: 'resources[0].uid', value: 'u1' }],
      resources: [{ type: 'user', uid: 'u1' }],
    })
  })
})

/** The header and the extension of a CEF line as its specification says, by another way than it was written. */
function readCef(line: string) {
  const header: string[] = []
  let field = ''
  let place = 0
  for (; header.length < 7 && place < line.length; place += 1) {
    if (line[place] === '\\') {
      place += 1
      field += line[place]
    } else if (line[place] === '|') {
      header.push(field)
      field = ''
    } else field += line[place]
  }
  const pairs = [...line.slice(place).matchAll(/(\w+)=((?:\\.|[^\\=])*?)(?=\s\w+=|$)/g)]
  const value = (text: string) =>
    text.replaceAll(/\\(.)/g, (_all, char: string) => (char === 'n' ? '\n' : char === 'r' ? '\r' : char))
  return { header, extension: Object.fromEntries(pairs.map(([, key = '', text = '']) => [key, value(text)])) }
}

test('CEF escapes what its parsers take for its own', () => {
  const line = cefLine(alert({ title: 'A|B\\C\nD' }))
  expect(line).not.toContain('\n')
  const { header, extension } = readCef(line)
  expect(header).toEqual(['CEF:0', 'Parapet', 'Parapet', expect.any(String), id, 'A|B\\C D', '8'])
  expect(extension).toMatchObject({
    ...{ externalId: id, cnt: '3', act: 'new', suid: 'u1', cs1: 'LLM02,AML.T0057', cs1Label: 'tags' },
    ...{ cs4: 'req_1', msg: 'a=b\nc' },
  })
})

test('syslog is a message of RFC 5424', () => {
  const entities = [{ type: 'user', id: 'a"]\\b', name: null }]
  const line = syslogLine(alert({ severity: 'critical', title: 'Leak\nof é', entities }), 'host name')
  const [, priority, version, time, host, app, process, message, data, said] =
    /^<(\d+)>(\d) (\S+) (\S+) (\S+) (\S+) (\S+) (\[(?:\\.|[^\]\\])*\]) \uFEFF(.*)$/u.exec(line) ?? []
  expect([priority, version, time, host, app, process, message]).toEqual([
    '114',
    '1',
    at,
    'hostname',
    'parapet',
    '-',
    'alert',
  ])
  expect(said).toBe('Leak of é')
  const pairs = [...(data ?? '').matchAll(/ (\w+)="((?:\\.|[^"\\])*)"/g)]
  const read = Object.fromEntries(pairs.map(([, name = '', value = '']) => [name, value.replaceAll(/\\(.)/g, '$1')]))
  expect(read).toMatchObject({ id, entities: 'user:a"]\\b', requests: 'req_1', count: '3' })
})
