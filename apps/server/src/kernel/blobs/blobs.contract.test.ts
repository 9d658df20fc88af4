import { appendFile, mkdir, mkdtemp, readdir, rm, stat, symlink, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { createDiskBlobs } from './adapters/disk.ts'
import { describeBlobsContract, failureKind } from './contract.ts'

const folders: string[] = []
async function freshFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'parapet-blobs-'))
  folders.push(folder)
  return folder
}
afterAll(() => Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true }))))

const openIn = (root: string) => createDiskBlobs({ folder: root, maxBytes: 1_048_576 })
const content = new TextEncoder().encode('0123456789')

describeBlobsContract('disk', async () => openIn(join(await freshFolder(), 'data', 'blobs')))

test('a folder that cannot be used is seen at the start', async () => {
  const root = await freshFolder()
  await writeFile(join(root, 'taken'), 'x')
  expect(() => openIn(join(root, 'taken', 'blobs'))).toThrow('ENOTDIR')
})

test('files and folders belong to the owner alone', async () => {
  const root = await freshFolder()
  const { sha256 } = await openIn(root).put('t', content)
  const path = join(root, 't', sha256.slice(0, 2), sha256)
  const modes = await Promise.all(
    [path, dirname(path), join(root, 't'), root].map(async (one) => (await stat(one)).mode & 0o777),
  )
  expect(modes).toEqual([0o600, 0o700, 0o700, 0o700])
})

test('a damaged file is never handed out as the content, and writing it again repairs it', async () => {
  const root = await freshFolder()
  const blobs = openIn(root)
  const { sha256 } = await blobs.put('t', content)
  const path = join(root, 't', sha256.slice(0, 2), sha256)
  await writeFile(path, '012345678X')
  expect(await failureKind(blobs.get('t', sha256))).toBe('corrupt')
  expect(await failureKind(blobs.read('t', sha256, { start: 0, end: 3 }))).toBe('corrupt')
  await blobs.put('t', content)
  expect(new Uint8Array(await blobs.get('t', sha256))).toEqual(content)
})

test('damage after a part was read soundly is found by the next read of a part', async () => {
  const root = await freshFolder()
  const blobs = openIn(root)
  const { sha256 } = await blobs.put('t', content)
  const { body } = await blobs.read('t', sha256, { start: 0, end: 3 })
  for await (const part of body) expect(new TextDecoder().decode(part)).toBe('0123')
  await appendFile(join(root, 't', sha256.slice(0, 2), sha256), 'more')
  expect(await failureKind(blobs.read('t', sha256, { start: 0, end: 3 }))).toBe('corrupt')
})

test('C35 a link in the place of a blob is not followed', async () => {
  const root = await freshFolder()
  const secret = join(await freshFolder(), 'secret')
  await writeFile(secret, content)
  const blobs = openIn(root)
  const { sha256 } = await blobs.put('t', content)
  await blobs.delete('t', sha256)
  await symlink(secret, join(root, 't', sha256.slice(0, 2), sha256))
  await expect(blobs.get('t', sha256)).rejects.toThrow('ELOOP')
})

test('nothing is left aside after writing, and old leftovers go at the next start', async () => {
  const root = await freshFolder()
  await mkdir(join(root, '.writing'), { recursive: true })
  await writeFile(join(root, '.writing', 'old'), 'x')
  await utimes(join(root, '.writing', 'old'), new Date(0), new Date(0))
  await writeFile(join(root, '.writing', 'of-another-instance'), 'x')
  const blobs = openIn(root)
  await blobs.put('t', content)
  await failureKind(blobs.put('t', new Uint8Array(1_048_577)))
  expect(await readdir(join(root, '.writing'))).toEqual(['of-another-instance'])
})
