import type { SigningKeys } from '../crypto/port.ts'

/** What a checkpoint states: so many entries, and this hash over all of them. */
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

const originPrefix = 'parapet/audit/'

/**
 * Signs a checkpoint. The signed text is four lines: origin, size, head hash in base64, time. After an empty line
 * follows `— <key id> <signature in base64>` (Ed25519).
 */
export async function signCheckpoint(
  keys: Pick<SigningKeys, 'sign'>,
  checkpoint: Checkpoint,
): Promise<SignedCheckpoint> {
  const text = noteText(checkpoint)
  const { kid, signature } = await keys.sign('checkpoint', Buffer.from(text))
  return { ...checkpoint, note: `${text}\n\u2014 ${kid} ${Buffer.from(signature).toString('base64')}\n` }
}

/** Reads a note; null when it is not one of ours or its signature is not good (any more). */
export function openNote(keys: Pick<SigningKeys, 'verify'>, note: string): Checkpoint | null {
  const match = notePattern.exec(note)
  if (match === null) return null
  const [, text = '', tenantId = '', size = '', head = '', at = '', kid = '', signature = ''] = match
  if (!keys.verify('checkpoint', kid, Buffer.from(text), Buffer.from(signature, 'base64'))) return null
  return { tenantId, size: Number(size), headHash: Buffer.from(head, 'base64').toString('hex'), at }
}

function noteText({ tenantId, size, headHash, at }: Checkpoint): string {
  return `${originPrefix}${tenantId}\n${size}\n${Buffer.from(headHash, 'hex').toString('base64')}\n${at}\n`
}

const notePattern =
  /^(parapet\/audit\/([0-9a-f-]{36})\n([1-9][0-9]{0,15})\n([A-Za-z0-9+/]{43}=)\n([0-9TZ:.-]{24})\n)\n\u2014 (\S{1,100}) ([A-Za-z0-9+/=]{1,200})\n?$/
