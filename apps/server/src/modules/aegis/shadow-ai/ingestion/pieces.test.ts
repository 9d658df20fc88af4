import { expect, test } from 'vitest'
import { readerOf } from '../formats/formats.ts'
import { emptyRecord } from '../formats/record.ts'
import { hostIndex } from '../matching/host-index.ts'
import { matchLines } from '../matching/match-lines.ts'
import { linePieces } from './pieces.ts'
import { addPiece, noTotals } from './totals.ts'

async function* inChunks(text: string, size: number): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(text)
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

async function pieces(text: string, chunk: number, size: number): Promise<string[]> {
  const all: string[] = []
  for await (const piece of linePieces(inChunks(text, chunk), size)) all.push(Buffer.from(piece).toString())
  return all
}

test('pieces end at line ends and give back what came, however it came', async () => {
  const text = Array.from({ length: 200 }, (_, n) => `line ${n} ${'x'.repeat(n % 17)}\n`).join('')
  for (const chunk of [1, 7, 64, 10_000]) {
    for (const size of [40, 64, 1_000, 100_000]) {
      const all = await pieces(text, chunk, size)
      expect(all.join('')).toBe(text)
      expect(all.every((piece) => piece.endsWith('\n') && piece.length <= size)).toBe(true)
    }
  }
  expect(await pieces('no end', 2, 64)).toEqual(['no end'])
  expect(await pieces('', 2, 64)).toEqual([])
})

test('a line longer than a piece is cut', async () => {
  expect(await pieces(`${'x'.repeat(100)}\ny\n`, 10, 40)).toEqual([
    'x'.repeat(40),
    'x'.repeat(40),
    `${'x'.repeat(20)}\ny\n`,
  ])
})

const index = hostIndex([{ slug: 'a', name: 'A', category: 'chat', hosts: ['.a.example'] }])
const line = (n: number, user: string) =>
  `10660362${String(n).padStart(2, '0')}.603 310 192.0.2.${n} TCP_MISS/200 10 GET http://x${n}.a.example/ ${user} DIRECT/- text/html\n`

const piece = (text: string, headers: readonly string[] = []) =>
  matchLines(text, {
    reader: readerOf('squid', { zone: null, columns: null }),
    index,
    headers,
    notAfter: Number.MAX_VALUE,
  })

test('a piece adds up accesses by service, user and day', () => {
  const text = `${line(1, 'u1')}${line(2, 'u1')}${line(3, '-')}bad\r\n\n1066036250.603 1 192.0.2.9 TCP_MISS/200 10 GET http://other.example/ - DIRECT/- text/html`
  const result = piece(text)
  expect(result).toMatchObject({ parsed: 4, failed: 1, samples: ['bad'], matched: 3 })
  expect(result.uses).toEqual([
    { service: 0, user: 'u:u1', day: 12_338, requests: 2, up: 0, down: 20 },
    { service: 0, user: 'a:192.0.2.3', day: 12_338, requests: 1, up: 0, down: 10 },
  ])
  expect(result.services[0]).toMatchObject({ key: 'a', hosts: ['x1.a.example', 'x2.a.example', 'x3.a.example'] })
})

test('lines of a time to come are unreadable', () => {
  const reader = readerOf('squid', { zone: null, columns: null })
  const result = matchLines(line(1, 'u'), { reader, index, headers: [], notAfter: 1_066_036_000_000 })
  expect(result).toMatchObject({ parsed: 0, failed: 1 })
  expect(emptyRecord().at).toBe(0)
})

test('totals have a bound: users beyond it are counted together, and too many services are told of', () => {
  const totals = noTotals()
  const text = Array.from({ length: 30 }, (_, n) => line(n, `user${n}`)).join('')
  expect(addPiece(totals, piece(text), { services: 1, uses: 10 })).toBe(true)
  expect(addPiece(totals, piece(text), { services: 1, uses: 10 })).toBe(true)
  expect(totals.uses.size).toBe(11)
  expect([...totals.uses.values()].reduce((sum, { requests }) => sum + requests, 0)).toBe(60)
  expect(addPiece(totals, piece(text), { services: 0, uses: 10 })).toBe(false)
})
