import { useAll } from '../api/hooks'
import { useMay, useMe } from '../api/session'
import { Choice } from '../ui/field'
import type { Alert } from './alert-drawer'

interface AssignProps {
  readonly alert: Alert
  readonly busy: boolean
  readonly onAssign: (userId: string | null) => void
}

/** To any active person for readers of users; to oneself for everybody else. */
export function Assign({ alert, busy, onAssign }: AssignProps) {
  const { user } = useMe()
  const may = useMay('iam:read')
  const people = useAll('/iam/users', { query: { status: 'active', type: 'human' }, enabled: may })
  const { assignee_user_id: assignee } = alert
  return (
    <div className="row low">
      {people.data === undefined ? null : (
        <Choice
          label="Assigned to"
          none="Nobody"
          value={assignee ?? ''}
          options={people.data.map(({ id, display_name, email }) => ({
            value: id,
            label: display_name ?? email ?? id,
          }))}
          onChange={(id) => onAssign(id === '' ? null : id)}
        />
      )}
      {assignee === user.id ? null : (
        <button type="button" className="button" disabled={busy} onClick={() => onAssign(user.id)}>
          Assign to me
        </button>
      )}
    </div>
  )
}
