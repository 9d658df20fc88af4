/**
 * Places outside the database that keep signed checkpoints: a folder, best on another disk or a write-once mount, and a
 * webhook (Standard Webhooks 1.0.0). A sink keeps each note whole or not at all; it does not judge notes.
 * Tested in checkpoint-sinks.test.ts.
 */

import { mkdir, open, readdir, readFile, rename } from 'node:fs/promises'
import { join } from 'node:path'
import type { TenantId } from '../access/actor.ts'
import { sendWebhook, type WebhookParts } from '../webhooks/send.ts'
import { secretBytes } from '../webhooks/sign.ts'
import type { CheckpointSink } from './checkpoint.ts'
import type { SignedCheckpoint } from './note.ts'

/** Notes read back at most, the largest chains first: they cover the smaller ones. */
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

export interface WebhookSinkParts extends WebhookParts {
  readonly url: string
  /** `whsec_` and the base64 of 24 to 64 bytes. */
  readonly secret: string
}

/**
 * Posts each checkpoint as JSON. Anything but a 2xx is a failure, after which the checkpoint is made again. The id is
 * the same for the same checkpoint, so that a receiver can drop what it has.
 * @throws Error with words for the operator when the secret is malformed
 */
export function createWebhookSink({ url, secret, ...parts }: WebhookSinkParts): CheckpointSink {
  secretBytes(secret)
  return {
    write: async ({ tenantId, size, headHash, note, at }) => {
      const outcome = await sendWebhook(parts, {
        id: `checkpoint_${tenantId}_${size}`,
        url,
        secrets: [{ value: secret, until: null }],
        body: JSON.stringify({
          type: 'audit.checkpoint.created',
          timestamp: at,
          data: { tenant_id: tenantId, size, head_hash: headHash, note },
        }),
      })
      if (!outcome.delivered) throw new Error(`the checkpoint webhook failed: ${outcome.error}`)
    },
  }
}
