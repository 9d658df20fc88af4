import type { Static } from 'typebox'
import { Email, strictObject } from '../../../kernel/schema/types.ts'
import { lazyCheck } from '../../../kernel/schema/validators.ts'
import { CreateUser } from '../schemas/users.ts'

const { display_name, locale, time_zone, department, expires_at } = CreateUser.properties

/** Imported fields of a person, with the API's schemas. */
const PersonFields = strictObject({ email: Email, display_name, locale, time_zone, department, expires_at })
export type PersonFields = Partial<Static<typeof PersonFields>>

const check = lazyCheck(PersonFields)

/** A person as described by a document. */
export interface ImportedPerson {
  readonly line: number
  readonly fields: PersonFields
  /** The document's names of the person's roles. */
  readonly roles: readonly string[]
  /** In stored form. */
  readonly passwordHash: string | null
  readonly passwordSetAt: string | null
  readonly mustChangePassword: boolean
  readonly enabled: boolean
  /** Left out, without an error in the document. */
  readonly skipped: boolean
  readonly notes: readonly string[]
  /** Why the person cannot be taken. */
  readonly faults: readonly string[]
}

/** Faults of form, by field. */
export function fieldFaults(fields: PersonFields): readonly string[] {
  return check(fields).map(({ pointer, detail }) => `${pointer.slice(1)}: ${detail}`.slice(0, 300))
}
