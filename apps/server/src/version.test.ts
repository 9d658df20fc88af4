import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { version } from './version.ts'

test('the program and its packages say the same version', () => {
  for (const folder of [
    '../../../',
    '../',
    '../../../packages/sdk/',
    '../../../packages/detect/',
    '../../../packages/quant/',
  ]) {
    const { version: packaged } = JSON.parse(readFileSync(new URL(`${folder}package.json`, import.meta.url), 'utf8'))
    expect(packaged, folder).toBe(version)
  }
})
