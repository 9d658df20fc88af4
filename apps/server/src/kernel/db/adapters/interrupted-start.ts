/**
 * The making of a data directory that stops before the nth call of a function of `node:fs/promises`, says so, and goes on
 * when its input ends; the tests kill it there.
 */
import fs from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'
import { prepareDataDirectory } from './data-directory.ts'

const [dir = '', name = '', nth = ''] = process.argv.slice(2)
const released = new Promise<void>((resolve) => process.stdin.once('end', resolve).resume())
const original: unknown = Reflect.get(fs, name)
let calls = 0
Reflect.set(fs, name, async (...args: unknown[]): Promise<unknown> => {
  calls += 1
  if (calls === Number(nth)) process.stdout.write('stopped')
  if (calls >= Number(nth)) await released
  return typeof original === 'function' ? Reflect.apply(original, fs, args) : undefined
})
syncBuiltinESMExports()
await prepareDataDirectory(dir)
