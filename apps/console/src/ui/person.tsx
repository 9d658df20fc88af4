import { useOne } from '../api/hooks'
import { useMay } from '../api/session'

/** Name of a person by id, for readers who may see users; the id for others. */
export function Person({ id }: { readonly id: string }) {
  const may = useMay('iam:read')
  const user = useOne('/iam/users/{user_id}', { params: { user_id: id }, enabled: may })
  const { display_name: name = null, email = null } = user.data?.data ?? {}
  return name === null && email === null ? <code>{id}</code> : <span title={email ?? id}>{name ?? email}</span>
}
