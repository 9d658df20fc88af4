import type { Tx } from '../../../kernel/db/port.ts'
import { credentialChanged } from './events.ts'

export interface CredentialChange {
  readonly userId: string
  readonly credential: 'password' | 'totp' | 'passkey' | 'recovery_codes'
  readonly change: 'created' | 'updated' | 'deleted'
  readonly by: string | null
}

/** Publishes that a credential of a person was added, changed or removed. */
export async function tellCredential(tx: Tx, { userId, credential, change, by }: CredentialChange): Promise<void> {
  await tx.emit(credentialChanged, `user/${userId}`, { user_id: userId, actor_id: by, credential, change })
}
