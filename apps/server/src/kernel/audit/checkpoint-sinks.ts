/**
 * Places outside the database that keep signed checkpoints: a folder, best on another disk or a write-once mount, and a
 * webhook (Standard Webhooks 1.0.0). What a sink was given it keeps whole or not at all; it judges no note.
 * Tested in checkpoint-sinks.test.ts.
 */

import { createHmac } from 'node:crypto'
import { mkdir, open, readdir, readFile, rename } from 'node:fs/promises'
import { join } from 'node:path'
import type { TenantId } from '../access/actor.ts'
import type { Clock } from '../base/clock.ts'
import type { Egress } from '../egress/fetch.ts'
import type { CheckpointSink } from './checkpoint.ts'
import type { SignedCheckpoint } from './note.ts'

/** Notes read back at most, the largest chains first: what is below them is covered by them. */
const notesRead = 200

export interface CheckpointFolder extends CheckpointSink {
  /** The tenant's newest notes; none where the folder has none. */
  read(tenantId: TenantId): Promise<readonly string[]>
  /** Keeps the note of a cut beside them, as `<size>.cut`. */
  keepCut(cut: SignedCheckpoint): Promise<void>
}

/** In the order of their sizes. */
export const noteName = (size: number): string => `${String(size).padStart(16, '0')}.note`

/** Keeps notes as files `<folder>/<tenant>/<size>.note`, each complete or absent. */
export function createFolderSink(folder: string): CheckpointFolder {
  return {
    write: ({ tenantId, size, note }) => keepFile(join(folder, tenantId), { name: noteName(size), text: note }),
    keepCut: ({ tenantId, size, note }) =>
      keepFile(join(folder, tenantId), { name: noteName(size).replace('.note', '.cut'), text: note }),
    read: async (tenantId) => {
      const place = join(folder, tenantId)
      const names = (await filesIn(place)).filter((name) => name.endsWith('.note')).sort()
      return Promise.all(names.slice(-notesRead).map((name) => readFile(join(place, name), 'utf8')))
    },
  }
}

interface NoteFile {
  readonly name: string
  readonly text: string
}

async function keepFile(place: string, { name, text }: NoteFile): Promise<void> {
  await mkdir(place, { recursive: true, mode: 0o700 })
  const path = join(place, name)
  const file = await open(`${path}.new`, 'w', 0o600)
  try {
    await file.writeFile(text)
    await file.sync()
  } finally {
    await file.close()
  }
  await rename(`${path}.new`, path)
}

async function filesIn(place: string): Promise<readonly string[]> {
  try {
    return await readdir(place)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return []
    throw error
  }
}

export interface WebhookParts {
  readonly egress: Pick<Egress, 'fetch'>
  readonly clock: Pick<Clock, 'now'>
  readonly url: string
  /** `whsec_` and the base64 of 24 to 64 bytes. */
  readonly secret: string
}

const timeoutMs = 10_000
const answerBytes = 65_536

/**
 * Posts each checkpoint as JSON. Anything but a 2xx is a failure, after which the checkpoint is made again. The id is
 * the same for the same checkpoint, so that a receiver can drop what it has.
 */
export function createWebhookSink({ egress, clock, url, secret }: WebhookParts): CheckpointSink {
  const key = secretBytes(secret)
  return {
    write: async ({ tenantId, size, headHash, note, at }) => {
      const id = `checkpoint_${tenantId}_${size}`
      const timestamp = String(Math.floor(clock.now() / 1000))
      const body = JSON.stringify({
        type: 'audit.checkpoint.created',
        timestamp: at,
        data: { tenant_id: tenantId, size, head_hash: headHash, note },
      })
      const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')
      const answer = await egress.fetch({
        url,
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'webhook-id': id,
          'webhook-timestamp': timestamp,
          'webhook-signature': `v1,${signature}`,
        },
        body,
        timeouts: { connectMs: timeoutMs, firstByteMs: timeoutMs, idleMs: timeoutMs, totalMs: timeoutMs },
        maxBytes: answerBytes,
        signal: AbortSignal.timeout(timeoutMs),
      })
      if (answer.status < 200 || answer.status > 299)
        throw new Error(`the checkpoint webhook answered ${answer.status}`)
    },
  }
}

/** @throws Error with words for the operator */
export function secretBytes(secret: string): Uint8Array {
  const match = /^whsec_([A-Za-z0-9+/]+={0,2})$/.exec(secret)
  const bytes = Buffer.from(match?.[1] ?? '', 'base64')
  if (bytes.length < 24 || bytes.length > 64) throw new Error('must be whsec_ and the base64 of 24 to 64 random bytes')
  return bytes
}
