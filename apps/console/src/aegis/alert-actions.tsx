import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { change, readOne } from '../api/client'
import { isStale, useChange } from '../api/use-change'
import { Area, Choice } from '../ui/field'
import { words } from '../ui/format'
import { Panel } from '../ui/panel'
import { Stale } from '../ui/stale'
import { Problem } from '../ui/states'
import type { Alert } from './alert-drawer'
import { Assign } from './assign'
import { movesOfAlert, verbOf } from './moves'
import { SuppressForm } from './suppress-form'

type Patch = Parameters<typeof change<'/aegis/alerts/{alert_id}'>>[1]['body']

const resolutions = ['true_positive', 'benign_true_positive', 'false_positive', 'duplicate'] as const

interface ActionsProps {
  readonly alert: Alert
  readonly etag: string | null
}

export function AlertActions({ alert, etag }: ActionsProps) {
  const [form, setForm] = useState<'resolved' | 'suppressed' | null>(null)
  const patch = useChange(
    (body: Patch) =>
      change('/aegis/alerts/{alert_id}', {
        params: { alert_id: alert.id },
        body,
        ...(etag === null ? {} : { ifMatch: etag }),
      }),
    ['/aegis/alerts'],
    () => setForm(null),
  )
  const move = (status: string): void => {
    if (status === 'resolved' || status === 'suppressed') setForm(status)
    else patch.mutate({ status: status as Alert['status'] })
  }
  return (
    <Panel title="Triage">
      <div className="stack">
        {patch.error === null ? null : (
          <Refused
            error={patch.error}
            alert={alert}
            wanted={patch.variables}
            onReload={() => void patch.renew().then(patch.reset)}
          />
        )}
        <Moves alert={alert} busy={patch.isPending} onMove={move} />
        <Assign
          alert={alert}
          busy={patch.isPending}
          onAssign={(assignee_user_id) => patch.mutate({ assignee_user_id })}
        />
        {form === 'resolved' ? <ResolveForm busy={patch.isPending} onResolve={(body) => patch.mutate(body)} /> : null}
        {form === 'suppressed' ? (
          <SuppressForm busy={patch.isPending} onSuppress={(suppress) => patch.mutate({ suppress })} />
        ) : null}
        {form === null ? (
          <CommentForm
            key={alert.updated_at}
            busy={patch.isPending}
            onComment={(comment) => patch.mutate({ comment })}
          />
        ) : null}
      </div>
    </Panel>
  )
}

interface MovesProps {
  readonly alert: Alert
  readonly busy: boolean
  readonly onMove: (status: string) => void
}

function Moves({ alert, busy, onMove }: MovesProps) {
  return (
    <div className="row">
      {movesOf(alert).map((status, index) => (
        <button
          key={status}
          type="button"
          className={index === 0 ? 'button main' : 'button'}
          disabled={busy}
          onClick={() => onMove(status)}
        >
          {verbOf(status)}
        </button>
      ))}
    </div>
  )
}

/** A suppression counts hits with the values that the rule groups by; without a group it would be of the whole rule. */
const movesOf = ({ status, group_by: group }: Alert): readonly string[] =>
  movesOfAlert(status).filter((move) => move !== 'suppressed' || Object.keys(group).length > 0)

interface CommentProps {
  readonly busy: boolean
  readonly onComment: (comment: string) => void
}

function CommentForm({ busy, onComment }: CommentProps) {
  const [comment, setComment] = useState('')
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    onComment(comment)
  }
  return (
    <form className="stack" onSubmit={submit}>
      <Area label="Comment" rows={2} required value={comment} onChange={(event) => setComment(event.target.value)} />
      <div className="row end">
        <button type="submit" className="button" disabled={busy || comment === ''}>
          Add comment
        </button>
      </div>
    </form>
  )
}

interface ResolveProps {
  readonly busy: boolean
  readonly onResolve: (body: Patch) => void
}

function ResolveForm({ busy, onResolve }: ResolveProps) {
  const [resolution, setResolution] = useState<(typeof resolutions)[number]>('true_positive')
  const [comment, setComment] = useState('')
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    onResolve({ status: 'resolved', resolution, comment })
  }
  return (
    <form className="stack" onSubmit={submit}>
      <Choice
        label="Resolution"
        value={resolution}
        options={resolutions}
        onChange={(value) => setResolution(value as typeof resolution)}
      />
      <Area label="How it was resolved" required value={comment} onChange={(event) => setComment(event.target.value)} />
      <div className="row end">
        <button type="submit" className="button main" disabled={busy || comment === ''}>
          Resolve
        </button>
      </div>
    </form>
  )
}

interface RefusedProps {
  readonly error: unknown
  readonly alert: Alert
  readonly wanted: Patch | undefined
  readonly onReload: () => void
}

function Refused({ error, alert, wanted, onReload }: RefusedProps) {
  const stale = isStale(error)
  const now = useQuery({
    queryKey: ['/aegis/alerts', 'now', alert.id, alert.updated_at],
    enabled: stale,
    queryFn: () => readOne('/aegis/alerts/{alert_id}', { params: { alert_id: alert.id } }),
  })
  if (!stale) return <Problem error={error} />
  const rows = (['status', 'assignee_user_id', 'severity'] as const)
    .map((name) => ({
      name,
      read: String(alert[name] ?? 'nobody'),
      now: String(now.data?.data[name] ?? '…'),
      wanted: String(wanted?.[name] ?? 'no change'),
    }))
    .filter(({ read, now: is, wanted: want }) => read !== is || want !== 'no change')
  return <Stale rows={rows.map((row) => ({ ...row, name: words(row.name) }))} onReload={onReload} />
}
