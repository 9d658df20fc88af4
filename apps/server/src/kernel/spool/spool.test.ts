import { appendFile, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createRandom } from '../crypto/random.ts'
import { openSpool, type Spool, SpoolFull } from './spool.ts'

let root = ''
let folder = ''
const opened: Spool[] = []
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'parapet-spool-'))
  folder = join(root, 'spool')
})
afterEach(async () => {
  await Promise.all(opened.splice(0).map((spool) => spool.close()))
  await rm(root, { recursive: true, force: true })
})

const key = Buffer.alloc(32, 7)
const random = createRandom(() => 1_760_000_000_000)
async function openHere(maxBytes = 1_000_000): Promise<Spool> {
  const spool = await openSpool({ folder, key, random, maxBytes })
  opened.push(spool)
  return spool
}
/** As after a crash: the lock is given up and nothing else happens. */
async function reopen(spool: Spool): Promise<Spool> {
  await spool.close()
  opened.splice(opened.indexOf(spool), 1)
  return openHere()
}

const bytes = (...texts: string[]): Buffer[] => texts.map((text) => Buffer.from(text))
async function drained(spool: Spool): Promise<string[]> {
  const texts: string[] = []
  await spool.drain(async (records) => {
    texts.push(...records.map((record) => Buffer.from(record).toString()))
  })
  return texts
}
const files = async (): Promise<string[]> => (await readdir(folder)).sort()

describe('a spool', () => {
  test('gives out what it was given, in order and once', async () => {
    const spool = await openHere()
    await Promise.all([spool.append(bytes('a', 'b')), spool.append(bytes('c'))])
    expect(spool.waiting()).toBeGreaterThan(0)
    expect(await drained(spool)).toEqual(['a', 'b', 'c'])
    expect(await drained(spool)).toEqual([])
    expect([spool.waiting(), await files()]).toEqual([0, []])
  })

  test('keeps it over a restart, before what comes later', async () => {
    const first = await openHere()
    await first.append(bytes('early'))
    const second = await reopen(first)
    await second.append(bytes('late'))
    expect(await drained(second)).toEqual(['early', 'late'])
  })

  test('gives a file out again when taking it failed', async () => {
    const spool = await openHere()
    await spool.append(bytes('a'))
    await expect(spool.drain(() => Promise.reject(new Error('away')))).rejects.toThrow('away')
    await spool.append(bytes('b'))
    expect(await drained(spool)).toEqual(['a', 'b'])
  })

  test('takes what comes while it is drained', async () => {
    const spool = await openHere()
    await spool.append(bytes('a'))
    const seen: string[] = []
    await spool.drain(async ([record]) => {
      seen.push(Buffer.from(record ?? []).toString())
      if (seen.length === 1) await spool.append(bytes('b'))
    })
    expect([...seen, ...(await drained(spool))]).toEqual(['a', 'b'])
  })

  test('refuses what does not fit and keeps what it has', async () => {
    const spool = await openHere(200)
    await spool.append(bytes('kept'))
    await expect(spool.append([Buffer.alloc(300)])).rejects.toThrow(SpoolFull)
    expect(await drained(spool)).toEqual(['kept'])
  })

  test('writes nothing in the clear', async () => {
    const spool = await openHere()
    await spool.append(bytes('jane@example.org'))
    const [name = ''] = await files()
    expect((await readFile(join(folder, name))).includes('jane')).toBe(false)
  })

  test('has one process', async () => {
    await openHere()
    await expect(openHere()).rejects.toThrow('in use')
  })
})

describe('after a crash', () => {
  async function left(...texts: string[]): Promise<string> {
    const spool = await openHere()
    for (const text of texts) await spool.append(bytes(text))
    await spool.close()
    opened.splice(opened.indexOf(spool), 1)
    return join(folder, (await files())[0] ?? '')
  }

  test('a record that was cut off anywhere is not there, and all before it are', async () => {
    const path = await left('first', 'second')
    const whole = await readFile(path)
    const cutAt = whole.byteLength / 2
    for (let length = cutAt; length < whole.byteLength; length += 1) {
      await writeFile(path, whole.subarray(0, length))
      const spool = await openHere()
      expect(await drained(spool)).toEqual(['first'])
      expect(spool.damaged()).toBe(0)
      await spool.close()
      opened.pop()
    }
  })

  test('zeros behind the last record are no damage', async () => {
    await appendFile(await left('first'), Buffer.alloc(64))
    const spool = await openHere()
    expect([await drained(spool), spool.damaged()]).toEqual([['first'], 0])
  })

  test('a changed record is kept aside and told of', async () => {
    const path = await left('first', 'second')
    const whole = await readFile(path)
    whole[whole.byteLength - 3] = (whole[whole.byteLength - 3] ?? 0) ^ 1
    await writeFile(path, whole)
    const spool = await openHere()
    expect([await drained(spool), spool.damaged()]).toEqual([['first'], 1])
    expect(await files()).toEqual([expect.stringMatching(/\.damaged$/)])
    expect((await reopen(spool)).damaged()).toBe(1)
  })

  test('a record does not open in another file', async () => {
    const path = await left('first')
    await writeFile(join(folder, '000000000009-000000000000.spool'), await readFile(path))
    const spool = await openHere()
    expect([await drained(spool), spool.damaged()]).toEqual([['first'], 1])
  })
})
