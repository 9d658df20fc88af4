/**
 * Recovery codes: ten of sixteen digits, each good once, kept as password hashes. The first two digits are the slot, so
 * that a try costs one hash and not ten; the other fourteen are 46 random bits. Tested in ../factors/mfa.test.ts.
 */
import type { Tx } from '../../../kernel/db/port.ts'
import { sql } from '../../../kernel/db/sql.ts'
import type { IamServices } from '../services/iam-services.ts'

const slots = 10
const randomDigits = 14

export interface NewCodes {
  /** Shown once. */
  readonly codes: readonly string[]
  readonly hashes: readonly string[]
}

/** Makes a set outside of any transaction: ten password hashes take a tenth of a second and more. */
export async function makeCodes({ kernel, passwords }: IamServices): Promise<NewCodes> {
  const codes = Array.from({ length: slots }, (_, slot) => {
    const number = Buffer.from(kernel.random.bytes(8)).readBigUInt64BE() % 10n ** BigInt(randomDigits)
    return `${String(slot).padStart(2, '0')}${String(number).padStart(randomDigits, '0')}`
  })
  return { codes, hashes: await Promise.all(codes.map((code) => passwords.hash(code))) }
}

/** Puts the set in the place of the one before, which is dead. */
export async function storeCodes(
  { kernel }: IamServices,
  tx: Tx,
  { userId, hashes }: { readonly userId: string; readonly hashes: readonly string[] },
): Promise<void> {
  await forgetCodes(tx, userId)
  await tx.execute(sql`
    insert into iam_recovery_code (user_id, slot, hash, created_at)
    select ${userId}::uuid, (made.place - 1)::int, made.hash, ${kernel.clock.iso()}::timestamptz
    from unnest(${hashes}::text[]) with ordinality as made (hash, place)`)
}

export async function forgetCodes(tx: Tx, userId: string): Promise<void> {
  await tx.execute(sql`delete from iam_recovery_code where user_id = ${userId}`)
}
