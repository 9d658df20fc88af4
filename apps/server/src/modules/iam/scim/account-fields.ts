/** The account fields taken from a directory's document. @see people.ts for the other direction */
import { IsEmail } from 'typebox/format'
import { isUuid } from '../../../kernel/base/uuid.ts'
import { sql } from '../../../kernel/db/sql.ts'
import { assertManager } from '../accounts/managers.ts'
import { enterpriseUrn } from './attributes.ts'
import type { Directory } from './caller.ts'
import { type Document, isDocument } from './match.ts'
import { scimProblem } from './problems.ts'

export interface AccountFields {
  readonly userName: string
  readonly email: string
  readonly externalId: string | null
  readonly active: boolean
  readonly profile: {
    readonly display_name: string | null
    readonly locale: string | null
    readonly time_zone: string | null
    readonly department: string | null
    readonly manager_id: string | null
  }
}

/** @throws API-001 with scimType invalidValue */
export function accountFields(document: Document): AccountFields {
  const userName = text(document.userName)
  if (userName === null) throw scimProblem('invalidValue', 'userName is required.')
  const enterprise = document[enterpriseUrn]
  const inEnterprise = isDocument(enterprise) ? enterprise : {}
  return {
    userName,
    email: emailOf(document, userName),
    externalId: text(document.externalId),
    active: document.active !== false,
    profile: {
      display_name: displayNameOf(document)?.slice(0, 200) ?? null,
      locale: fitting(text(document.locale)?.replaceAll('_', '-') ?? null, /^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8}){0,4}$/),
      time_zone: fitting(text(document.timezone), /^[A-Za-z][A-Za-z0-9_+/-]{0,63}$/),
      department: text(inEnterprise.department)?.slice(0, 100) ?? null,
      manager_id: isDocument(inEnterprise.manager) ? text(inEnterprise.manager.value) : null,
    },
  }
}

/** The preferred address, else the first, else a user name that is one. */
function emailOf(document: Document, userName: string): string {
  const listed = (Array.isArray(document.emails) ? document.emails : []).filter(isDocument)
  const preferred = listed.find(({ primary }) => primary === true) ?? listed[0]
  const email = text(preferred?.value) ?? userName
  if (email.length <= 254 && IsEmail(email)) return email
  throw scimProblem('invalidValue', 'A person needs an e-mail address: as a value of emails, or as userName.')
}

function displayNameOf(document: Document): string | null {
  const name = isDocument(document.name) ? document.name : {}
  const parts = [text(name.givenName), text(name.familyName)].filter((part) => part !== null)
  return text(document.displayName) ?? text(name.formatted) ?? (parts.length > 0 ? parts.join(' ') : null)
}

const text = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null)
/** Null for a value of any other form: it stays in the document and is not used. */
const fitting = (value: string | null, form: RegExp): string | null =>
  value !== null && value.length <= 64 && form.test(value) ? value : null

/** @throws API-001 with scimType invalidValue for a manager who does not exist here, or who reports to the person */
export async function assertKnownManager(
  { tx }: Directory,
  userId: string | null,
  managerId: string | null,
): Promise<void> {
  if (managerId === null) return
  const known = isUuid(managerId)
    ? await tx.first(sql`select 1 as found from iam_user where id = ${managerId} and type = 'human'`)
    : null
  if (known === null) throw scimProblem('invalidValue', 'The manager is nobody here; send the id this server gave.')
  await assertManager(tx, { userId, managerId })
}
