import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Type from 'typebox'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { defineSetting } from './define.ts'
import { readSettingsFile } from './file.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parapet-settings-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const number = defineSetting({
  ...{ key: 'x.number', schema: Type.Integer({ minimum: 1 }), default: 1, scope: 'both', description: '' },
  check: (value, read) => (value > read(other) ? 'x.number is above x.other' : null),
})
const other = defineSetting({ key: 'x.other', schema: Type.Integer(), default: 10, scope: 'both', description: '' })
const secret = defineSetting({
  ...{ key: 'x.secret', schema: Type.String(), default: '', scope: 'platform', description: '', secret: true },
})

async function read(content: unknown, mode = 0o600) {
  const path = join(folder, 'settings.json')
  await writeFile(path, typeof content === 'string' ? content : JSON.stringify(content))
  await chmod(path, mode)
  return readSettingsFile(path, [number, other, secret])
}

test('gives its values by key, and none where there is no file', async () => {
  expect([...(await read({ 'x.number': 5, 'x.secret': 'quiet' }))]).toEqual([
    ['x.number', 5],
    ['x.secret', 'quiet'],
  ])
  expect(readSettingsFile(null, [number]).size).toBe(0)
})

test('C84 with anything wrong it starts nothing, and all of it is told without a value', async () => {
  const wrong = read({ 'x.number': 'many', 'x.none': 1, 'x.secret': 'quiet' }, 0o644)
  await expect(wrong).rejects.toThrow(/x\.number.*\n.*x\.none: there is no such setting\n.*x\.secret: is a secret/)
  await expect(wrong).rejects.not.toThrow(/many|quiet/)
  await expect(read({ 'x.number': 11 })).rejects.toThrow('x.number is above x.other')
  expect((await read({ 'x.number': 11, 'x.other': 11 })).size).toBe(2)
  for (const text of ['[]', 'null', '{', '']) await expect(read(text)).rejects.toThrow('settings.json')
  expect(() => readSettingsFile(join(folder, 'none.json'), [])).toThrow('cannot be read')
})
