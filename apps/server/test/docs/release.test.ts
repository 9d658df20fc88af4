/** Releases of a small repository, made and checked by the script that makes ours; changes are found and named. */
import { execFileSync } from 'node:child_process'
import { generateKeyPairSync, type KeyObject } from 'node:crypto'
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { repository } from '../borders/sources.ts'

interface Envelope {
  readonly payloadType: string
  readonly payload: string
  readonly signatures: readonly { readonly keyid: string; readonly sig: string }[]
}

interface Scripts {
  make(folder: string, how: { key: string; builder: string; from: string }): readonly string[]
  faultsIn(folder: string, how: { key: string; reproduce?: boolean; from?: string }): readonly string[]
  sealed(statement: object, key: KeyObject): Envelope
  opened(envelope: unknown, key: KeyObject): unknown
}

const { make, faultsIn, sealed, opened } = (await import(
  pathToFileURL(join(repository, 'scripts/release.mjs')).href
)) as Scripts

const folder = mkdtempSync(join(tmpdir(), 'parapet-release-'))
const from = join(folder, 'repository')
const [signing, checking, strange] = ['signing.pem', 'checking.pem', 'strange.pem'].map((name) => join(folder, name))
// A hook of git would lead these commands to the repository it runs in.
const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('GIT_')))
const git = (...args: readonly string[]): string =>
  execFileSync('git', ['-c', 'user.name=Somebody', '-c', 'user.email=somebody@example.com', ...args], {
    cwd: from,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  }).toString()

beforeAll(() => {
  for (const [own, other] of [
    [signing, checking],
    [null, strange],
  ] as const) {
    const { privateKey, publicKey } = generateKeyPairSync('ed25519')
    if (own) writeFileSync(own, privateKey.export({ type: 'pkcs8', format: 'pem' }), { mode: 0o600 })
    writeFileSync(other ?? '', publicKey.export({ type: 'spki', format: 'pem' }))
  }
  mkdirSync(from)
  const left = { version: '1.0.0', resolved: 'https://registry.npmjs.org/left/-/left-1.0.0.tgz', license: 'MIT' }
  const packages = {
    '': { name: 'sample', version: '1.2.3', dependencies: { left: '1.0.0' } },
    'node_modules/left': { ...left, integrity: `sha512-${Buffer.alloc(64, 7).toString('base64')}` },
  }
  const own = {
    name: 'sample',
    version: '1.2.3',
    private: true,
    license: 'Apache-2.0',
    dependencies: { left: '1.0.0' },
  }
  writeFileSync(join(from, 'package.json'), JSON.stringify(own))
  writeFileSync(
    join(from, 'package-lock.json'),
    JSON.stringify({ name: 'sample', version: '1.2.3', lockfileVersion: 3, requires: true, packages }),
  )
  git('init', '--quiet')
  git('add', '.')
  git('commit', '--quiet', '--message', 'All of it')
})
afterAll(() => rmSync(folder, { recursive: true }))

/** A release of its own for each case. */
function released(name: string): string {
  const place = join(folder, name)
  make(place, { key: signing ?? '', builder: 'urn:sample:builder', from })
  return place
}
const check = (place: string, key = checking ?? '') => faultsIn(place, { key, reproduce: true, from })

