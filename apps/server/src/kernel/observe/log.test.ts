import { expect, test } from 'vitest'
import { createLogger, type LogLevel } from './log.ts'

function capture(level: LogLevel = 'info') {
  const lines: string[] = []
  const log = createLogger({
    level,
    now: () => 1_700_000_000_000,
    destination: { write: (line) => lines.push(line) },
    fields: { node: 'n1' },
  })
  return { log, lines, last: () => JSON.parse(lines.at(-1) ?? '{}') }
}

test('a line carries time, level, message, its own fields and those of the logger', () => {
  const { log, last } = capture()
  log.info({ count: 2 }, 'moved')
  expect(last()).toEqual({ level: 'info', time: '2023-11-14T22:13:20.000Z', node: 'n1', count: 2, message: 'moved' })
})

test('C62 a secret does not reach the line by field, message, argument, child or error', () => {
  const { log, lines } = capture()
  const canary = `ppt_canary123456_${'Q7z'.repeat(14)}x_abc123`
  const child = log.child({ password: 'pw-canary', note: canary })
  child.info({ headers: { authorization: 'auth-canary', cookie: 'cookie-canary' } }, 'with fields')
  child.child({ api_key: 'pw-canary' }).info('grandchild')
  child.warn(`it was ${canary}`)
  child.warn('it was %s', canary)
  child.error(new Error(`failed with ${canary}`, { cause: { token: 'cause-canary' } }))
  const all = lines.join('')
  expect(all).not.toContain(canary)
  expect(all).not.toMatch(/(?:pw|auth|cookie|cause)-canary/)
  expect(lines).toHaveLength(5)
})

test('C62 line breaks in values cannot forge a second line', () => {
  const { log, lines, last } = capture()
  log.info({ agent: 'x\n{"level":"info","message":"forged"}' }, 'a\r\nb')
  expect(lines).toHaveLength(1)
  expect(lines[0]?.trimEnd().includes('\n')).toBe(false)
  expect(last().message).toBe('a\r\nb')
})

test('below its level it is silent', () => {
  const { log, lines } = capture('warn')
  log.info('not heard')
  expect(lines).toEqual([])
})

test('an error alone gives its message and its stack', () => {
  const { log, last } = capture()
  log.error(new TypeError('boom'))
  expect(last()).toMatchObject({ message: 'boom', error: { type: 'TypeError', message: 'boom' } })
})
