import { mkdir, mkdtemp, readdir, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { createDiskBlobs } from './adapters/disk.ts'
import { collect, describeBlobStore, oneByOne } from './contract.ts'
import { type TestStore, testStores } from './testing/stores.ts'

for (const [kind, openStore] of testStores) {
  let opened: TestStore | undefined
  describeBlobStore(kind, {
    open: async () => {
      opened = await openStore()
      return opened.store
    },
    close: async () => opened?.close(),
  })
}

const folders: string[] = []
async function freshFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'parapet-blobs-'))
  folders.push(folder)
  return folder
}
afterAll(() => Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true }))))

const name = { tenantId: 't', id: '0195f0c4-0000-7000-8000-0000000000ab' }
const pathIn = (root: string) => join(root, 't', 'ab', name.id)
const content = () => oneByOne(Buffer.from('0123456789'))

test('a folder that cannot be used is seen at the start', async () => {
  const root = await freshFolder()
  await writeFile(join(root, 'taken'), 'x')
  expect(() => createDiskBlobs(join(root, 'taken', 'blobs'))).toThrow('ENOTDIR')
})

test('files and folders belong to the owner alone', async () => {
  const root = await freshFolder()
  await createDiskBlobs(root).put(name, content())
  const path = pathIn(root)
  const modes = await Promise.all(
    [path, dirname(path), join(root, 't'), root].map(async (one) => (await stat(one)).mode & 0o777),
  )
  expect(modes).toEqual([0o600, 0o700, 0o700, 0o700])
})

test('C35 a link in the place of a blob is not followed', async () => {
  const root = await freshFolder()
  const secret = join(await freshFolder(), 'secret')
  await writeFile(secret, 'secret')
  await mkdir(dirname(pathIn(root)), { recursive: true })
  await symlink(secret, pathIn(root))
  await expect(collect(createDiskBlobs(root).read(name))).rejects.toThrow('ELOOP')
})

test('what a killed process left half written goes with its name', async () => {
  const root = await freshFolder()
  const aside = join(root, '.writing')
  await mkdir(aside)
  await writeFile(join(aside, `t.${name.id}`), 'half')
  await createDiskBlobs(root).delete(name)
  expect(await readdir(aside)).toEqual([])
})
