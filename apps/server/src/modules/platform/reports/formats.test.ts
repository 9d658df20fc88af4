import { createHash, createPublicKey, generateKeyPairSync, sign, verify } from 'node:crypto'
import { expect, test } from 'vitest'
import type { SigningKeys } from '../../../kernel/keys/port.ts'
import { reportFormats } from '../declared/report-words.ts'
import { type DocumentHead, documentOf } from './model/document.ts'
import { rendered } from './render.ts'
import { signDetached } from './sign.ts'

const id = '0198a000-0000-7000-8000-000000000001'
const head: DocumentHead = {
  ...{ tenant_id: id, report_id: id, kind: 'executive', title: 'Report <1>', snapshot_at: '2026-01-02T03:04:05.678Z' },
  ...{ days: 30, omitted: ['risk.register'] },
}
const readings = [
  {
    name: 'aegis.alerts',
    description: 'Open alerts.',
    data: {
      ...{ open_critical: 3, open_high: 1, open_medium: 0, open_low: 0, open_info: 0 },
      open: [
        { id: 'a', title: '=1+1', severity: 'high', tags: ['x', 'y'] },
        { id: 'b', title: '<script>', severity: 'low', due: null },
      ],
    },
  },
]
const document = documentOf(head, readings)
const text = async (format: 'html' | 'csv' | 'json') => Buffer.from(await rendered(document, format)).toString()

test('equal snapshots give equal bytes in every format', async () => {
  const digest = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')
  for (const format of reportFormats)
    expect(digest(await rendered(documentOf({ ...head }, structuredClone(readings)), format))).toBe(
      digest(await rendered(document, format)),
    )
})

test('HTML loads nothing, escapes everything, has every number and a text for each chart', async () => {
  const html = await text('html')
  expect(html).not.toMatch(/<script|src=|href=|url\(|@import/)
  expect(html).toContain('&#60;script&#62;')
  expect(html).toContain('<dt>Open critical</dt><dd>3</dd>')
  expect(html).toContain('<title>Open alerts by severity: Open critical 3, Open high 1')
  expect(html).toContain('risk.register')
})

test('CSV has a row for each value, and no cell is a formula', async () => {
  const csv = await text('csv')
  expect(csv).toContain('"aegis.alerts","","","Open critical","3"\r\n')
  expect(csv).toContain('"aegis.alerts","Open","1","Title","\'=1+1"')
  expect(csv).toContain('"aegis.alerts","Open","1","Tags","x, y"')
})

test('JSON is the document itself', async () => {
  expect(JSON.parse(await text('json'))).toEqual(JSON.parse(JSON.stringify(document)))
})

test('a signature is a detached JWS over the bytes of the file', async () => {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  const keys = {
    activeKid: () => 'k1',
    sign: async (_purpose: string, bytes: Uint8Array) => ({ kid: 'k1', signature: sign(null, bytes, privateKey) }),
  } as unknown as SigningKeys
  const bytes = await rendered(document, 'html')
  const jws = await signDetached(keys, bytes)
  const [header = '', payload, signature = ''] = jws.split('.')
  expect(payload).toBe('')
  expect(JSON.parse(Buffer.from(header, 'base64url').toString())).toEqual({
    ...{ alg: 'EdDSA', b64: false, crit: ['b64'], kid: 'k1' },
  })
  const input = Buffer.concat([Buffer.from(`${header}.`), bytes])
  const key = createPublicKey(publicKey.export({ type: 'spki', format: 'pem' }))
  expect(verify(null, input, key, Buffer.from(signature, 'base64url'))).toBe(true)
})
