import { errors } from '../errors/errors.ts'
import type { UserRow } from './status.ts'

type ProfileField = 'email' | 'display_name' | 'locale' | 'time_zone' | 'department' | 'manager_id'

/** Profile fields each source manages: all of them for a directory, the name for an identity provider. */
const kept: Readonly<Record<UserRow['managed_by'], readonly ProfileField[]>> = {
  local: [],
  scim: ['email', 'display_name', 'locale', 'time_zone', 'department', 'manager_id'],
  sso: ['display_name'],
}

type Wanted = { readonly [name in ProfileField]?: string | null | undefined }

/** @throws IAM-010 */
export function assertNotManaged(user: Pick<UserRow, ProfileField | 'managed_by'>, wanted: Wanted): void {
  const field = managedField(user, wanted)
  if (field !== undefined) throw errors.managedByDirectory({ field })
}

/** A field that would change and that belongs to a directory. */
export const managedField = (user: Pick<UserRow, ProfileField | 'managed_by'>, wanted: Wanted) =>
  kept[user.managed_by].find((name) => wanted[name] !== undefined && wanted[name] !== user[name])
