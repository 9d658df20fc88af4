import { describe, expect, test } from 'vitest'
import { alertedAttempts } from './alerts.ts'

const alert = (over: object, channel = 'aegis.alert.created') => ({
  channel,
  data: {
    alert_id: 'a1',
    status: 'new',
    count: 3,
    tags: ['LLM01', 'AML.T0051', 'AML.T0057'],
    request_ids: [],
    ...over,
  },
})

describe('an alert', () => {
  test.each([
    [['LLM01', 'AML.T0051.001'], 'AML.T0051.001'],
    [['attack.t1566.002'], 'T1566.002'],
    [['atlas.aml.t0053'], 'AML.T0053'],
    [['T1190'], 'T1190'],
  ])('with the tags %j is about %s', (tags, technique) => {
    expect(alertedAttempts(alert({ tags }))).toMatchObject({ technique })
  })

  test('counts each call it names, once', () => {
    const found = alertedAttempts(alert({ request_ids: ['req_1', 'req_2', 'req_1'] }, 'aegis.alert.updated'))
    expect(found?.sightings.map(({ source, hits }) => [source, hits])).toEqual([
      ['req_1', 1],
      ['req_2', 1],
    ])
  })

  test('that names no call counts its hits', () => {
    expect(alertedAttempts(alert({}))?.sightings).toEqual([{ source: 'alert:a1', alias: null, hits: 3 }])
    expect(alertedAttempts(alert({ count: 'many', request_ids: null }))?.sightings[0]?.hits).toBe(1)
  })

  test.each([
    ['is suppressed', alert({ status: 'suppressed' })],
    ['has no technique', alert({ tags: ['LLM01', 'ASI02'] })],
    ['has no tags', alert({ tags: null })],
    ['has no id', alert({ alert_id: 7 })],
    ['is told of elsewhere', alert({}, 'aegis.alert.exported')],
  ])('that %s counts nothing', (_, event) => {
    expect(alertedAttempts(event)).toBeNull()
  })
})