describe('C81 a release', () => {
  test('is the sources, the list of packages and a signed statement, which its key and its commit confirm', () => {
    const place = released('whole')
    expect(readdirSync(place)).toEqual(['parapet-1.2.3.cdx.json', 'parapet-1.2.3.intoto.jsonl', 'parapet-1.2.3.tar.gz'])
    expect(check(place)).toEqual([])
    const list = JSON.parse(readFileSync(join(place, 'parapet-1.2.3.cdx.json'), 'utf8'))
    expect(list).toMatchObject({
      bomFormat: 'CycloneDX',
      metadata: { component: { name: 'parapet', version: '1.2.3' } },
    })
    expect(list.components).toMatchObject([
      { purl: 'pkg:npm/left@1.0.0', hashes: [{ alg: 'SHA-512', content: '07'.repeat(64) }] },
    ])
    const envelope: Envelope = JSON.parse(readFileSync(join(place, 'parapet-1.2.3.intoto.jsonl'), 'utf8'))
    const statement = JSON.parse(Buffer.from(envelope.payload, 'base64').toString())
    expect(statement).toMatchObject({
      _type: 'https://in-toto.io/Statement/v1',
      predicateType: 'https://slsa.dev/provenance/v1',
      predicate: {
        buildDefinition: {
          resolvedDependencies: [
            { digest: { gitCommit: git('rev-parse', 'HEAD').trim() } },
            { name: 'package-lock.json' },
          ],
        },
        runDetails: { builder: { id: 'urn:sample:builder' } },
      },
    })
  })

  test('of one commit has the same bytes whenever it is made', () => {
    const [one, two] = [released('one'), released('two')]
    for (const name of readdirSync(one))
      expect(readFileSync(join(two, name)).equals(readFileSync(join(one, name)))).toBe(true)
  })

  test.each<[string, (place: string) => void, string]>([
    [
      'sources that are others',
      (place) => writeFileSync(join(place, 'parapet-1.2.3.tar.gz'), 'other'),
      'is not the file',
    ],
    [
      'a list that is another',
      (place) => writeFileSync(join(place, 'parapet-1.2.3.cdx.json'), '{}'),
      'is not the file',
    ],
    ['a file that is gone', (place) => rmSync(join(place, 'parapet-1.2.3.cdx.json')), 'is missing'],
    ['a file that nobody signed', (place) => writeFileSync(join(place, 'install.sh'), ''), 'install.sh is not signed'],
    ['no statement', (place) => rmSync(join(place, 'parapet-1.2.3.intoto.jsonl')), '0 signed statements'],
    [
      'two statements',
      (place) => copyFileSync(join(place, 'parapet-1.2.3.intoto.jsonl'), join(place, 'a.intoto.jsonl')),
      '2 signed statements',
    ],
    [
      'a statement that was edited',
      (place) => {
        const path = join(place, 'parapet-1.2.3.intoto.jsonl')
        const envelope: Envelope = JSON.parse(readFileSync(path, 'utf8'))
        const text = Buffer.from(envelope.payload, 'base64')
          .toString()
          .replace('urn:sample:builder', 'urn:sample:forger')
        writeFileSync(path, JSON.stringify({ ...envelope, payload: Buffer.from(text).toString('base64') }))
      },
      'is not signed by this key',
    ],
    [
      'a statement that is none',
      (place) => writeFileSync(join(place, 'parapet-1.2.3.intoto.jsonl'), 'none'),
      'is not signed by this key',
    ],
  ])('with %s is refused in words', (name, change, words) => {
    const place = released(name.replaceAll(' ', '-'))
    change(place)
    expect(check(place)).toEqual([expect.stringContaining(words)])
  })

  test('signed by another key is refused', () => {
    expect(check(released('strange'), strange)).toEqual([expect.stringContaining('is not signed by this key')])
  })

  test('is not made from sources that are no commit, nor with a key that others may read', () => {
    writeFileSync(join(from, 'more.txt'), 'not committed')
    expect(() => released('dirty')).toThrow('more.txt')
    rmSync(join(from, 'more.txt'))
    expect(() => make(join(folder, 'open'), { key: checking ?? '', builder: 'urn:b', from })).toThrow('chmod 600')
  })
})

test('C81 a signature is one of its type and length, and of nothing else', () => {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  const envelope = sealed({ a: 1 }, privateKey)
  expect(opened(envelope, publicKey)).toEqual({ a: 1 })
  expect(opened({ ...envelope, payloadType: 'text/plain' }, publicKey)).toBeNull()
  expect(opened({ ...envelope, signatures: [] }, publicKey)).toBeNull()
  expect(opened({}, publicKey)).toBeNull()
  expect(opened(envelope, generateKeyPairSync('ed25519').publicKey)).toBeNull()
})
