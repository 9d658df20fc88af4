import { createHash } from 'node:crypto'
import type { Jwk, SigningKeys } from '../keys/port.ts'

/** Statement of a checkpoint: so many entries, and this hash over all of them. */
export interface Checkpoint {
  readonly tenantId: string
  readonly size: number
  readonly headHash: string
  readonly at: string
}

export interface SignedCheckpoint extends Checkpoint {
  /** Text in the layout of C2SP signed notes; it stands alone and can be kept anywhere. */
  readonly note: string
}

/** Claim of a note about the size and the hash: that the chain had come there, or that it begins behind it now. */
export type NoteKind = 'checkpoint' | 'cut'

const origins = { checkpoint: 'parapet/audit', cut: 'parapet/audit-cut' } as const satisfies Record<NoteKind, string>

/** Of C2SP signed notes: Ed25519. */
const ed25519Type = 1
const signatureBytes = 64
const keyHashBytes = 4

/**
 * Signs a checkpoint. The signed text is four lines: origin, size, head hash in base64, time. After an empty line
 * follows `— <key id> <base64 of four bytes of the key's hash and the signature>` (c2sp.org/signed-note, Ed25519).
 */
export async function signCheckpoint(
  keys: Pick<SigningKeys, 'sign' | 'jwks'>,
  checkpoint: Checkpoint,
  kind: NoteKind = 'checkpoint',
): Promise<SignedCheckpoint> {
  const text = noteText(checkpoint, kind)
  const { kid, signature } = await keys.sign('checkpoint', Buffer.from(text))
  const key = keys.jwks('checkpoint').keys.find((known) => known.kid === kid)
  if (key === undefined) throw new Error(`the checkpoint key ${kid} signs and is not published`)
  const line = Buffer.concat([keyHash(key), signature]).toString('base64')
  return { ...checkpoint, note: `${text}\n\u2014 ${kid} ${line}\n` }
}

/** Tells verifiers which key to try: the first bytes of SHA-256 over name, line feed, type and public key. */
function keyHash({ kid, x }: Pick<Jwk, 'kid' | 'x'>): Uint8Array {
  const hash = createHash('sha256').update(`${kid}\n`).update(Uint8Array.of(ed25519Type))
  return hash.update(Buffer.from(x, 'base64url')).digest().subarray(0, keyHashBytes)
}

/** Reads a note; null when it is not one of ours or its signature is not good (any more). */
export function openNote(
  keys: Pick<SigningKeys, 'verify'>,
  note: string,
  kind: NoteKind = 'checkpoint',
): Checkpoint | null {
  const match = notePattern.exec(note)
  if (match === null || match[2] !== origins[kind]) return null
  const [, text = '', , tenantId = '', size = '', head = '', at = '', kid = '', line = ''] = match
  const bytes = Buffer.from(line, 'base64')
  // Notes of the first versions have the signature alone.
  if (bytes.length !== signatureBytes && bytes.length !== keyHashBytes + signatureBytes) return null
  const signature = bytes.subarray(-signatureBytes)
  if (!keys.verify('checkpoint', kid, Buffer.from(text), signature)) return null
  return { tenantId, size: Number(size), headHash: Buffer.from(head, 'base64').toString('hex'), at }
}

function noteText({ tenantId, size, headHash, at }: Checkpoint, kind: NoteKind): string {
  return `${origins[kind]}/${tenantId}\n${size}\n${Buffer.from(headHash, 'hex').toString('base64')}\n${at}\n`
}

const notePattern =
  /^((parapet\/audit(?:-cut)?)\/([0-9a-f-]{36})\n([1-9][0-9]{0,15})\n([A-Za-z0-9+/]{43}=)\n([0-9TZ:.-]{24})\n)\n\u2014 (\S{1,100}) ([A-Za-z0-9+/=]{1,200})\n?$/
