import { describe, expect, test } from 'vitest'
import { problemBody } from '../http/answer/envelope.ts'
import { apiErrors, authErrors, defineErrors } from './errors.ts'
import { ProblemError } from './problem.ts'

const facts = { requestId: 'req_1', timestamp: '2026-01-01T00:00:00.000Z', path: '/x', publicUrl: 'https://p.example' }

describe('a problem', () => {
  test('has one part unless more is said, and each part has its code', () => {
    expect(apiErrors.notFound({ what: 'note' }).parts).toEqual([{ error_code: 'API-013', detail: 'No such note.' }])
    const parts = apiErrors.validation({ what: 'Two.' }).at([{ detail: 'a', pointer: '/a' }, { detail: 'b' }]).parts
    expect(parts).toEqual([
      { error_code: 'API-001', detail: 'a', pointer: '/a' },
      { error_code: 'API-001', detail: 'b' },
    ])
  })

  test('never has no part', () => {
    expect(apiErrors.validation({ what: 'x' }).at([]).parts).toHaveLength(1)
  })

  test('keeps its cause to itself', () => {
    const problem = apiErrors.internal().causedBy(new Error('hunter2'))
    expect(problem.cause).toBeInstanceOf(Error)
    expect(JSON.stringify(problemBody(problem, facts))).not.toContain('hunter2')
  })

  test('collects headers and members', () => {
    const problem = apiErrors
      .conflict({ what: 'x' })
      .withHeaders({ a: '1' })
      .withHeaders({ b: '2' })
      .withMembers({ id: 7 })
    expect(problem.headers).toEqual({ a: '1', b: '2' })
    expect(problemBody(problem, facts)).toMatchObject({ id: 7, status: 409 })
  })

  test('is told apart from every other error', () => {
    expect(apiErrors.internal()).toBeInstanceOf(ProblemError)
    expect(new Error('x')).not.toBeInstanceOf(ProblemError)
  })
})

test('an extension member cannot take the place of the envelope', () => {
  const problem = apiErrors.conflict({ what: 'x' }).withMembers({ data: 1, meta: 1, errors: [] })
  expect(problemBody(problem, facts)).toMatchObject({ data: null, meta: { version: 'v1' }, errors: [{}] })
})

describe('catalogues', () => {
  const all = [...Object.values(apiErrors), ...Object.values(authErrors)]

  test('no two errors share a code', () => {
    expect(new Set(all.map(({ code }) => code)).size).toBe(all.length)
  })

  test('every error is one of HTTP and has a title', () => {
    for (const { code, status, title } of all) {
      expect(code).toMatch(/^[A-Z]+-\d{3}$/)
      expect(status).toBeGreaterThanOrEqual(400)
      expect(status).toBeLessThan(600)
      expect(title).toMatch(/^[A-Z]/)
    }
  })

  test('a number becomes three digits', () => {
    const { late } = defineErrors('RISK', { late: [7, 409, 'Late', (p: { days: number }) => `${p.days} days late.`] })
    expect([late.code, late({ days: 3 }).message]).toEqual(['RISK-007', '3 days late.'])
  })
})
