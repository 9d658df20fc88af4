/** The statement about an erasure, signed with the key that signs what leaves the installation. Tested in erasure.test.ts. */
import { canonicalJson } from '../../../kernel/crypto/canonical-json.ts'
import { sha256 } from '../../../kernel/crypto/digest.ts'
import type { SigningKeys } from '../../../kernel/keys/port.ts'
import type { Residue, ResultLine, RunRow, Verification } from '../declared/retention-schema.ts'
import { signJws } from '../services/jws.ts'

export interface Statement {
  readonly run: RunRow
  readonly status: 'completed' | 'partial'
  readonly results: readonly ResultLine[]
  readonly verification: Verification
  readonly at: string
}

export interface Certificate {
  readonly jws: string
  readonly sha256: string
}

export const searchMethod =
  'Full text of all rows, decrypted values and files, by identifiers; independent of the locators that erased'

export async function certificateOf(
  keys: Pick<SigningKeys, 'sign' | 'activeKid'>,
  { run, status, results, verification, at }: Statement,
): Promise<Certificate> {
  const jws = await signJws(keys, 'erasure-certificate+jws', {
    form: 'parapet/erasure-certificate/1',
    ...{ tenant_id: run.tenant_id, run_id: run.id, subject_id: run.subject_id, status, completed_at: at },
    ...{ received_at: run.received_at, due_at: run.due_at, approved_by: run.approved_by },
    erased: results.map(({ table, rows }) => ({ table, rows })),
    retained: verification.residue.map(({ place, rows, ground }: Residue) => ({ place, rows, ground })),
    verification: { ...verification },
    limits:
      'Backups made before are erased again when they are restored. Content of images and of files whose text is packed is not read.',
  })
  return { jws, sha256: sha256(canonicalJson(jws)) }
}
