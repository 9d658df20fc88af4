import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { TenantId } from '../../src/kernel/access/actor.ts'
import { createDiskBlobs } from '../../src/kernel/blobs/adapters/disk.ts'
import { sweepBlobs } from '../../src/kernel/blobs/sweep.ts'
import { sql } from '../../src/kernel/db/sql.ts'
import { startFilesProgram } from '../kernel/files-program.ts'
import { seeded } from './random.ts'

const crashes = Number(process.env.PARAPET_TEST_CRASHES ?? 3)
const seed = Number(process.env.PARAPET_TEST_SEED ?? 20261127)
const piece = Buffer.alloc(1_048_576, 'parapet ')

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parapet-uploads-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

interface Told {
  readonly port: number
  readonly tenantId: TenantId
  readonly token: string
}

/** Sends the head of a large upload and so many megabytes of it, then kills the server. */
async function killedAfter(megabytes: number): Promise<TenantId> {
  const entry = fileURLToPath(new URL('upload-server.ts', import.meta.url))
  const child = fork(entry, [folder], { execArgv: ['--import', 'tsx'], stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
  const exited = once(child, 'exit')
  const [{ port, tenantId, token }] = (await once(child, 'message')) as [Told]
  const kept = await fetch(`http://127.0.0.1:${port}/api/v1/compliance/raw-files`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'text/plain' },
    body: 'kept',
  })
  expect(kept.status).toBe(201)
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => undefined)
  const head = [
    'POST /api/v1/compliance/raw-files HTTP/1.1',
    'host: a',
    `authorization: Bearer ${token}`,
    'content-type: application/octet-stream',
    'content-length: 900000000',
  ]
  socket.write(`${head.join('\r\n')}\r\n\r\n`)
  for (let sent = 0; sent < megabytes; sent += 1) if (!socket.write(piece)) await once(socket, 'drain')
  child.kill('SIGKILL')
  await exited
  socket.destroy()
  return tenantId
}

const filesOf = async () =>
  (await readdir(join(folder, 'blobs'), { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile())

test(`C27 a server that is killed in the middle of uploads leaves nothing that the sweep does not find, seed ${seed}`, {
  timeout: 240_000,
}, async () => {
  const chance = seeded(seed)
  const tenants: TenantId[] = []
  for (let crash = 0; crash < crashes; crash += 1) tenants.push(await killedAfter(1 + chance.below(40)))
  // Kills after the end of an upload, or before its first byte, would prove nothing.
  expect((await filesOf()).length).toBeGreaterThan(crashes)
  const { program } = await startFilesProgram({ PARAPET_DATA_DIR: folder }, 1_073_741_824)
  const { db, tables, blobs, clock } = program.assembled.kernel
  const store = createDiskBlobs(join(folder, 'blobs'))
  const tomorrow = clock.now() + 25 * 3_600_000
  const later = { now: () => tomorrow, iso: () => new Date(tomorrow).toISOString() }
  expect(await sweepBlobs({ db, tables, store, clock })).toBe(0)
  expect(await sweepBlobs({ db, tables, store, clock: later })).toBe(crashes)
  expect(await filesOf()).toHaveLength(crashes)
  for (const tenantId of tenants) {
    const found = await db.tenant({ tenantId }, async (tx) => {
      const rows = await tx.query(sql<{ blob_id: string }>`select blob_id from test_file`)
      return Promise.all(rows.map(({ blob_id: id }) => blobs.open(tx, id)))
    })
    expect(found).toHaveLength(1)
    for (const blob of found) for await (const part of blob.read()) expect(Buffer.from(part).toString()).toBe('kept')
  }
  await program.stop()
})
